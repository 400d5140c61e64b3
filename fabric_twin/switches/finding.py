"""Finding the driver of a target: the entry-point group `fabric_twin.switches`."""

from functools import cache
from importlib.metadata import entry_points
from typing import cast

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.extras import require_extra
from fabric_twin.switches.driver import (
    GROUP,
    Access,
    CubeReader,
    Driver,
    Patience,
    SwitchDriver,
    Target,
)


def open_switch(target: Target, access: Access, patience: Patience) -> SwitchDriver:
    """A conversation with a switch, by the driver that its target names."""
    return find_driver(target.driver)(target, access, patience)


def open_cube(target: Target, access: Access, patience: Patience) -> CubeReader:
    """A conversation with a cube: OpenConfig over gNMI."""
    require_extra("fabric", "grpc", where=target.called)
    from fabric_twin.switches.openconfig_cube import OpenConfigCube

    return OpenConfigCube(target, access, patience)


def driver_names() -> list[str]:
    """The names of all drivers that are installed."""
    return sorted({entry.name for entry in entry_points(group=GROUP)})


@cache
def find_driver(name: str) -> Driver:
    """The driver of this name, or a refusal that says which there are."""
    entries = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if not entries:
        raise UnusableInput(
            f"there is no driver {name[:60]!r}",
            where="driver",
            remedy=f"Use one of {', '.join(driver_names())}",
        )
    if len(entries) > 1:
        raise UnusableInput(
            f"{' and '.join(sorted(entries))} both bring a driver of this name",
            where=f"driver {name}",
            remedy="Uninstall all but one of the packages",
        )
    [entry] = entries.values()
    if entry.value.startswith("fabric_twin."):
        require_extra("fabric", "grpc", where=f"driver {name}")
    try:
        return cast("Driver", entry.load())
    except Exception as error:  # somebody else's package may fail in any way
        raise UnusableInput(
            f"it cannot be loaded from {entry.value} ({type(error).__name__}: {error})",
            where=f"driver {name}",
            remedy="Mend or uninstall the package that brings it",
        ) from error
