"""Processes by number, as the kernel knows them; numbers are used again, so each has its start."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

_PROC = Path("/proc")
#: Fields of /proc/PID/stat after the name, which may itself hold spaces and brackets.
_STATE, _STARTED = 0, 19


@dataclass(frozen=True)
class Process:
    """A process that is told from a later one of the same number by when it started."""

    pid: int
    started: str

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """The process that has this number now."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return None
        except PermissionError:
            pass
        fields = _fields(pid)
        if fields and fields[_STATE] == "Z":
            return None
        return cls(pid, fields[_STARTED] if fields else "")

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """As `as_json` wrote it."""
        return cls(int(value["pid"]), str(value["started"]))

    def as_json(self) -> dict[str, Any]:
        """For a file that another process reads."""
        return {"pid": self.pid, "started": self.started}

    def runs(self) -> bool:
        """Whether it is this one still."""
        return Process.of(self.pid) == self

    def send(self, number: signal.Signals) -> None:
        """Signal it, if it is this one still."""
        if self.runs():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, seconds: float) -> bool:
        """Whether it ends within some time."""
        patience = time.monotonic() + seconds
        while self.runs():
            if time.monotonic() > patience:
                return False
            time.sleep(0.05)
        return True


def end_session(session: int, seconds: float = 5) -> None:
    """Kill what is left of a session: nothing, unless its keeper was killed."""
    patience = time.monotonic() + seconds
    while (left := list(members_of(session))) and time.monotonic() < patience:
        for process in left:
            process.send(signal.SIGKILL)
        time.sleep(0.02)


def members_of(session: int) -> Iterator[Process]:
    """The processes of a session."""
    for entry in _PROC.glob("[0-9]*"):
        with contextlib.suppress(ProcessLookupError):
            pid = int(entry.name)
            if os.getsid(pid) == session and (process := Process.of(pid)):
                yield process


def _fields(pid: int) -> list[str]:
    """What the kernel tells of a process, where it has a /proc."""
    try:
        text = Path(_PROC, str(pid), "stat").read_text()
    except OSError:
        return []
    return text.rpartition(")")[2].split()
