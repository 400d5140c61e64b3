"""What is being done to circuits, on disk before it is done: so that it can be taken back.

A journal is there while circuits are not as they were. It says what to remove and what to
put back, even after a crash of program or machine.
"""

import contextlib
import fcntl
import json
import os
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.inventory.json_files import LARGEST, list_of, read_object, text_of

_SHAPE = '{"version": 1, "pod": "iw1", "removed": [CIRCUIT, ..], "set": [CIRCUIT, ..]}'


@dataclass(frozen=True)
class Noted:
    """What a journal says."""

    pod: str
    #: Circuits that were there and were taken away, or are about to be.
    removed: frozenset[Circuit]
    #: Circuits that were set, or are about to be; they were not there before.
    set: frozenset[Circuit]


class Journal:
    """One file that is written whole, and is on the disk when writing returns."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep others out for as long as this lasts; the lock of a process that dies is free."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise NotPossible(
                    "another discovery of this pod is under way",
                    where=str(self),
                    remedy="Wait until it is done",
                ) from None
            yield
        finally:
            os.close(lock)

    def read(self) -> Noted | None:
        """What is noted, if anything is."""
        try:
            with self._path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UnusableInput(
                f"it cannot be read ({(error.strerror or '?').lower()})",
                where=str(self),
                remedy="Name a journal that may be read",
            ) from None
        content = read_object(data, str(self), _SHAPE)
        removed, noted = (
            frozenset(circuits_of(list_of(content, key, str(self), _SHAPE, needed=True), str(self)))
            for key in ("removed", "set")
        )
        return Noted(text_of(content, "pod", str(self), _SHAPE), removed, noted)

    def write(self, noted: Noted) -> None:
        """Note it; when this returns, it would survive a loss of power."""
        content = {
            "version": 1,
            "pod": noted.pod,
            "removed": _as_json(noted.removed),
            "set": _as_json(noted.set),
        }
        folder = self._path.parent
        try:
            handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{self._path.name}-")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as out:
                    out.write(json.dumps(content))  # dump() would not use the fast encoder
                    out.flush()
                    os.fsync(out.fileno())
                Path(draft).replace(self._path)
            finally:
                Path(draft).unlink(missing_ok=True)
            _sync(folder)
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Everything is as it was: nothing is left to note."""
        self._path.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> UnusableInput:
        return UnusableInput(
            f"it cannot be written ({(error.strerror or '?').lower()})",
            where=str(self),
            remedy="Name a --journal in a folder that may be written to",
        )


def _as_json(circuits: Collection[Circuit]) -> list[dict[str, Any]]:
    return [{"switch": c.switch, "a": c.a, "b": c.b} for c in sorted(circuits, key=lambda c: c.key)]


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
