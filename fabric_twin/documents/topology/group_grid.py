"""The groups of a cluster as they stand, in rows and columns, and the findings at each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.groups.labels import group_label
from fabric_twin.core.slices.slot_use import ACTIVE, FREE, NO_CUBE
from fabric_twin.documents.pods.slot_map import Slot, SlotCell, SlotMap, look_of
from fabric_twin.documents.sheet import Document, table

#: How a place is used where no group stands.
NO_GROUP = "no group"


class GroupCell(SlotCell):
    """A group as it is drawn: one that works as a free cube."""

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        return _look(self.slot.use)

    @property
    def word(self) -> str:
        """How it is used, where it does not simply work."""
        return "" if self.slot.use in {ACTIVE, NO_GROUP} else self.slot.use


def group_grid(
    cluster: str, slots: Sequence[Slot], grid: NDArray[np.int32], gaps: tuple[str, ...] = ()
) -> Document:
    """The groups of a cluster; `grid` has the slot at each column and row."""
    columns, _ = grid.shape
    many = Counter(slot.use for slot in slots)
    drawn = [slots[number - 1] for number in grid.T.ravel().tolist()]
    there = sum(bool(slot.rack) for slot in slots)
    return Document(
        kind="slot-map",
        name=cluster,
        title=f"Groups of cluster {cluster}",
        lines=(f"{there:,} of {len(slots):,} groups stand", *gaps),
        tables=(table("Groups", "slot,rack,status,findings", map(_row, slots)),),
        drawing=SlotMap(
            across=columns,
            together=columns,
            cells=tuple(GroupCell(_named(slot, cluster, columns), ()) for slot in drawn),
            counts=tuple((use, _look(use), number) for use, number in many.items()),
            owners=(),
            marks=frozenset(SlotCell(slot, ()).unseen for slot in slots if slot.findings),
        ),
        gaps=gaps,
    )


def _row(slot: Slot) -> tuple[str | int, ...]:
    return slot.number, slot.rack, slot.status, slot.findings


def _named(slot: Slot, cluster: str, columns: int) -> Slot:
    """A place with the name of its group within the cluster; where none is seen, by the rule."""
    own = slot.rack.removeprefix(f"{cluster}-") if slot.status else ""
    return replace(slot, name=own or group_label(slot.number - 1, columns))


def _look(use: str) -> str:
    return look_of({ACTIVE: FREE, NO_GROUP: NO_CUBE}.get(use, use))
