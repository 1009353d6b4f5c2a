#!/usr/bin/python3
"""Runs a program under mpirun on made-up hosts, one rank a host, and removes the hosts whatever happens.

Usage: with_hosts.py --hosts 3 [--rate 100mbit] [--limit SECONDS] -- PROGRAM ARGUMENT...
Says on standard error how many bytes left each host. Exit status: the program's; 124 where the limit ended it; 77 where no hosts
can be made here."""

import argparse
import os
import pathlib
import shlex
import signal
import subprocess
import sys

from hosts import Hosts, NetworkError, bits_per_second, reason_against

SKIPPED = 77


def mpirun_words(hosts, program):
    """One rank a host. No binding: every host believes that all cores are its own."""
    places = ",".join(f"{name}:1" for name in hosts.names)
    return ["mpirun", "--host", places, "-n", str(len(hosts.names)), "--bind-to", "none", *program]


def run(hosts, program, limit, environment, **options):
    """Ends the launcher, and with the hosts all that it started, after `limit` seconds. Returns (exit status, output)."""
    words = ["timeout", "--kill-after=5", str(limit), *hosts.enter(0, "exec " + shlex.join(mpirun_words(hosts, program)))]
    return subprocess.run(words, env={**environment, **hosts.environment()}, check=False, **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--rate", help="of each link, both ways: 10mbit, 1gbit; by default not limited")
    parser.add_argument("--limit", type=float, default=600, help="seconds")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    try:
        if options.rate:
            bits_per_second(options.rate)
        hosts = Hosts(options.hosts, options.rate)
    except ValueError as error:
        parser.error(str(error))
    reason = reason_against()
    if reason:
        print(f"with_hosts: SKIPPED, no hosts can be made here: {reason}", file=sys.stderr)
        return SKIPPED
    for number in (signal.SIGTERM, signal.SIGHUP):  # an interrupt raises by itself; these would leave the hosts behind
        signal.signal(number, lambda *_: sys.exit(1))
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}
    try:
        with hosts:
            status = run(hosts, options.program, options.limit, {**os.environ, **root}).returncode
            for entry in hosts.counters():
                print(f"with_hosts: {entry['host']}: {entry['bytes']} bytes in {entry['packets']} packets sent", file=sys.stderr)
            return status
    except NetworkError as error:
        print(f"with_hosts: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
