"""Allocate a slice on a pod, given what is in use and unhealthy."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.circuits.circuits import Circuits, numbered
from fabric_twin.core.circuits.links import joined_cubes
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.bearing_cubes import check_bear
from fabric_twin.core.slices.boxes import check_anywhere
from fabric_twin.core.slices.defragment import Defragmentation, defragment
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.placement import Placement, changed_by, most_kept, place_cubes
from fabric_twin.core.slices.shapes import Shape, warning
from fabric_twin.core.slices.slice import Slice, check_slice_name, slice_circuits
from fabric_twin.core.slices.torus import rings_of
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.in_use import read_in_use

#: A file's bytes and what to call it.
File = tuple[bytes, str]


@dataclass(frozen=True)
class Allocation:
    """A slice that was found a place, and the circuits that make it."""

    design: Design
    names: Names
    made: Slice
    circuits: Circuits
    #: What to know of it, and of the files it was made from.
    warnings: tuple[str, ...]
    #: What the choice of cubes changes, where circuits were present.
    placement: Placement | None = None
    #: What the slice does without, where it was allowed to.
    bearing: Bearing | None = None

    def as_json(self) -> dict[str, Any]:
        """The slice for programs (the contract's form)."""
        more = self.bearing.as_json() if self.bearing else {}
        return self.made.as_json(self.names, self.circuits) | more


def allocate_slice(
    design: Design,
    pod: str,
    shape: Shape,
    *,
    name: str | None = None,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    in_use: File | None = None,
    held_back: int = 0,
    present: File | None = None,
    bear: int = 0,
    anywhere: bool = False,
) -> Allocation:
    """Find a place for a slice, or refuse with what would fit.

    Where circuits are present already, the cubes and their order are chosen so that the fewest
    of those between free cubes change; without, the lowest free slots are taken. `bear` is how
    many switches a join of two cubes may lack.
    """
    check_bear(bear, design)
    check_anywhere(design, anywhere=anywhere)
    intended = intended_plant(design, pod, None, substitutions)
    occupancy = Occupancy(
        design, slots, held_back=held_back, mate=intended.mate, bear=bear, anywhere=anywhere
    )
    warnings = list(read_in_use(*in_use, occupancy, intended)) if in_use else []
    there = None
    if present:
        there, warned = _present(read_circuits(*present), intended)
        warnings += warned
    return allocate_within(occupancy, intended, shape, name, there, warnings)


def allocate_within(
    occupancy: Occupancy,
    intended: Intended,
    shape: Shape,
    name: str | None = None,
    present: Circuits | None = None,
    warnings: Sequence[str] = (),
) -> Allocation:
    """Find a place for a slice among what stands, be that read from files or from records."""
    design = intended.design
    if name is None:
        name = _free_name(shape, occupancy)
    made = occupancy.allocate(check_slice_name(name, "name"), shape)
    placement = None
    if present is not None and shape.grid(design.cube) and design.medium.is_switched:
        made, placement = _placed(occupancy, intended, made, present)
    circuits = slice_circuits(design, made, intended.mate)
    said = (*warnings, *filter(None, [warning(design, shape)]))
    bearing = None
    if occupancy.bear and not made.chips:
        bearing = Bearing(intended, made, frozenset(occupancy.failed_ports))
    return Allocation(design, intended.names, made, circuits, said, placement, bearing)


def _placed(
    occupancy: Occupancy, intended: Intended, made: Slice, present: Circuits
) -> tuple[Slice, Placement]:
    """Put cubes where the fewest joins change, and where every join can still be borne."""
    rings = rings_of(made.shape.grid(occupancy.design.cube), twisted=made.shape.twisted)
    if not occupancy.bear:
        free = occupancy.free | set(made.slots)
        placement = place_cubes(rings, sorted(free), _between(intended, present, free))
        return replace(made, slots=placement.slots), placement
    idle = occupancy.free | occupancy.parts_only | set(made.slots)
    joined = _between(intended, present, idle)
    # Of any cubes at all: those that lost more, or are held back, are no worse for their joins.
    kept = sum(most_kept(ring, joins) for ring, joins in zip(rings, joined, strict=True))
    bound = len(rings) * len(made.slots) + sum(map(len, joined)) - 2 * kept
    cubes = occupancy.bearing_cubes
    best = Placement(made.slots, changed_by(rings, made.slots, joined), bound)
    for offered in (cubes.like(made.slots, occupancy.bear), list(made.slots)):
        found = place_cubes(rings, offered, joined)
        if len(offered) == len(idle):
            best = replace(best, lower_bound=found.lower_bound)
        moved = replace(made, slots=found.slots)
        if found.changed < best.changed and cubes.bears(moved, occupancy.bear):
            best = replace(best, slots=found.slots, changed=found.changed)
    return cubes.with_losses(replace(made, slots=best.slots)), best


def _present(rows: Sequence[Circuit], intended: Intended) -> tuple[Circuits, list[str]]:
    """The circuits there are; those of other pods and designs join no cubes of this one."""
    there, kept = numbered(rows, intended.names)
    left = len(rows) - len(kept)
    what = f"{counted(left, 'circuit')} that this pod cannot have"
    return there, [f"{what} {'was' if left == 1 else 'were'} ignored"] * bool(left)


def _between(intended: Intended, present: Circuits, free: set[int]) -> list[dict[int, int]]:
    """The joins between free cubes: those of cubes in use are not this slice's to change."""
    return [
        {slot: to for slot, to in joins.items() if slot in free and to in free}
        for joins in joined_cubes(intended, present)
    ]


def plan_defragmentation(
    design: Design,
    pod: str,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    in_use: File | None = None,
) -> tuple[Defragmentation, tuple[str, ...]]:
    """Which slices under a cube to bring together, so that cubes become free; what to know."""
    intended = intended_plant(design, pod, None, substitutions)
    occupancy = Occupancy(design, slots, mate=intended.mate)
    warnings = read_in_use(*in_use, occupancy, intended) if in_use else ()
    return defragment(occupancy), warnings


def _free_name(shape: Shape, occupancy: Occupancy) -> str:
    """The shape and the first number that no slice in use has."""
    base = str(shape).replace(" ", "-")
    names = (f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in occupancy.slices)
