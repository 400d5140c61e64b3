"""Files in and out, and whole folders of them; `-` is standard input or output."""

import contextlib
import fcntl
import io
import json
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.json_files import LARGEST

STANDARD_INPUT, STANDARD_OUTPUT = "standard input", "standard output"


def read_file(path: str, largest: int = LARGEST) -> tuple[bytes, str]:
    """The bytes of a file and what to call it; at most one byte more than the largest allowed."""
    source = STANDARD_INPUT if path == "-" else path
    try:
        if path == "-":
            if sys.stdin is None:
                raise OSError(0, "it is closed")
            return sys.stdin.buffer.read(largest + 1), source
        with Path(path).open("rb") as file:
            return file.read(largest + 1), source
    except (OSError, ValueError) as error:
        raise UnusableInput(
            f"it cannot be read ({_reason(error)})",
            where=source,
            remedy="Name a file that is there and may be read",
        ) from None


def refuse_overwriting(output: str, *inputs: str | None) -> None:
    """Refuse an output that is one of the inputs, by whatever name."""
    for path in inputs:
        if path is None or output == "-":
            continue
        with contextlib.suppress(OSError, ValueError, AttributeError):
            read = os.fstat(sys.stdin.fileno()) if path == "-" else Path(path).stat()
            if stat.S_ISREG(read.st_mode) and os.path.samestat(read, Path(output).stat()):
                raise UnusableInput(
                    "it would be overwritten, and is what is read",
                    where=output,
                    remedy="Choose another --output",
                )


@contextlib.contextmanager
def alone(path: str | None, read: str | None) -> Iterator[None]:
    """Let one command at a time change the file that it reads: others wait, and read what it wrote.

    Its folder is what is held, so that nothing is left behind; a disk that cannot be held is not.
    """
    try:
        same = bool(path and read) and Path(str(path)).samefile(str(read))
    except (OSError, ValueError):
        same = False
    if not (path and same):
        yield
        return
    try:
        folder = os.open(Path(path).resolve().parent, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):  # the writing says so
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextlib.contextmanager
def writing(path: str) -> Iterator[TextIO]:
    """A file to write to, which changes only when all of it is there.

    A file is replaced by a whole new one of the same mode. A link, a device or a pipe is not
    replaced but written to, when all of the text is known.
    """
    if path == "-":
        yield standard_output()
        return
    if not path:  # a variable that is not set
        raise UnusableInput("it has no name", where="--output", remedy="Name a file")
    target = Path(path)
    with may_be_written(path, "Name a file in a folder that may be written to"):
        if target.is_symlink() or (target.exists() and not target.is_file()):
            text = io.StringIO(newline="")
            yield text
            with target.open("w", encoding="utf-8", newline="") as out:
                out.write(text.getvalue())
        else:
            yield from _replacing(target)


@contextlib.contextmanager
def may_be_written(path: str, remedy: str) -> Iterator[None]:
    """Write there, or say why that cannot be."""
    try:
        yield
    except (OSError, ValueError) as error:
        what = f"it cannot be written ({_reason(error)})"
        raise UnusableInput(what, where=path, remedy=remedy) from None


def write_json(content: Any, out: TextIO) -> None:
    """An object for programs, that people can read too."""
    out.write(json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_bytes(content: bytes, path: str) -> None:
    """Write what is not text: paper, or a server's own file, to the byte."""
    if path == "-":
        sys.stdout.buffer.write(content)
        return
    with may_be_written(path, "Name a file in a folder that may be written to"):
        Path(path).write_bytes(content)


def standard_output() -> TextIO:
    """Standard output, or a refusal where it is closed."""
    if sys.stdout is None:
        raise UnusableInput(
            "it is closed", where=STANDARD_OUTPUT, remedy="Open it, or name a file with --output"
        )
    return sys.stdout


def _replacing(target: Path) -> Iterator[TextIO]:
    if target.exists():
        mode = stat.S_IMODE(target.stat().st_mode)
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".fabric-twin-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            yield out
        draft.chmod(mode)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


_FOLDER = "Name a folder that may be written to"


@contextlib.contextmanager
def writing_into(path: str) -> Iterator[Callable[[str, bytes], None]]:
    """A function that writes a file of a name; `-` is standard output."""
    if path == "-":
        yield lambda _name, content: _write_out(content)
        return
    if not path:  # a variable that is not set, and not the folder one stands in
        raise UnusableInput(
            "it has no name", where="--output", remedy="Name a folder, or . for here"
        )
    folder = Path(path)
    made = not folder.exists()
    with may_be_written(path, _FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
        drafts = tempfile.TemporaryDirectory(dir=folder, prefix=".fabric-twin-")
    try:
        with drafts as name:
            yield lambda file, content: _draft(path, Path(name) / file, content)
            with may_be_written(path, _FOLDER):
                for draft in sorted(Path(name).iterdir()):
                    draft.replace(folder / draft.name)
    except BaseException:
        if made:
            with contextlib.suppress(OSError):  # something else is in it by now
                folder.rmdir()
        raise


def _draft(path: str, draft: Path, content: bytes) -> None:
    with may_be_written(path, _FOLDER):
        draft.write_bytes(content)


def _write_out(content: bytes) -> None:
    out = standard_output()
    out.buffer.write(content)
    out.flush()
