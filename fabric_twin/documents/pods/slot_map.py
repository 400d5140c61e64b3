"""The slot map of a pod: what stands in every slot, and which slices have it.

[ 1 C ][ 2 C ][ 3   ][ 4 draining ]      C is the slice whose letter it is
[ 5 CD][ 6 - ]                           C and D share cube 5; slot 6 has no cube
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.documents.pods.legend import Owner, owners
from fabric_twin.documents.sheet import Document, table

#: Slots in a row of the drawing.
ACROSS = 16
EMPTY = "empty"


@dataclass(frozen=True)
class Stand:
    """A cube in its slot."""

    rack: str
    #: Its status in lower case: active, draining, ...
    status: str


@dataclass(frozen=True)
class SlotCell:
    """A slot as it is drawn."""

    slot: int
    status: str
    owners: tuple[Owner, ...]
    summary: str

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        if self.status in {"out", EMPTY}:
            return {"out": "unhealthy", EMPTY: "empty"}[self.status]
        if self.owners:
            return f"owner-{self.owners[0].colour if len(self.owners) == 1 else 0}"
        return "free" if self.status == "active" else "spare"

    @property
    def letters(self) -> str:
        """Whose it is; a shared cube names two and counts the others."""
        shown = " ".join(owner.letter for owner in self.owners[:2])
        return f"{shown}+{len(self.owners) - 2}" if len(self.owners) > 2 else shown


@dataclass(frozen=True)
class SlotMap:
    """The drawing's facts."""

    across: int
    cells: tuple[SlotCell, ...]
    counts: tuple[tuple[str, str, int], ...]
    #: Each slice and how many cubes it stands on.
    owners: tuple[tuple[Owner, int], ...]


def slot_map(
    pod: str,
    slots: int,
    stands: Mapping[int, Stand],
    taken: Mapping[int, Sequence[str]],
    letters: Mapping[str, str] | None = None,
) -> Document:
    """The slots of a pod; `taken` names the slices on a cube, `letters` has those recorded."""
    names = [name for on_cube in taken.values() for name in on_cube]
    of = owners(names, letters)
    numbers = range(1, slots + 1)
    cells = tuple(_cell(slot, stands.get(slot), taken.get(slot, ()), of) for slot in numbers)
    return Document(
        kind="slot-map",
        name=pod,
        title=f"Slots of pod {pod}",
        lines=(f"{len(stands)} of {slots} slots have a cube",),
        tables=(
            table(
                "Slots",
                "slot,rack,status,slices",
                (
                    (
                        cell.slot,
                        stands[cell.slot].rack if cell.slot in stands else "",
                        cell.status,
                        ", ".join(owner.name for owner in cell.owners),
                    )
                    for cell in cells
                ),
            ),
        ),
        drawing=SlotMap(
            across=min(ACROSS, slots),
            cells=cells,
            counts=_counts(cells),
            owners=tuple((of[name], names.count(name)) for name in of if name in names),
        ),
    )


def _cell(
    slot: int, stand: Stand | None, names: Sequence[str], of: Mapping[str, Owner]
) -> SlotCell:
    parts = [f"slot {slot}"]
    parts += [stand.rack, stand.status] if stand else ["no cube"]
    parts += sorted(names)
    found = tuple(of[name] for name in sorted(names))
    return SlotCell(slot, stand.status if stand else EMPTY, found, ", ".join(parts))


def _counts(cells: Sequence[SlotCell]) -> tuple[tuple[str, str, int], ...]:
    """What there is, how it looks, and how often."""
    idle = [cell for cell in cells if not cell.owners]
    rows = [("in a slice", "owner-1", len(cells) - len(idle))]
    rows += [("free", "free", sum(cell.status == "active" for cell in idle))]
    others = sorted({cell.status for cell in cells} - {"active", EMPTY, "out"})
    rows += [(status, "spare", sum(c.status == status for c in cells)) for status in others]
    rows += [("out", "unhealthy", sum(cell.status == "out" for cell in cells))]
    rows += [("no cube", "empty", sum(cell.status == EMPTY for cell in cells))]
    return tuple(row for row in rows if row[2] or row[0] in {"in a slice", "free"})
