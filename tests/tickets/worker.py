"""One worker as a process of its own, which is killed or stopped at a step.

It does so to itself, with a signal that nobody can catch: so the moment is known.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.switches.conversation import Conversation

from . import bench

ROOT = Path(__file__).parents[2]


def begin(address: str, path: Path, step: str, time: int, how: str) -> subprocess.Popen[str]:
    """Start a worker that ends or stops when it comes to a step for the n-th time."""
    command = [sys.executable, "-m", "tests.tickets.worker", address, str(path), step, str(time)]
    return subprocess.Popen([*command, how], cwd=ROOT, stderr=subprocess.PIPE, text=True)


@contextlib.contextmanager
def watched_sets(told: bench.Told) -> Iterator[None]:
    """Hear of every switch that is told something, before and after."""
    send: Any = Conversation.set

    def heard(*arguments: Any) -> None:
        told("before telling a switch")
        send(*arguments)
        told("after telling a switch")

    with mock.patch.object(Conversation, "set", heard):
        yield


def main(address: str, path: str, step: str, time: str, how: str) -> None:
    """Work until it is over, or until the step."""
    left = int(time)

    def told(what: str) -> None:
        nonlocal left
        left -= what == step
        if what == step and left == 0:
            os.kill(os.getpid(), getattr(signal, how))

    if how == "SIGSTOP":
        # Short enough to be waited for.
        bench.LEASE = 6.0
    with watched_sets(told), bench.open_pod(address) as fabric:
        try:
            bench.work(fabric, Path(path), told=told)
        except FabricTwinError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
