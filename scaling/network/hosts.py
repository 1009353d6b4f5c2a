"""Made-up hosts on this machine: each is a network namespace with a link to a bridge, limited to a rate in both directions.

All of it lives in namespaces of its own: no interface, address or route of the machine is touched. The names hold the process
that made them, so that two runs do not meet, and what a killed run left behind is removed by the next one. Root only."""

import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ENTER = "hiple-enter"
NAME = re.compile(r"hiple-(\d+)-\d+-(hub|host\d+)")
RATE = re.compile(r"([1-9]\d*)(kbit|mbit|gbit)")
UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
# Beside the rate: a bucket of a millisecond, at least two frames, and a queue that holds a fifth of a second.
BUCKET_SECONDS, LEAST_BUCKET, QUEUE = 1e-3, 3200, "200ms"


SETS = itertools.count(1)  # of this process


class NetworkError(RuntimeError):
    """The hosts cannot be made; the text says why."""


def bits_per_second(rate):
    match = RATE.fullmatch(rate)
    if not match:
        raise ValueError(f"{rate!r} is no rate: a number and kbit, mbit or gbit, as 100mbit")
    return int(match[1]) * UNITS[match[2]]


def ip(*words):
    done = subprocess.run(["ip", *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NetworkError(f"ip {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def reason_against():
    """Why no hosts can be made here; nothing where they can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "tc", "nsenter", "unshare"):
        if not any((pathlib.Path(folder) / tool).exists() for folder in os.environ["PATH"].split(":")):
            return f"no program {tool} (Debian: iproute2, util-linux)"
    try:
        with Hosts(1, "1gbit"):
            return None
    except NetworkError as error:
        return str(error)


def end_processes(name):
    """Ends what runs in a namespace, which is ours by its name."""
    for _ in range(50):
        pids = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True, check=False).stdout.split()
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)
    raise NetworkError(f"processes {' '.join(pids)} in {name} do not end")


def remove(name):
    """Ends what still runs in a namespace and removes it; the memory that killed ranks shared is no file that goes by itself."""
    end_processes(name)
    ip("netns", "delete", name)
    for path in pathlib.Path("/dev/shm").glob(f"*{name}*"):
        path.unlink(missing_ok=True)


def namespaces():
    """Every namespace of ours, with the process that made it."""
    found = (NAME.fullmatch(line.split()[0]) for line in ip("netns", "list").splitlines() if line.strip())
    return [(match[0], int(match[1])) for match in found if match]


def sweep():
    """Removes what processes that are no more left behind. Returns the names."""
    left = [name for name, owner in namespaces() if not pathlib.Path(f"/proc/{owner}").exists()]
    for name in left:
        remove(name)
    return left


class Hosts:
    """`count` hosts on one bridge, in a `with`. `rate` limits each link both ways; None leaves it as fast as it is."""

    def __init__(self, count, rate=None):
        if not 1 <= count <= 250:
            raise ValueError(f"{count} hosts: from 1 to 250")
        self.rate = bits_per_second(rate) if rate else None
        prefix = f"hiple-{os.getpid()}-{next(SETS)}"
        self.hub = f"{prefix}-hub"
        self.names = [f"{prefix}-host{i + 1}" for i in range(count)]
        self.addresses = [f"10.99.0.{i + 1}" for i in range(count)]
        self.made = []
        self.folder = None

    def __enter__(self):
        sweep()
        try:
            self._make()
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, *_):
        self._remove()

    def _add(self, name):
        ip("netns", "add", name)
        self.made.append(name)
        ip("-n", name, "link", "set", "lo", "up")

    def _make(self):
        self.folder = tempfile.TemporaryDirectory(prefix="hiple-network-")
        lines = ["127.0.0.1 localhost", *(f"{address} {name}" for address, name in zip(self.addresses, self.names))]
        (pathlib.Path(self.folder.name) / "hosts").write_text("\n".join(lines) + "\n")
        self._add(self.hub)
        ip("-n", self.hub, "link", "add", "bridge0", "type", "bridge")
        ip("-n", self.hub, "link", "set", "bridge0", "up")
        for i, (name, address) in enumerate(zip(self.names, self.addresses)):
            port = f"port{i + 1}"
            self._add(name)
            ip("-n", self.hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("-n", self.hub, "link", "set", port, "master", "bridge0", "up")
            ip("-n", name, "address", "add", f"{address}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            if self.rate:
                self._limit(name, "eth0")
                self._limit(self.hub, port)

    def _limit(self, namespace, device):
        """A token bucket; the kernel cuts large segments to frames before it counts them."""
        bucket = max(LEAST_BUCKET, int(self.rate / 8 * BUCKET_SECONDS))
        words = ["-n", namespace, "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{int(self.rate)}bit", "burst", bucket,
                 "latency", QUEUE]
        done = subprocess.run(["tc", *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise NetworkError(f"tc {' '.join(map(str, words))}: {done.stderr.strip()}")

    def _remove(self):
        problems = []
        while self.made:
            name = self.made.pop()
            try:
                remove(name)
            except NetworkError as error:
                problems.append(str(error))
        if self.folder:
            self.folder.cleanup()
            self.folder = None
        if problems:
            raise NetworkError("; ".join(problems))

    def environment(self):
        """What a process needs that starts others on these hosts, Open MPI's settings included. The agent is found by PATH, so
        that no record holds the path of a checkout."""
        return {"HIPLE_NETWORK_HOSTS": str(pathlib.Path(self.folder.name) / "hosts"),
                "PATH": f"{FOLDER}:{os.environ['PATH']}",
                "OMPI_MCA_plm": "rsh", "OMPI_MCA_plm_rsh_agent": ENTER, "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
                "OMPI_MCA_orte_tmpdir_base": self.folder.name,
                "OMPI_MCA_oob_tcp_if_include": "eth0", "OMPI_MCA_btl_tcp_if_include": "eth0"}

    def enter(self, host, command):
        """The words that run `command`, a line for a shell, on host number `host` (from 0)."""
        return [str(FOLDER / ENTER), self.names[host], command]

    def kill(self, name):
        """A power failure of one host: nothing of it is heard any more, not even that its connections are closed."""
        ip("-n", name, "link", "set", "eth0", "down")
        end_processes(name)

    def end_processes(self):
        """Ends what a launch that was cut short left running."""
        for name in self.names:
            end_processes(name)

    def counters(self):
        """Bytes and packets that left each host by its link since it was made: with headers, of all that was sent."""
        found = []
        for name in self.names:
            sent = json.loads(ip("-n", name, "-s", "-j", "link", "show", "dev", "eth0"))[0]["stats64"]["tx"]
            found.append({"host": name, "bytes": sent["bytes"], "packets": sent["packets"]})
        return found
