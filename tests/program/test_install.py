"""An installed HIPLE is found by find_package, and its programs run from where they were put."""
import os
import pathlib
import subprocess

BUILD = pathlib.Path(os.environ["HIPLE_BIN_DIR"]).parent
CONSUMER = pathlib.Path(__file__).parent / "install_consumer"


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=280)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_consumer_builds_against_the_installed_package(tmp_path):
    prefix, build = tmp_path / "prefix", tmp_path / "build"
    run("cmake", "--install", BUILD, "--prefix", prefix)
    run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    assert "2 engines" in run(build / "consumer")
    assert list(prefix.rglob("libhiple-ledger.so"))
    assert '"title": "run.yaml"' in (prefix / "share/hiple/json-schema/run.json").read_text(encoding="utf-8")
    assert (prefix / "share/hiple/reference/law.yaml").exists()
    assert "hiple 0.1" in run(prefix / "bin" / "hiple", "--version")
    assert run(prefix / "bin" / "hiple", "--help")
