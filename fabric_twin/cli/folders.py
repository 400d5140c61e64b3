"""A folder of files that appear all together, or not at all."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from fabric_twin.cli.files import may_be_written, standard_output
from fabric_twin.core.errors import UnusableInput

_REMEDY = "Name a folder that may be written to"


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
    with may_be_written(path, _REMEDY):
        folder.mkdir(parents=True, exist_ok=True)
        drafts = tempfile.TemporaryDirectory(dir=folder, prefix=".fabric-twin-")
    try:
        with drafts as name:
            yield lambda file, content: _draft(path, Path(name) / file, content)
            with may_be_written(path, _REMEDY):
                for draft in sorted(Path(name).iterdir()):
                    draft.replace(folder / draft.name)
    except BaseException:
        if made:
            with contextlib.suppress(OSError):  # something else is in it by now
                folder.rmdir()
        raise


def _draft(path: str, draft: Path, content: bytes) -> None:
    with may_be_written(path, _REMEDY):
        draft.write_bytes(content)


def _write_out(content: bytes) -> None:
    out = standard_output()
    out.buffer.write(content)
    out.flush()
