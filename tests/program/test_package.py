"""The Debian package: made by cpack, it names what it depends on, and what is in it runs where dpkg puts it."""

import os
import pathlib
import subprocess

import pytest

BUILD = pathlib.Path(os.environ["HIPLE_BIN_DIR"]).parent
PATIENCE = 600


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", folder)
    [found] = folder.glob("*.deb")
    return found


def test_it_says_what_it_is_and_needs(package):
    assert package.name.startswith("hiple_0.1.0_")
    told = run("dpkg-deb", "--field", package, "Package", "Depends", "Description")
    assert "Package: hiple" in told
    for library in ("libhdf5", "libdnnl", "libyaml-cpp", "libopenmpi", "openmpi-bin"):
        assert library in told.partition("Depends: ")[2].partition("\n")[0], library


def test_unpacked_it_runs(package, tmp_path):
    root = tmp_path / "root"
    admin = root / "var/lib/dpkg"
    for folder in ("info", "updates", "triggers"):
        (admin / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (admin / file).touch()
    # Into a folder with a data base of its own, in which nothing that it depends on is known; the scripts of an installation (ldconfig)
    # would be run inside of it, where there is no shell.
    where = ["--instdir", root, "--admindir", admin, "--log", tmp_path / "log"]
    run("dpkg", "--force-not-root", "--force-depends", *where, "--unpack", package)
    programs = root / "usr/bin"
    assert "hiple 0.1" in run(programs / "hiple", "--version")
    table = tmp_path / "milling.csv"
    run(programs / "hiple", "data", "generate", "milling", "--rows", "100", "--output", table)
    assert len(table.read_text(encoding="utf-8").splitlines()) == 101
    assert (root / "usr/share/hiple/jobs/run.sh").exists()
