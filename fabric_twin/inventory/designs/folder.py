"""A folder of design files: the design `pod-150` is the file `pod-150.yaml` in it.

Every process reads a file when it first needs the design, and again when the file has changed, so
all of them see the same designs without being started again.
"""

from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

from fabric_twin.core.design import Design
from fabric_twin.core.designs import installed_names, is_name
from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.inventory.designs.design_file import read_design
from fabric_twin.inventory.designs.yaml_lines import LARGEST, SUFFIX

#: What tells that a file is not the one that was read: which it is, how long, when it was written.
_Version = tuple[int, int, int, int, int]


class _Unreadable(UnusableInput):
    """A file that the system does not let us read."""


class DesignFolder:
    """The designs of one folder, read as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: dict[str, tuple[_Version, Design | FabricTwinError]] = {}

    def names(self) -> list[str]:
        """The names of its files; none where there is no such folder."""
        try:
            files = list(self.path.iterdir())
        except OSError:
            return []
        return sorted(f.stem for f in files if f.suffix == SUFFIX and is_name(f.stem))

    def find(self, name: str) -> Design | None:
        """The design of a file, or its refusal; None where there is no such file."""
        if not is_name(name):
            return None
        path = self.path / f"{name}{SUFFIX}"
        try:
            at = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            self._read.pop(name, None)
            return None
        except OSError as error:
            raise _unreadable(path, error) from None
        version = (at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns)
        before, found = self._read.get(name, (None, None))
        if found is None or before != version:
            found = _read(path)
            if not isinstance(found, _Unreadable):  # what is let be read is no other file
                self._read[name] = version, found
        if isinstance(found, FabricTwinError):
            raise _first_of(found)
        return found

    def refusals(self) -> Iterator[FabricTwinError]:
        """What is wrong: a folder that cannot be read, or each file that is no design to use."""
        try:
            files = sorted(self.path.iterdir())
        except OSError as error:
            yield UnusableInput(
                f"the folder cannot be read ({(error.strerror or '?').lower()})",
                where=str(self.path),
                remedy="Let all that use it read it, or correct what names it",
            )
            return
        for path in files:
            if path.name.startswith("."):
                continue  # an editor's, or another program's
            if path.suffix == ".yml":
                yield UnusableInput(
                    "it is not read", where=str(path), remedy=f"Call it {path.stem}{SUFFIX}"
                )
            elif path.suffix == SUFFIX and path.stem in installed_names():
                yield UnusableInput(
                    "an installed package brings a design of this name, and that is used",
                    where=str(path),
                    remedy="Give yours another name",
                )
            elif path.suffix == SUFFIX and isinstance(found := _read(path), FabricTwinError):
                yield found


def folder_of(given: object, where: str) -> DesignFolder | None:
    """The folder that a setting names; none where it is empty."""
    if given is None or given == "":
        return None
    if not isinstance(given, str | Path) or not Path(given).is_absolute():
        raise UnusableInput(
            f"{str(given)[:60]!r} is not the whole path of a folder",
            where=where,
            remedy="Write it like /srv/fabric-designs, or None",
        )
    return DesignFolder(Path(given))


def _first_of(refusal: FabricTwinError) -> FabricTwinError:
    """A refusal for who only wants to use the design: one sentence, of many mistakes the first."""
    if not refusal.details:
        return refusal.with_traceback(None)
    return UnusableInput(
        f"{refusal.what}, the first on {refusal.details[0].rstrip('.')}",
        where=refusal.where,
        remedy=f"`fabric-twin designs --check {refusal.where}` lists them all",
    )


def _read(path: Path) -> Design | FabricTwinError:
    try:
        if not S_ISREG(path.stat().st_mode):
            raise UnusableInput("it is not a file", where=str(path), remedy="Take it away")
        with path.open("rb") as file:
            return read_design(file.read(LARGEST + 1), str(path))
    except OSError as error:
        return _unreadable(path, error)
    except FabricTwinError as refusal:
        return refusal
    except Exception as error:  # noqa: BLE001 - one file takes no page, job or command down
        return UnusableInput(
            f"no pod can be laid out by it ({type(error).__name__})",
            where=str(path),
            remedy="Write it more simply, as docs/design-files.md shows",
        )


def _unreadable(path: Path, error: OSError) -> _Unreadable:
    return _Unreadable(
        f"it cannot be read ({(error.strerror or '?').lower()})",
        where=str(path),
        remedy="Let the web server and all workers read it",
    )
