"""A slice: cubes in an order, or chips of one cube; its circuits follow from that alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits, joined
from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.pods.layout import NO_PORT, Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Column, Plant
from fabric_twin.core.slices.blocks import Chip
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.torus import next_cubes

#: The longest name of a slice.
LONGEST_NAME = 255


def check_slice_name(name: str, where: str) -> str:
    """Return a slice's name, or refuse one that could not be shown."""
    if not (0 < len(name) <= LONGEST_NAME and name.isprintable()):
        raise UnusableInput(
            f"{name[:40]!r} cannot name a slice",
            where=where,
            remedy=f"Use 1 to {LONGEST_NAME} characters that can be printed",
        )
    return name


@dataclass(frozen=True)
class Slice:
    """Where a slice stands."""

    name: str
    shape: Shape
    #: The slots of its cubes, in the order of their places: the last axis runs fastest.
    slots: tuple[int, ...]
    #: Under a cube: its chips, in the order of their places in the shape.
    chips: tuple[Chip, ...] = ()

    def places(self, cube: Cube) -> Iterable[tuple[tuple[int, ...], int]]:
        """Each cube's place in the slice, counted in cubes from 0, and its slot."""
        grid = self.shape.grid(cube) or (1,) * cube.dimensions
        return zip(product(*map(range, grid)), self.slots, strict=True)

    def as_json(self, names: Names, circuits: Circuits) -> dict[str, Any]:
        """The slice for programs (the contract's form)."""
        facts: dict[str, Any] = {
            "version": 1,
            "name": self.name,
            "shape": self.shape.text,
            "twisted": self.shape.twisted,
            "cubes": [
                {"at": list(at), "slot": slot} for at, slot in self.places(names.layout.cube)
            ],
        }
        if self.chips:
            return facts | {"chips": [[self.slots[0], *chip] for chip in self.chips]}
        rows = circuits.named(names)
        return facts | {"circuits": [{"switch": s, "a": a, "b": b} for s, a, b in rows]}


def slice_circuits(design: Design, made: Slice, mate: Column | None = None) -> Circuits:
    """The circuits that join a slice's cubes into its torus; none under a cube or without switches.

    `mate` is the plant's as it is intended (`Intended.mate`), where spares stand in for ports.
    """
    layout = design.layout
    if made.chips or layout.plant is Plant.STATIC:
        return Circuits.none()
    mate = layout.mate if mate is None else mate
    order = np.array(made.slots, dtype=np.int32).reshape(made.shape.grid(design.cube))
    return joined(
        [
            _joined_along(layout, mate, axis, order.ravel(), after.ravel())
            for axis, after in enumerate(next_cubes(order, twisted=made.shape.twisted))
        ]
    )


def _joined_along(
    layout: Layout, mate: Column, axis: int, cubes: Column, after: Column
) -> Circuits:
    """Join `+` of each cube to `-` of the one after it, at every index and lane of an axis."""
    # Ports of both faces are in the same order: index by index, lane by lane.
    plus, minus = (np.flatnonzero((layout.axis == axis) & (layout.sign == s)) for s in (0, 1))
    per_cube = layout.ports_per_cube
    near = mate[(cubes - 1) * per_cube + plus[:, None]].ravel()
    far = mate[(after - 1) * per_cube + minus[:, None]].ravel()
    _check_joinable(layout, axis, near, far)
    switch = (near - layout.cube_ports) // layout.ports_per_switch
    p, q = (1 + (end - layout.cube_ports) % layout.radix for end in (near, far))
    if layout.plant is Plant.PAIRED:
        return joined([Circuits(switch, p, q), Circuits(switch, q, p)])
    # The rule of someone's own pod may put `+` on the B side.
    swap = (near - layout.cube_ports) % layout.ports_per_switch >= layout.radix
    return Circuits(switch, np.where(swap, q, p), np.where(swap, p, q))


def _check_joinable(layout: Layout, axis: int, near: Column, far: Column) -> None:
    """Refuse ends that no switch can join: the fault of a rule or of a plant, never of a wish."""
    near_at, far_at = near - layout.cube_ports, far - layout.cube_ports
    per_side = layout.radix if layout.plant is Plant.SPLIT else layout.ports_per_switch
    bad = (near == NO_PORT) | (far == NO_PORT)
    bad |= near_at // layout.ports_per_switch != far_at // layout.ports_per_switch
    if layout.plant is Plant.SPLIT:
        bad |= near_at // per_side == far_at // per_side
    if np.any(bad):
        raise NotPossible(
            f"the plant does not bring {AXES[axis]}+ and {AXES[axis]}- of an index to two sides "
            "of one switch",
            where="slice",
            remedy="Mend the design's rule or the substitutions",
        )
