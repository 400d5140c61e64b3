"""Designs are found by entry point, ours and anybody's: group `fabric_twin.designs`."""

from difflib import get_close_matches
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points

from fabric_twin.core.design import Design
from fabric_twin.core.errors import DesignRefused, UnusableInput

GROUP = "fabric_twin.designs"


def design_names() -> list[str]:
    """The names of all designs that are installed."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


def find_design(name: str) -> Design:
    """The design of this name, or a refusal that says which there are."""
    entries = _ours(name) or list(entry_points(group=GROUP, name=name))
    if not entries:
        names = design_names()
        near = get_close_matches(name, names, n=1)
        raise UnusableInput(
            f"there is no design {name[:60]!r}",
            where="design",
            remedy=f"Perhaps {near[0]} is meant" if near else f"Use one of {', '.join(names)}",
        )
    if len({entry.value for entry in entries}) > 1:
        packages = sorted(entry.dist.name for entry in entries if entry.dist)
        raise DesignRefused(
            f"the packages {', '.join(packages)} all bring a design of this name",
            where=f"design {name}",
            remedy="Uninstall all but one of them",
        )
    return _load(entries[0])


def _ours(name: str) -> list[EntryPoint]:
    """A design of this package: found at once, where a search of all packages takes longer."""
    try:
        return list(distribution("fabric-twin").entry_points.select(group=GROUP, name=name))
    except PackageNotFoundError:  # run from a checkout that is not installed
        return []


def _load(entry: EntryPoint) -> Design:
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
