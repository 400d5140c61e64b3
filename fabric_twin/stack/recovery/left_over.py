"""Processes of an earlier start, whose supervisor was killed: found, named and ended.

Nothing that was written down is believed: each of them holds a file open (see kept.py). Only who
holds the folder may end them, since nobody else can start new ones meanwhile.
"""

import contextlib
import fcntl
import signal
import time
from collections.abc import Callable
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.processes import Process, end, holders

#: Seconds to end by itself, then to be gone once killed.
GRACE, KILLED = 10.0, 10.0


def left_over(folder: StateFolder) -> dict[str, list[Process]]:
    """Who still runs, by the name of its part."""
    found = holders(folder.logs)
    return {name: sorted(found[name], key=lambda process: process.pid) for name in sorted(found)}


def in_words(left: dict[str, list[Process]]) -> str:
    """Such as `postgres (9), web (4)`."""
    return ", ".join(f"{name} ({len(processes)})" for name, processes in left.items())


def end_left_over(folder: StateFolder, say: Callable[[str], None]) -> int:
    """End them, and say how many they were; who cannot be ended is refused by name."""
    found = left_over(folder)
    if found:
        say(f"Left over by a start that was killed, and ended now: {in_words(found)}.")
        end(lambda: _first_ones(folder), signal.SIGTERM, GRACE)
        end(lambda: _all(folder), signal.SIGKILL, KILLED)
    if left := left_over(folder):
        pids = ", ".join(str(process.pid) for each in left.values() for process in each)
        raise StackRefused(
            f"processes of an earlier start cannot be ended: {in_words(left)}; {pids}",
            where=str(folder.path),
            remedy="The kernel holds them, for a disk that does not answer or the like: see to "
            "that, or restart the machine",
        )
    _refuse_who_is_out_of_sight(folder)
    return sum(map(len, found.values()))


def _all(folder: StateFolder) -> list[Process]:
    return [process for each in left_over(folder).values() for process in each]


def _first_ones(folder: StateFolder) -> list[Process]:
    """Those whom none of them started: each ends its own as it should."""
    there = _all(folder)
    pids = {process.pid for process in there}
    return [process for process in there if process.parent not in pids]


def _refuse_who_is_out_of_sight(folder: StateFolder) -> None:
    """A process holds a lock also in another container, and where there is no /proc."""
    patience = time.monotonic() + KILLED
    while taken := [mark.stem for mark in folder.logs.glob("*.held") if _is_locked(mark)]:
        if time.monotonic() > patience:
            raise StackRefused(
                f"{', '.join(sorted(taken))} of an earlier start still runs, out of sight",
                where=str(folder.path),
                remedy="End it where it runs, such as in another container with this folder",
            )
        time.sleep(0.05)


def _is_locked(mark: Path) -> bool:
    with contextlib.suppress(FileNotFoundError), mark.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
