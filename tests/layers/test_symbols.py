"""What the libraries are linked against: neither engine nor law knows MPI or NCCL, and they do not know each other."""

import os
import re
import subprocess
from pathlib import Path

import pytest

LIBRARIES = Path(os.environ["HIPLE_BIN_DIR"]).parent / "lib"
MPI_OR_NCCL = re.compile(r"^P?MPI_|^nccl|^ompi_")
ENGINE = re.compile(r"^hiple::engine::|[ (<]hiple::engine::")
LAW = re.compile(r"^hiple::law::|[ (<]hiple::law::")


def undefined(library):
    """Symbols that a static library wants from elsewhere, demangled."""
    path = LIBRARIES / library
    assert path.is_file(), f"{path} has not been built"
    listing = subprocess.run(["nm", "--undefined-only", "--demangle", "--quiet", path], check=True, capture_output=True, text=True).stdout
    return {line.split(None, 1)[1] for line in listing.splitlines() if re.match(r"\s+[Uvw] ", line)}


@pytest.mark.parametrize("library", ["libhiple_engine.a", "libhiple_law.a", "libhiple_table.a", "libhiple_judgment.a", "libhiple_gate.a"])
def test_no_symbol_of_mpi_or_nccl(library):
    assert [symbol for symbol in undefined(library) if MPI_OR_NCCL.search(symbol)] == []


def needed(program):
    """Libraries that a program is linked with."""
    listing = subprocess.run(["readelf", "-d", LIBRARIES.parent / "bin" / program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", listing)


@pytest.mark.parametrize("program", ["hiple", "hiple-spawner"])
def test_no_program_that_trains_is_linked_with_what_speaks(program):
    """Nor with the libraries of CUDA: cuBLASLt is opened when an engine trains on a device."""
    found = needed(program)
    assert any(name.startswith("libstdc++") for name in found)
    assert [name for name in found if re.match(r"lib(mpi|nccl|cublas|cudnn|cudart|cuda\b)", name)] == []


def test_what_is_linked_with_nccl_is_seen():
    if not (LIBRARIES / "libhiple_scaling_nccl.a").is_file():
        pytest.skip("built without NCCL")
    assert any(MPI_OR_NCCL.search(symbol) for symbol in undefined("libhiple_scaling_nccl.a"))
    assert any(name.startswith("libnccl") for name in needed("test_scaling_nccl"))


def test_the_law_wants_nothing_of_an_engine():
    assert [symbol for symbol in undefined("libhiple_law.a") if ENGINE.search(symbol)] == []


def test_an_engine_wants_nothing_of_the_law():
    assert [symbol for symbol in undefined("libhiple_engine.a") if LAW.search(symbol)] == []


def test_the_listing_is_read_rightly():
    """The engine wants oneDNN and our own lower layers: an empty listing would prove nothing."""
    symbols = undefined("libhiple_engine.a")
    assert any("dnnl" in symbol for symbol in symbols)
    assert any("hiple::" in symbol for symbol in symbols)


def test_a_planted_call_is_found(tmp_path):
    source = tmp_path / "planted.cpp"
    source.write_text('extern "C" int MPI_Barrier(int);\nnamespace hiple::engine { int train(); }\n'
                      "int planted() { return MPI_Barrier(0) + hiple::engine::train(); }\n")
    subprocess.run(["c++", "-c", source, "-o", tmp_path / "planted.o"], check=True)
    subprocess.run(["ar", "rcs", tmp_path / "libplanted.a", tmp_path / "planted.o"], check=True)
    symbols = undefined(tmp_path / "libplanted.a")
    assert any(MPI_OR_NCCL.search(symbol) for symbol in symbols)
    assert any(ENGINE.search(symbol) for symbol in symbols)
