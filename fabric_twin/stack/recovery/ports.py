"""The port that each server keeps from start to start, and another where somebody else has it.

A new one is drawn from below those that the kernel gives to outgoing connections: from among
them any program could take it while the stack is down.
"""

import contextlib
import random
import socket
from collections.abc import Callable
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import ADDRESS, StateFolder

#: Who has which port, by the file that keeps its number.
PORTS = {
    "port": "the web server",
    "fabric-port": "the simulated fabric",
    "faults-port": "the fabric's faults",
}
_DRAWN_FROM = range(10_000, 32_768)
_KERNELS = Path("/proc/sys/net/ipv4/ip_local_port_range")


def kept_port(folder: StateFolder, name: str, say: Callable[[str], None], wanted: int = 0) -> int:
    """The port that is wanted, else that of last time, else a free one, which is said."""
    if wanted and not is_free(wanted):
        raise StackRefused(
            f"port {wanted} is taken",
            where=ADDRESS,
            remedy="Name another with --port, or none for any that is free",
        )
    last = last_port(folder, name)
    port = wanted or (last if last and is_free(last) else _draw(folder))
    if last and not wanted and port != last:
        say(f"Port {last} of {PORTS[name]} is taken by another program: it is {port} now.")
    if port != last:
        folder.write(name, str(port))
    return port


def last_port(folder: StateFolder, name: str) -> int:
    """The port of last time; 0 where there was none."""
    with contextlib.suppress(FileNotFoundError, ValueError):
        return int((folder.path / name).read_text())
    return 0


def is_free(port: int) -> bool:
    """Whether a server could listen on it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
        return True


def _draw(folder: StateFolder) -> int:
    low, high = _given_by_the_kernel()
    ours = {last_port(folder, name) for name in PORTS}
    drawn = [port for port in _DRAWN_FROM if port not in ours and not low <= port <= high]
    random.shuffle(drawn)
    free = next(filter(is_free, drawn), None)
    if free is None:
        raise StackRefused(
            f"no port from {_DRAWN_FROM.start} to {_DRAWN_FROM.stop - 1} is free",
            where=ADDRESS,
            remedy="End a program that listens on one, or name the web server's with --port",
        )
    return free


def _given_by_the_kernel() -> tuple[int, int]:
    """From which to which port it gives to outgoing connections."""
    try:
        low, high = map(int, _KERNELS.read_text().split())
    except OSError:  # not Linux, where they begin at 49152
        return 49_152, 65_535
    return low, high
