"""The groups of a cluster as they stand, in rows and columns, and the findings at each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.groups.labels import group_label
from fabric_twin.core.slices.slot_use import (
    FREE,
    IN_JOB,
    IN_SLICE,
    NO_CUBE,
    NO_GROUP,
    PARTS_ONLY,
    SMALL_JOBS_ONLY,
)
from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.pods.slot_map import Slot, SlotCell, SlotMap, look_of
from fabric_twin.documents.sheet import Document, table

#: Words for groups, drawn as those for cubes are.
_AS_OF_CUBES = {IN_JOB: IN_SLICE, SMALL_JOBS_ONLY: PARTS_ONLY, NO_GROUP: NO_CUBE}


class GroupCell(SlotCell):
    """A group as it is drawn: in the colour of its job, else as a cube that is used so."""

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        return super().look if self.owners else _look(self.slot.use)

    @property
    def word(self) -> str:
        """How it is used, where the colour alone does not tell."""
        return "" if self.slot.use in {IN_JOB, FREE, NO_GROUP} else self.slot.use


def group_grid(
    cluster: str,
    slots: Sequence[Slot],
    grid: NDArray[np.int32],
    letters: Mapping[str, str],
    gaps: tuple[str, ...] = (),
) -> Document:
    """The groups of a cluster; `grid` has the slot at each column and row, `letters` are jobs'."""
    columns, _ = grid.shape
    jobs = [name for slot in slots for name in slot.slices]
    of = owners(jobs, letters)
    many = Counter(slot.use for slot in slots)
    drawn = [slots[number - 1] for number in grid.T.ravel().tolist()]
    there = sum(bool(slot.rack) for slot in slots)
    return Document(
        kind="slot-map",
        name=cluster,
        title=f"Groups of cluster {cluster}",
        lines=(f"{there:,} of {len(slots):,} groups stand", *gaps),
        tables=(table("Groups", "slot,rack,status,use,jobs,findings", map(_row, slots)),),
        drawing=SlotMap(
            across=columns,
            together=columns,
            cells=tuple(
                GroupCell(_named(slot, cluster, columns), tuple(of[name] for name in slot.slices))
                for slot in drawn
            ),
            counts=tuple((use, _look(use), number) for use, number in many.items()),
            owners=tuple((of[name], jobs.count(name)) for name in of if name in jobs),
            marks=frozenset(SlotCell(slot, ()).unseen for slot in slots if slot.findings),
            part="group",
        ),
        gaps=gaps,
    )


def _row(slot: Slot) -> tuple[str | int, ...]:
    jobs = ", ".join(slot.slices)
    return slot.number, slot.rack, slot.status, slot.use, jobs, slot.findings


def _named(slot: Slot, cluster: str, columns: int) -> Slot:
    """A place with the name of its group within the cluster; where none is seen, by the rule."""
    own = slot.rack.removeprefix(f"{cluster}-") if slot.status else ""
    return replace(slot, name=own or group_label(slot.number - 1, columns))


def _look(use: str) -> str:
    return look_of(_AS_OF_CUBES.get(use, use))
