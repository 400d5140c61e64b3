"""One worker as a process of its own, which is killed or stopped at a step.

It does so to itself, with a signal that nobody can catch: so the moment is known.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.switches.conversation import Conversation

from . import bench

ROOT = Path(__file__).parents[2]


def begin(address: str, path: Path, step: str, time: int, how: str) -> subprocess.Popen[str]:
    """Start a worker that ends or stops when it comes to a step for the n-th time."""
    command = [sys.executable, "-m", "tests.tickets.worker", address, str(path), step, str(time)]
    return subprocess.Popen([*command, how], cwd=ROOT, stderr=subprocess.PIPE, text=True)


def watch_sets(told: bench.Told) -> None:
    """Hear of every switch that is told something, before and after."""
    send: Any = Conversation.set

    def heard(*arguments: Any) -> None:
        told("before telling a switch")
        send(*arguments)
        told("after telling a switch")

    Conversation.set = heard  # type: ignore[method-assign]


def main(address: str, path: str, step: str, time: str, how: str) -> None:
    """Work until it is over, or until the step."""
    left = int(time)

    def told(what: str) -> None:
        nonlocal left
        left -= what == step
        if what == step and left == 0:
            os.kill(os.getpid(), getattr(signal, how))

    watch_sets(told)
    bench.LEASE = 6.0
    with bench.open_pod(address) as fabric:
        try:
            bench.work(fabric, Path(path), told=told)
        except FabricTwinError as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
