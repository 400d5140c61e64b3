"""Designs are found by entry point, ours and anybody's: group `fabric_twin.designs`.

A site's own may be files in a folder. Who knows of one says so once, in `look_in`; the core reads
no files. An installed design is never hidden by a file of its name.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from fabric_twin.core.design import Design
from fabric_twin.core.errors import DesignRefused, UnusableInput

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
GROUP = "fabric_twin.designs"


class Folder(Protocol):
    """Where files of designs are, by name."""

    def names(self) -> Iterable[str]:
        """Names that there are files of, whether they can be read or not."""

    def find(self, name: str) -> Design | None:
        """The design in the file of this name; None where there is no file, or a refusal."""


_FOLDERS: dict[str, Folder] = {}


def look_in(whose: str, folder: Folder) -> None:
    """Find the designs of a folder too: one for each who says so, however often."""
    _FOLDERS[whose] = folder


def design_names() -> list[str]:
    """The names of all designs: those that are installed, and those in files."""
    return sorted(installed_names().union(*(folder.names() for folder in _FOLDERS.values())))


def installed_names() -> frozenset[str]:
    """The names of the designs that packages bring."""
    return frozenset(entry.name for entry in _entries())


@cache  # what is installed stays so as long as a process runs
def _entries() -> tuple["EntryPoint", ...]:
    from importlib.metadata import entry_points  # as slow to load as all of our own designs

    return tuple(entry_points(group=GROUP))


def is_name(word: str) -> bool:
    """Whether a word can be the name of a design: small letters, digits, single dashes.

    >>> is_name("tpu-v4-cwdm8"), is_name("--init--"), is_name("../x")
    (True, False, False)
    """
    return len(word) <= 40 and bool(_NAME.fullmatch(word))


def find_design(name: str) -> Design:
    """The design of this name, or a refusal that says which there are."""
    if ours := _ours(name):
        return ours
    entries = [entry for entry in _entries() if entry.name == name]
    if not entries:
        for folder in _FOLDERS.values():
            if design := folder.find(name):
                return design
        from difflib import get_close_matches

        names = design_names()
        near = get_close_matches(name, names, n=1)
        remedy = f"Perhaps {near[0]} is meant" if near else f"Use one of {', '.join(names)}"
        if name.startswith("network"):
            from fabric_twin.core.topology.network import MOST_SWITCHES

            remedy = f"Use network-2 to network-{MOST_SWITCHES}, by how many switches it has"
        raise UnusableInput(f"there is no design {name[:60]!r}", where="design", remedy=remedy)
    if len({entry.value for entry in entries}) > 1:
        packages = sorted(entry.dist.name for entry in entries if entry.dist)
        raise DesignRefused(
            f"the packages {', '.join(packages)} all bring a design of this name",
            where=f"design {name}",
            remedy="Uninstall all but one of them",
        )
    return _load(entries[0])


def _ours(name: str) -> Design | None:
    """A design of this package, by the name of its module: the search of all packages takes longer.

    The entry points name the same modules, and a test holds them to it.
    """
    module = f"{__name__}.{name.replace('-', '_')}"
    if not is_name(name) or find_spec(module) is None:
        return None
    design: Design = import_module(module).DESIGN
    return design


def _load(entry: "EntryPoint") -> Design:
    try:
        design = entry.load()
    except DesignRefused:
        raise
    except Exception as error:  # somebody else's package may fail in any way
        raise DesignRefused(
            f"it cannot be loaded from {entry.value} ({type(error).__name__}: {error})",
            where=f"design {entry.name}",
            remedy="Mend or uninstall the package that brings it",
        ) from error
    if not isinstance(design, Design) or design.name != entry.name:
        raise DesignRefused(
            f"{entry.value} is not a design of that name",
            where=f"design {entry.name}",
            remedy="Let the entry point name a Design whose name is the entry point's",
        )
    return design
