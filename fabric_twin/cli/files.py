"""Files in and out; `-` is standard input or output."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from fabric_twin.core.errors import UnusableInput


def read_file(path: str, largest: int) -> tuple[bytes, str]:
    """The bytes of a file and what to call it; at most one byte more than the largest allowed."""
    if path == "-":
        return sys.stdin.buffer.read(largest + 1), "standard input"
    try:
        with Path(path).open("rb") as file:
            return file.read(largest + 1), path
    except (OSError, ValueError) as error:
        raise UnusableInput(
            f"it cannot be read ({_reason(error)})",
            where=path,
            remedy="Name a file that is there and may be read",
        ) from None


@contextlib.contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """A file to write to, which takes its name only when it is whole."""
    if path == "-":
        yield sys.stdout
        return
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            with target.open("w", encoding="utf-8", newline="") as out:
                yield out
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            yield out
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o666 & ~mask)
        draft.replace(target)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        draft.unlink(missing_ok=True)


def _unwritable(path: str, error: Exception) -> UnusableInput:
    return UnusableInput(
        f"it cannot be written ({_reason(error)})",
        where=path,
        remedy="Name a file in a folder that may be written to",
    )


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
