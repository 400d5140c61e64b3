"""A rack from the front, with the device that hands go to: where, at a glance.

48 |            |
25 | c007-t09   |
22 | c007-t08 <-|   the step is here
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.core.orders.floor import RACK_UNITS, Floor
from fabric_twin.documents.sheet import Document, table


@dataclass(frozen=True)
class Mounted:
    """A device in its rack: the lowest of the units that it takes, and how many they are."""

    device: str
    unit: int
    units: int
    #: Ports that are named, where the device is the one that is meant.
    ports: tuple[str, ...] = ()
    meant: bool = False

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        return "owner-2" if self.meant else "free"


@dataclass(frozen=True)
class RackMap:
    """The drawing's facts."""

    rack: str
    units: int
    devices: tuple[Mounted, ...]


def rack_map(
    floor: Floor, rack: str, device: str = "", ports: Sequence[str] = (), units: int = RACK_UNITS
) -> Document:
    """A rack, and in it a device and some of its ports."""
    inside = sorted(
        (floor.unit_of.get(name, 1), name) for name, of in floor.rack_of.items() if of == rack
    )
    tops = [unit for unit, _ in inside[1:]] + [units + 1]
    devices = tuple(
        Mounted(
            name, unit, max(1, top - unit), tuple(ports) if name == device else (), name == device
        )
        for (unit, name), top in zip(inside, tops, strict=True)
    )
    where = f"{rack}, {floor.spot(rack)}"
    return Document(
        kind="rack-map",
        name=rack,
        title=f"{where}: {device}" if device else where,
        lines=tuple(f"port {port}" for port in ports),
        tables=(table("Devices", "unit,device", ((d.unit, d.device) for d in devices)),),
        drawing=RackMap(rack, units, devices),
    )
