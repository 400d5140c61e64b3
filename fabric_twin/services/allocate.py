"""Allocate a slice on a pod, given what is in use and unhealthy."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.defragment import Defragmentation, defragment
from fabric_twin.core.design import Design
from fabric_twin.core.names import Names
from fabric_twin.core.occupancy import Occupancy
from fabric_twin.core.plant import Substitution, intended_plant
from fabric_twin.core.shapes import Shape, warning
from fabric_twin.core.slices import Slice, check_slice_name, slice_circuits
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
    #: What to know of it, or nothing.
    warning: str


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
) -> Allocation:
    """Find a place for a slice, or refuse with what would fit."""
    intended = intended_plant(design, pod, None, substitutions)
    occupancy = Occupancy(design, slots, held_back=held_back, mate=intended.mate)
    if in_use:
        read_in_use(*in_use, occupancy, intended.names)
    if name is None:
        name = _free_name(shape, occupancy)
    made = occupancy.allocate(check_slice_name(name, "name"), shape)
    circuits = slice_circuits(design, made, intended.mate)
    return Allocation(design, intended.names, made, circuits, warning(design, shape))


def plan_defragmentation(
    design: Design, pod: str, *, slots: Iterable[int] | None = None, in_use: File | None = None
) -> Defragmentation:
    """Which slices under a cube to bring together, so that cubes become free."""
    occupancy = Occupancy(design, slots)
    if in_use:
        read_in_use(*in_use, occupancy, Names(design.layout, pod))
    return defragment(occupancy)


def _free_name(shape: Shape, occupancy: Occupancy) -> str:
    """The shape and the first number that no slice in use has."""
    base = str(shape).replace(" ", "-")
    names = (f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in occupancy.slices)
