"""Processes by number, as the kernel knows them; numbers are used again, so each has its start."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

_PROC = Path("/proc")
#: Fields of /proc/PID/stat after the name, which may itself hold spaces and brackets.
_STATE, _PARENT, _STARTED = 0, 1, 19
#: How the name of a file ends that the processes of a log hold open: see kept.py.
HELD = ".held"


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

    @property
    def parent(self) -> int:
        """Who started it, or took it on since."""
        fields = _fields(self.pid)
        return int(fields[_PARENT]) if fields else 0

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


def end(left: Callable[[], Iterable[Process]], ask: signal.Signals, seconds: float = 5) -> None:
    """Signal what is left until nothing is, or the time is over; what was stopped goes on."""
    patience, asked = time.monotonic() + seconds, set[Process]()
    while (found := set(left())) and time.monotonic() < patience:
        for process in found - asked:
            process.send(ask)
            process.send(signal.SIGCONT)
        asked |= found
        time.sleep(0.05)


def members_of(session: int) -> Iterator[Process]:
    """The processes of a session."""
    for pid in _numbers():
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) == session and (process := Process.of(pid)):
                yield process


def holders(logs: Path) -> dict[str, set[Process]]:
    """Who holds NAME.held of a folder open to write, by NAME, with all others of their sessions.

    Who only reads, such as `tail -f logs/*`, holds nothing. A file that was removed since counts as
    well. Without a /proc nobody is found.
    """
    place = f"{logs.resolve()}/"
    found: dict[str, set[Process]] = {}
    sessions: dict[int, str] = {}
    for pid in _numbers():
        for number, held in _open_files(pid):
            ours = held.startswith(place) and held.endswith(HELD)
            if ours and _is_written(pid, number):
                name = held[len(place) : -len(HELD)]
                with contextlib.suppress(ProcessLookupError):
                    sessions[os.getsid(pid)] = name
                if pid != os.getpid() and (process := Process.of(pid)):
                    found.setdefault(name, set()).add(process)
    sessions.pop(os.getsid(0), None)  # the session that starts something
    for session, name in sessions.items():
        found.setdefault(name, set()).update(members_of(session))
    return {name: processes for name, processes in found.items() if processes}


def _numbers() -> list[int]:
    """Of all processes; any of them may be gone by the time that it is looked at."""
    names = (entry.name for entry in _PROC.glob("[0-9]*"))
    return [int(name) for name in names if name.isdigit()]


def _open_files(pid: int) -> Iterator[tuple[str, str]]:
    """The descriptors of a process, and the files behind them."""
    with contextlib.suppress(OSError):
        for entry in _PROC.joinpath(str(pid), "fd").iterdir():
            with contextlib.suppress(OSError):
                yield entry.name, str(entry.readlink()).removesuffix(" (deleted)")


def _is_written(pid: int, number: str) -> bool:
    """Whether a descriptor of a process was opened to write."""
    with contextlib.suppress(OSError):
        told = _PROC.joinpath(str(pid), "fdinfo", number).read_text()
        flags = int(told.partition("flags:")[2].split()[0], 8)
        return flags & os.O_ACCMODE != os.O_RDONLY
    return False


def any_works_in(folder: Path) -> bool:
    """Whether it is the working directory of a process; without a /proc, it may be."""
    place = str(folder.resolve())
    for pid in _numbers():
        with contextlib.suppress(OSError):
            if str(_PROC.joinpath(str(pid), "cwd").readlink()) == place:
                return True
    return not _PROC.exists()


def _fields(pid: int) -> list[str]:
    """What the kernel tells of a process, where it has a /proc."""
    try:
        text = Path(_PROC, str(pid), "stat").read_text()
    except OSError:
        return []
    return text.rpartition(")")[2].split()
