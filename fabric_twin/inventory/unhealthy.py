"""What is unhealthy, as a file of what is in use says it."""

from typing import Any

from fabric_twin.core.circuits.unhealthy import Port, Unhealthy, numbers_of
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import Names
from fabric_twin.inventory.json_files import list_of, read_object, unlike

_SHAPE = (
    '{"unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]], '
    '"switches": ["iw1-ocs-y-1-1"]}}'
)

_KEYS = {"slots", "ports", "switches"}


def read_unhealthy(data: bytes, source: str, names: Names) -> Unhealthy:
    """Read what is unhealthy from an in-use file; its slices are left alone."""
    return unhealthy_of(read_object(data, source, _SHAPE), source, names)


def unhealthy_of(content: dict[str, Any], source: str, names: Names) -> Unhealthy:
    """What is unhealthy in an in-use file that was read."""
    if not content.keys() & {"slices", "unhealthy"}:
        raise unlike('there is neither "slices" nor "unhealthy"', source, _SHAPE)
    given = content.get("unhealthy", {})
    if isinstance(given, dict) and (odd := sorted(given.keys() - _KEYS)):
        raise unlike(f'"unhealthy" has no {odd[0][:40]!r}', source, _SHAPE)
    if not isinstance(given, dict):
        raise unlike('"unhealthy" is not an object', source, _SHAPE)
    slots, ports, switches = (
        list_of(given, key, source, _SHAPE) for key in ("slots", "ports", "switches")
    )
    where = f"{source}, unhealthy"
    of_switches = (
        port
        for n, row in enumerate(switches, 1)
        for port in _ports_of(row, f"{where} switch {n}", names)
    )
    return Unhealthy(
        frozenset(slot_of(row, f"{where} slot {n}", names) for n, row in enumerate(slots, 1)),
        frozenset(_port(row, f"{where} port {n}", names) for n, row in enumerate(ports, 1)).union(
            of_switches
        ),
    )


def slot_of(slot: Any, where: str, names: Names) -> int:
    """A slot that the pod has."""
    if type(slot) is not int or not 1 <= slot <= names.layout.slots:
        raise UnusableInput(
            f"{slot!r:.40} is not a slot from 1 to {names.layout.slots}",
            where=where,
            remedy="Name slots that the design has",
        )
    return slot


def _ports_of(switch: Any, where: str, names: Names) -> list[Port]:
    """Every port of a switch that is out whole."""
    if not isinstance(switch, str) or switch not in names.switches:
        raise UnusableInput(
            f"the design has no switch {switch!r:.60}",
            where=where,
            remedy="Name a switch as a cut sheet does",
        )
    return [(switch, port) for port in names.layout.port_names[names.layout.ports_per_cube :]]


def _port(row: Any, where: str, names: Names) -> Port:
    if not (isinstance(row, list) and len(row) == 2 and all(isinstance(c, str) for c in row)):
        raise unlike("this is not a device and a port", where, _SHAPE)
    device, port = row
    if not numbers_of(names, (device, port)):
        raise UnusableInput(
            f"the design has no port {port[:40]!r} of a device {device[:60]!r}",
            where=where,
            remedy="Name a device and a port as a cut sheet does",
        )
    return device, port
