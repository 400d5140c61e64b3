"""Cubes for a slice that may bear switches that are out: whole ones, then those that lost least.

--bear 1    free, whole       1  2  5          as many as are not held back
            lost one index    7  9  12 ..      each join may lack one switch
            lost two          8                never: alone it lacks two
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slices.arrangement import STEPS, arrange, is_borne
from fabric_twin.core.slices.bearing import lost_circuits
from fabric_twin.core.slices.lost_links import Carried, carried_by, lost_by_slot, many
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice
from fabric_twin.core.slices.torus import rings_of

#: No join of two cubes has as many switches.
MOST_BORNE = 1000


def check_bear(bear: int, design: Design, verb: Verb = Verb.BEAR) -> int:
    """How many switches a join may lack, or refuse what nobody can bear."""
    if not 0 <= bear <= MOST_BORNE:
        raise UnusableInput(
            f"a slice cannot bear {str(bear)[:20]} switches",
            where="bear",
            remedy=f"Use 0 to {MOST_BORNE:,}",
        )
    if bear:
        design.check_can(verb, NotPossible)
    return bear


@dataclass(frozen=True, eq=False)
class BearingCubes:
    """The idle cubes of a pod with switches, and what each of them lost."""

    design: Design
    mate: Column
    #: Idle cubes without an unhealthy port, and idle cubes with one.
    whole: Collection[int]
    unhealthy: Collection[int]
    held_back: int
    failed_ports: Collection[int]

    @cached_property
    def _lost(self) -> dict[int, tuple[int, ...]]:
        return dict(lost_by_slot(self.design.layout, self.mate, self.failed_ports))

    @cached_property
    def _carried(self) -> Carried:
        return carried_by(self.design.layout)

    def usable(self, bear: int) -> list[int]:
        """The cubes that a slice may take, the best first; whole ones are held back first."""
        lost, carried = self._lost, self._carried
        whole = sorted(self.whole)
        short = max(0, self.held_back - len(whole))
        bearing = [slot for slot in self.unhealthy if carried.bears_alone(lost[slot], bear)]
        bearing.sort(key=lambda slot: (many(lost[slot]), slot))
        return (
            whole[: max(0, len(whole) - self.held_back)] + bearing[: max(0, len(bearing) - short)]
        )

    def like(self, slots: Collection[int], bear: int) -> list[int]:
        """These cubes, and every other that is usable and lost no more than the worst of them."""
        worst = max(self._many(slot) for slot in slots)
        # One whole cube for another leaves as many to be held back.
        others = [s for s in self.usable(bear) if self._many(s) <= worst] if worst else self.whole
        return sorted({*slots, *others})

    def _many(self, slot: int) -> int:
        return many(self._lost.get(slot, ()))

    def place(self, shape: Shape, bear: int, *, steps: int = STEPS) -> Slice | None:
        """Where a slice of whole cubes would stand, or nothing."""
        grid = shape.grid(self.design.cube)
        cubes = self.usable(bear)
        if len(cubes) < shape.cubes(self.design.cube):
            return None
        rings = rings_of(grid, twisted=shape.twisted)
        slots = arrange(rings, cubes, self._lost, self._carried, bear, steps)
        return self.with_losses(Slice("", shape, slots)) if slots else None

    def bears(self, made: Slice, bear: int) -> bool:
        """Whether every join of a slice lacks at most so many switches."""
        rings = rings_of(made.shape.grid(self.design.cube), twisted=made.shape.twisted)
        return is_borne(rings, made.slots, self._lost, self._carried, bear)

    def with_losses(self, made: Slice) -> Slice:
        """A slice without the circuits that unhealthy ports take from it."""
        lost = lost_circuits(self.design, made, self.mate, self.failed_ports)
        return Slice(made.name, made.shape, made.slots, made.chips, lost)

    def words(self, shape: Shape, bear: int) -> str:
        """What bearing gives, where there are too few cubes: `; if it bears 1 switch: 64`."""
        need, now = shape.cubes(self.design.cube), len(self.usable(bear))
        said = self._with_bear(bear, now) if bear else ""
        if bear and now >= need:
            said += (
                ", but no order of them was found in which every join lacks at most "
                f"{bear} switch{'es' * (bear != 1)}"
            )
        most = max(map(len, self._carried.by_axis))
        counts = {more: len(self.usable(more)) for more in range(bear + 1, most + 1)}
        enough = (more for more, count in counts.items() if count >= need)
        better = next((more for more in enough if self.place(shape, more)), 0)
        if not better and now < max(counts.values(), default=0) < need:
            better = max(counts, key=lambda more: (counts[more], -more))
        return said + (self._with_bear(better, counts[better]) if better else "")

    def _with_bear(self, bear: int, count: int) -> str:
        """How many cubes there are, and how many more are held back for want of whole ones."""
        short = max(0, self.held_back - len(self.whole))
        alone = sum(self._carried.bears_alone(self._lost[s], bear) for s in self.unhealthy)
        held = f" ({min(short, alone)} more held back)" if min(short, alone) else ""
        return f"; if it bears {bear} switch{'es' * (bear != 1)}: {count}{held}"
