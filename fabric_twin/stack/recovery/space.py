"""What is free on the disk that holds the folder: said before it runs out, refused when it has."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import StateFolder

_MB = 1_000_000
#: A first start makes a database and a demo; a later one writes what it is asked for.
FIRST_START, LATER_START = 600 * _MB, 100 * _MB
#: PostgreSQL writes to files of this size: with less it stops.
FULL = 16 * 2**20
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT}


def free_bytes(path: Path) -> int:
    """What another user than root may still write beside a file or folder."""
    there = next(folder for folder in (path, *path.parents) if folder.exists())
    disk = os.statvfs(there)
    return disk.f_bavail * disk.f_frsize


def refuse_without_space(folder: StateFolder) -> None:
    """Refuse a start that would end in the middle."""
    needed = LATER_START if "tables" in folder.done else FIRST_START
    if free_bytes(folder.path) < needed:
        raise _no_space(folder, f", and a start needs {needed // _MB}")


@contextmanager
def space_refused(folder: StateFolder) -> Iterator[None]:
    """Say in words that the disk became full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL_DISK:
            raise
        raise _no_space(folder) from None


def few_bytes(folder: StateFolder) -> str:
    """What to say where little is left; nothing where there is enough."""
    free = free_bytes(folder.path)
    return "" if free >= LATER_START else f"only {free // _MB} MB are free in {folder.path}"


def _no_space(folder: StateFolder, needed: str = "") -> StackRefused:
    return StackRefused(
        f"only {free_bytes(folder.path) // _MB} MB are free{needed}",
        where=str(folder.path),
        remedy="Free some on that disk: dumps in backups/ and logs/*.log.1 may go. What is in "
        "the database stays, and the next `up` goes on",
    )
