"""The slot map of a pod: how every slot is used, and which slices have it.

[ 1 C ][ 2 C !1 ][ 3   ][ 4 held ]    C is the slice whose letter it is, !1 one finding
[ 5 CD][ 6 out  ]                     C and D share cube 5

Slots of a static pod stand as its grid: X to the right, Y down, layers of Z side by side.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.slices.slot_use import FREE, IN_SLICE, NO_CUBE, OUT, in_order
from fabric_twin.documents.pods.legend import Owner, owners
from fabric_twin.documents.sheet import Document, table

#: Slots in a row of the drawing; and the most in a row or column of a grid that is drawn as such.
ACROSS, WIDEST = 16, 32
#: How a use is drawn, where no slice gives a colour.
LOOKS = {IN_SLICE: "owner-1", FREE: "free", OUT: "unhealthy", NO_CUBE: "empty"}
SPARE = "spare"


def look_of(use: str) -> str:
    """How a use is drawn, where no slice gives a colour."""
    return LOOKS.get(use, SPARE)


@dataclass(frozen=True)
class Slot:
    """A slot and what stands there."""

    number: int
    rack: str = ""
    #: The status of its cube in lower case: active, draining, ...
    status: str = ""
    #: How it is used, in a word.
    use: str = NO_CUBE
    #: What keeps it from being free, where that is not plain.
    why: str = ""
    slices: tuple[str, ...] = ()
    #: How many findings are there, and how many of these are not seen since.
    findings: int = 0
    unseen: int = 0
    #: What it is called, where its number is not what people say.
    name: str = ""

    @property
    def summary(self) -> str:
        """All of it in a line."""
        parts = [f"slot {self.number}", self.rack, self.status]
        parts += [self.use] * (self.use not in {self.status, IN_SLICE})
        parts += [self.why, *self.slices]
        parts += [f"{self.findings} finding{'s' * (self.findings != 1)}"] * bool(self.findings)
        parts += [f"{self.unseen} of them not seen since"] * bool(self.unseen)
        return ", ".join(filter(None, parts))


@dataclass(frozen=True)
class SlotCell:
    """A slot as it is drawn."""

    slot: Slot
    owners: tuple[Owner, ...]

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        if self.owners and self.slot.use != OUT:
            return f"owner-{self.owners[0].colour if len(self.owners) == 1 else 0}"
        return look_of(self.slot.use)

    @property
    def unseen(self) -> bool:
        """Whether there are findings, and none that the last look saw."""
        return 0 < self.slot.findings == self.slot.unseen

    @property
    def letters(self) -> str:
        """Whose it is; a shared cube names two and counts the others."""
        shown = " ".join(owner.letter for owner in self.owners[:2])
        return f"{shown}+{len(self.owners) - 2}" if len(self.owners) > 2 else shown

    @property
    def word(self) -> str:
        """The word under the number, where the colour alone does not tell the use."""
        if self.slot.use == IN_SLICE:
            return "" if self.slot.status == "active" else self.slot.status
        return "" if self.slot.use == FREE else self.slot.use


@dataclass(frozen=True)
class SlotMap:
    """The drawing's facts."""

    across: int
    #: How many slots of a row stand together: those of a layer of a grid.
    together: int
    cells: tuple[SlotCell, ...]
    #: Each use, how it looks and how many slots are used so.
    counts: tuple[tuple[str, str, int], ...]
    #: Each slice and how many cubes it stands on.
    owners: tuple[tuple[Owner, int], ...]
    #: The marks of findings that there are: for each, whether none of its findings is seen since.
    marks: frozenset[bool]
    #: What stands in a slot.
    part: str = "cube"


def slot_map(
    pod: str,
    slots: Sequence[Slot],
    letters: Mapping[str, str] | None = None,
    gaps: tuple[str, ...] = (),
    grid: NDArray[np.int32] | None = None,
) -> Document:
    """The slots of a pod; `letters` has those that are recorded of slices, `grid` the slot at each
    place of a static pod."""
    names = [name for slot in slots for name in slot.slices]
    of = owners(names, letters)
    across, together, order = _rows(len(slots), grid)
    drawn = (slots[at - 1] for at in order)
    cells = tuple(SlotCell(slot, tuple(of[name] for name in slot.slices)) for slot in drawn)
    many = Counter(slot.use for slot in slots)
    uses = in_order({*many, IN_SLICE, FREE})
    return Document(
        kind="slot-map",
        name=pod,
        title=f"Slots of pod {pod}",
        lines=(f"{len(slots) - many[NO_CUBE]} of {len(slots)} slots have a cube", *gaps),
        tables=(table("Slots", "slot,rack,status,use,why,slices,findings", map(_row, slots)),),
        drawing=SlotMap(
            across=across,
            together=together,
            cells=cells,
            counts=tuple((use, look_of(use), many[use]) for use in uses),
            owners=tuple((of[name], names.count(name)) for name in of if name in names),
            marks=frozenset(cell.unseen for cell in cells if cell.slot.findings),
        ),
        gaps=gaps,
    )


def _rows(many: int, grid: NDArray[np.int32] | None) -> tuple[int, int, Sequence[int]]:
    """How many slots are in a row, how many of them stand together, and which, row by row."""
    if grid is not None:
        layers = np.atleast_3d(grid).transpose(1, 2, 0)
        rows = layers.reshape(len(layers), -1)
        if max(rows.shape) <= WIDEST:
            return rows.shape[1], layers.shape[2], rows.ravel().tolist()
    across = min(ACROSS, many)
    return across, across, range(1, many + 1)


def _row(slot: Slot) -> tuple[str | int, ...]:
    slices = ", ".join(slot.slices)
    return slot.number, slot.rack, slot.status, slot.use, slot.why, slices, slot.findings
