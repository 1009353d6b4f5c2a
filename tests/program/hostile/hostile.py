"""The program with little memory: what a file claims is checked before it is believed."""

import os
import resource

from conftest import hiple

MEMORY = 3 << 30  # of addresses; the program itself takes some hundreds of megabytes


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def refused(*words, file, said=(), study=None):
    """The program ends with 2, names the file, and leaves nothing behind."""
    result = hiple(*words, preexec_fn=None if "HIPLE_SANITIZED" in os.environ else limit_memory)
    assert result.returncode == 2, result.stdout + result.stderr
    assert file in result.stderr, result.stderr
    for word in (said,) if isinstance(said, str) else said:
        assert word in result.stderr, result.stderr
    if study is not None:
        assert not study.directory.exists()
    return result
