"""Our HDF5 files as other programs see them, and theirs as we see them."""
import hashlib
import os
import pathlib
import shutil
import subprocess

import h5py
import numpy
import pytest

PROGRAM = pathlib.Path(os.environ["HIPLE_BIN_DIR"]) / "h5_samples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("samples")
    subprocess.run([PROGRAM, "write", path], check=True)
    return path


def test_attributes_of_every_file(folder):
    for path in folder.rglob("*.h5"):
        with h5py.File(path) as file:
            assert file.attrs["format"] in {"sample", "hiple judgments", "hiple judgment index"}
            assert file.attrs["version"] == (2 if file.attrs["format"] == "hiple judgments" else 1)
            assert file.attrs["software"].startswith("hiple ")
            assert file.attrs["created"].endswith("Z")
            assert file.attrs["complete"] == 1
            assert file.userblock_size == 512
        content = path.read_bytes()
        assert content.startswith(f"hiple sha256 {len(content) - 512} {hashlib.sha256(content[512:]).hexdigest()}\n".encode())


def test_judgments(folder):
    with h5py.File(folder / "judgments" / "hypo.h5") as file:
        assert list(file["classes"].asstr()) == ["none", "F"]
        assert file["case_id"].dtype == "u8" and file["case_id"][69_999] == 139_999
        assert file["label"].dtype == "u2" and list(file["label"][:2]) == [1, 65535]
        assert file["confidence"].dtype == "f4" and file["confidence"][0] == 0.75
        assert file["probability"].shape == (70_000, 2)
        assert file["status"].dtype == "u1" and list(file["status"][:2]) == [0, 1]
        assert file["typicality"][5] == 0.5
        assert "value" not in file
        assert file.attrs["engine"] == "hypo" and file.attrs["domain"] == "Schilddrüse"
        assert file.attrs["steps"] == 9 and file.attrs["level"] == 0
        for name in ("case_id", "label", "confidence", "probability", "status", "typicality"):
            assert file[name].fletcher32, name
            assert file[name].chunks[0] == 65536, name
        assert file["classes"].chunks == (2,) and file["classes"].fletcher32


def test_index_leads_to_each_file(folder):
    with h5py.File(folder / "judgments.h5") as file:
        engines = file["engines"]
        assert sorted(engines) == ["hypo", "nti"]
        assert engines["hypo"].attrs["status"] == "complete" and engines["hypo"].attrs["sha256"] == "ab"
        assert engines["hypo/judgments/label"][0] == 1
        assert engines["nti"].attrs["status"] == "failed" and "judgments" not in engines["nti"]


def test_appended_compressed_texts_and_empty(folder):
    with h5py.File(folder / "sample.h5") as file:
        assert file["g/rows"].shape == (10, 2) and file["g/rows"].compression == "gzip"
        assert list(file["g/rows"][9]) == [4, -4]
        assert file["g/rows"].attrs["unit"] == "mm"
        assert list(file["g/texts"].asstr()) == ["", "é€", "long text"]
        assert file["g/empty"].shape == (0,)


@pytest.mark.skipif(shutil.which("h5dump") is None, reason="h5dump is not installed")
def test_h5dump(folder):
    for path in folder.rglob("*.h5"):
        subprocess.run(["h5dump", "-H", path], check=True, stdout=subprocess.DEVNULL)


def write_by_h5py(path, **without):
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "sample"
        file.attrs["version"] = numpy.uint32(1)
        file.attrs["complete"] = numpy.uint8(1)
        file.attrs["note"] = "grüß"
        file["texts"] = ["", "a", "é€ and more"]
        file["x"] = numpy.arange(5.0)
        for name in without.get("remove", []):
            del file.attrs[name]


def test_files_by_h5py_are_read(tmp_path):
    write_by_h5py(tmp_path / "in.h5")
    subprocess.run([PROGRAM, "copy", tmp_path / "in.h5", tmp_path / "out.h5"], check=True)
    with h5py.File(tmp_path / "out.h5") as file:
        assert list(file["texts"].asstr()) == ["", "a", "é€ and more"]
        assert list(file["x"]) == [0, 1, 2, 3, 4]
        assert file.attrs["note"] == "grüß"


@pytest.mark.parametrize("name", ["format", "version", "complete"])
def test_files_without_our_attributes_are_refused(tmp_path, name):
    write_by_h5py(tmp_path / "in.h5", remove=[name])
    result = subprocess.run([PROGRAM, "copy", tmp_path / "in.h5", tmp_path / "out.h5"], capture_output=True, text=True)
    assert result.returncode == 2
    assert "in.h5: " in result.stderr and name in result.stderr
    assert not (tmp_path / "out.h5").exists()


def test_what_was_never_filled_is_refused(tmp_path):
    write_by_h5py(tmp_path / "in.h5")
    with h5py.File(tmp_path / "in.h5", "a") as file:
        del file["x"]
        file.create_dataset("x", shape=(1 << 40,), dtype="f8", chunks=(1024,))
    result = subprocess.run([PROGRAM, "copy", tmp_path / "in.h5", tmp_path / "out.h5"], capture_output=True, text=True)
    assert result.returncode == 2 and "claims" in result.stderr


def test_values_in_another_file_are_refused(tmp_path):
    write_by_h5py(tmp_path / "other.h5")
    write_by_h5py(tmp_path / "in.h5")
    with h5py.File(tmp_path / "in.h5", "a") as file:
        del file["x"]
        file["x"] = h5py.ExternalLink("other.h5", "x")
    result = subprocess.run([PROGRAM, "copy", tmp_path / "in.h5", tmp_path / "out.h5"], capture_output=True, text=True)
    assert result.returncode == 2 and "link" in result.stderr
    with h5py.File(tmp_path / "in.h5", "a") as file:
        del file["x"]
        file.create_dataset("x", shape=(5,), dtype="f8", external=[(str(tmp_path / "other.h5"), 0, 40)])
    result = subprocess.run([PROGRAM, "copy", tmp_path / "in.h5", tmp_path / "out.h5"], capture_output=True, text=True)
    assert result.returncode == 2 and "another file" in result.stderr
