"""The cables that a loading asks for: the rule's, or those of a cut sheet, unchanged."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from nautobot.dcim.models import Cable

from fabric_twin.core.cabling.plant import Intended, recorded_plant
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.pods.names import Names
from fabric_twin.core.topology.network import LONGEST_CABLE_M
from fabric_twin.inventory.cutsheet import CONNECTED, read_cut_sheet
from fabric_twin.repositories.cable_lengths import centimetres
from fabric_twin.repositories.cable_reading import CableRecord, End, as_text
from fabric_twin.repositories.hardware_types import status


@dataclass(frozen=True)
class WantedCable:
    """A cable as it is to be recorded."""

    name: str
    a: End
    b: End
    status: str = CONNECTED
    #: Centimetres, where somebody measured it; as a cable's record keeps them.
    length: int | None = None
    printed: str = ""
    crossed: bool = False

    def is_(self, names: Names, there: CableRecord) -> bool:
        """Whether a cable of the inventory is this one, in all that is written of it."""
        mine = (self.status, self.length, self.printed, self.crossed)
        theirs = (there.status.lower(), centimetres(there.length_m), there.printed, there.crossed)
        ends = [as_text(names, end) for end in (self.a, self.b)]
        return mine == theirs and ends == [as_text(names, end) for end in (there.a, there.b)]


@dataclass(frozen=True)
class Sheet:
    """What a cut sheet says of a pod."""

    cables: list[WantedCable]
    #: The slots that it names.
    slots: frozenset[int]
    #: How many rows were wholly of other pods.
    others: int


def cables_of_rule(
    intended: Intended, slots: Collection[int], *, of_switches: bool = False
) -> list[WantedCable]:
    """The cables that the rule wants for the cubes in some slots, or also between switches."""
    slot, names = intended.names.layout.slot, intended.names
    near, far = slot[intended.a].tolist(), slot[intended.b].tolist()
    chosen = set(slots)
    joins = [of_switches and not one and not other for one, other in zip(near, far, strict=True)]
    ends = zip(names.cables(intended.a), intended.a.tolist(), intended.b.tolist(), strict=True)
    return [
        WantedCable(name, a, b, length=_length(intended, a))
        for (name, a, b), one, other, joined in zip(ends, near, far, joins, strict=True)
        if one in chosen or other in chosen or joined
    ]


def _length(intended: Intended, port: int) -> int | None:
    metres = intended.lengths[port] if port < len(intended.lengths) else 0.0
    return centimetres(f"{metres:.2f}") if metres else None


def cables_of_sheet(data: bytes, source: str, names: Names) -> Sheet:
    """The cables of a sheet, mistakes and all; a sheet that cannot be read is refused whole."""
    rules = {"length_m": _no_length, "status": _no_status}
    sheet = read_cut_sheet(data, source, lambda _: None, written=True, every=True, rules=rules)
    plant = recorded_plant(names, *sheet.columns)
    status_of = dict(zip(sheet.cable, sheet.status, strict=True))
    crossed = set(plant.crossed)
    cables = []
    for row, (name, a, b) in enumerate(_ends(plant)):
        about = name if name in status_of else f"{name}:1"
        length, printed = sheet.written.get(about, ("", ""))
        cables.append(
            WantedCable(name, a, b, status_of[about], centimetres(length), printed, row in crossed)
        )
    if not cables:
        raise UnusableInput(
            f"no cable in it is of the {names.noun} {names.pod}",
            where=source,
            remedy=f"Name the {names.noun} as the sheet's devices do",
        )
    layout = names.layout
    ports = [end for cable in cables for end in (cable.a, cable.b) if isinstance(end, int)]
    slots = {int(layout.slot[port]) for port in ports if port < layout.cube_ports}
    return Sheet(cables, frozenset(slots), plant.others)


def _ends(plant: Recorded) -> list[tuple[str, End, End]]:
    """Name and ends of every row, loose strands last."""
    rows: list[tuple[str, End, End]] = []
    columns = (plant.cables, plant.a.tolist(), plant.b.tolist())
    for row, (name, a, b) in enumerate(zip(*columns, strict=True)):
        written = plant.written.get(row, ("", "", "", ""))
        rows.append((name, a if a >= 0 else written[:2], b if b >= 0 else written[2:]))
    rows += [(row[0], row[1:3], row[3:5]) for row in plant.loose]
    doubled = [name for name, times in Counter(name for name, _, _ in rows).items() if times > 1]
    if doubled:  # a pair of strands and a whole cable may come to one name
        raise UnusableInput(
            f"the cable {doubled[0]!r} is there whole and as strands",
            where=doubled[0],
            remedy="Give every cable a name of its own",
        )
    return rows


def _no_length(cell: str) -> tuple[str, str] | None:
    try:
        centimetres(cell)
    except ValueError:
        what = f"{cell[:40]!r} is not a length that a cable can have"
        return what, f"Write metres from 0.01 to {LONGEST_CABLE_M:,}"
    return None


def _no_status(cell: str) -> tuple[str, str] | None:
    try:
        status(Cable, cell or CONNECTED)
    except UnusableInput as refusal:
        return refusal.what, refusal.remedy
    return None
