"""The platforms that ranks are simulated on, and SimGrid's options: one rank a host, in a fat tree of two levels with full bisection, or
on hosts around one switch as the made-up hosts of the measured launches."""

import math

BANDWIDTH, LATENCY = 12.5e9, 0.5e-6  # of a link: 100 Gbit/s, half a microsecond
OVERHEAD = 0.5e-6                    # of a message, at each end
METADATA, FILES = 20_000, 100e9      # of the file system: operations and bytes a second, for all
TRANSPORT = 1448 / 1514              # of a frame of Ethernet that TCP fills with data


def tree(ranks):
    """Ports down and up of the two levels: as many switches of the first as ports, as square as powers of two are."""
    if ranks < 4 or ranks & (ranks - 1):
        raise ValueError(f"a fat tree of {ranks} hosts: it is made for powers of two from 4 on")
    below = 2 ** math.ceil(math.log2(ranks) / 2)
    return below, ranks // below


def fat_tree(ranks):
    below, above = tree(ranks)
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <cluster id="tree" prefix="host" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="{BANDWIDTH:g}Bps" lat="{LATENCY:g}s"
             topology="FAT_TREE" topo_parameters="2;{below},{above};1,{below};1,1" sharing_policy="SPLITDUPLEX"/>
    <zone id="storage" routing="Full">
      <host id="metadata" speed="{METADATA}f"/>
      <host id="files" speed="{FILES:g}f"/>
    </zone>
  </zone>
</platform>
"""


def star(ranks, bits_per_second, latency):
    """Hosts around one switch; a message passes two links."""
    return f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="host" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="{bits_per_second / 8 * TRANSPORT:g}Bps" lat="{latency / 2:g}s"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def hosts(ranks):
    return "".join(f"host{rank}\n" for rank in range(ranks))


# Computing is told, not taken from the simulating machine; factors of SMPI that were fitted to gigabit Ethernet of 2010 are off, and every message costs
# OVERHEAD at both ends. Nothing is added to a look that finds nothing.
OPTIONS = {
    "smpi/simulate-computation": "no", "smpi/privatization": "no", "smpi/host-speed": "1Gf", "smpi/lat-factor": "0:1", "smpi/bw-factor": "0:1",
    "smpi/os": f"0:{OVERHEAD:g}:0", "smpi/ois": f"0:{OVERHEAD:g}:0", "smpi/or": f"0:{OVERHEAD:g}:0", "smpi/test": "0", "smpi/wtime": "0",
    "smpi/grow-injected-times": "no", "smpi/async-small-thresh": "65536", "network/crosstraffic": "no", "network/TCP-gamma": "0",
    "contexts/stack-size": "256",
}
