"""A slice: cubes in an order, or chips of one cube; its circuits follow from that alone."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits, joined, left_of
from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.pods.grid import unit_grid
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Plant
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


#: A circuit by the number of its switch in the layout, and its A and B port.
CircuitNumbers = tuple[int, int, int]


def circuit_json(switches: Sequence[str], circuit: CircuitNumbers) -> dict[str, Any]:
    """A circuit by name, as the contract has it."""
    switch, a, b = circuit
    return {"switch": switches[switch], "a": f"{a}A", "b": f"{b}B"}


@dataclass(frozen=True)
class Slice:
    """Where a slice stands."""

    name: str
    shape: Shape
    #: The slots of its cubes, in the order of their places: the last axis runs fastest.
    slots: tuple[int, ...]
    #: Under a cube: its chips, in the order of their places in the shape.
    chips: tuple[Chip, ...] = ()
    #: Circuits that its torus wants and that are not made: switch, A port and B port, by number.
    without: tuple[CircuitNumbers, ...] = ()

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
        if not names.layout.medium.is_switched:
            whole, grid = unit_grid(names.layout), self.shape.grid(names.layout.cube)
            wraps = [] if whole is None else np.equal(grid, whole.shape).tolist()
            return facts | {"circuits": [], "wraps": wraps}
        rows = circuits.named(names)
        facts["circuits"] = [{"switch": s, "a": a, "b": b} for s, a, b in rows]
        if self.without:
            facts["without"] = [circuit_json(names.switches, row) for row in self.without]
        return facts


def slice_circuits(design: Design, made: Slice, mate: Column | None = None) -> Circuits:
    """The circuits that join a slice's cubes into its torus, less those that it does without.

    None under a cube or without switches. `mate` is the plant's as it is intended
    (`Intended.mate`), where spares stand in for ports.
    """
    layout = design.layout
    wanted = joined([_circuits_of(layout, along) for along in links_of(design, made, mate)])
    return left_of(wanted, made.without) if made.without else wanted


def without_switches(design: Design, made: Slice, mate: Column, switches: Collection[int]) -> Slice:
    """A slice that also does without its circuits on some switches: they are dead."""
    torus = slice_circuits(design, replace(made, without=()), mate)
    rows = zip(*(row.tolist() for row in (torus.switch, torus.a, torus.b)), strict=True)
    gone = set(made.without)
    lost = (row for row in rows if row in gone or row[0] in switches)
    return replace(made, without=tuple(lost))


def torus_size(design: Design, cubes: int) -> int:
    """How many circuits the torus of so many whole cubes has, made or not."""
    layout = design.layout
    if not layout.medium.is_switched:
        return 0
    return cubes * layout.ports_per_cube // 2 * (1 + (layout.plant is Plant.PAIRED))


class LinksAlong(NamedTuple):
    """The links of a slice along an axis, as columns."""

    axis: int
    #: The slots that each join begins and ends at.
    cubes: Column
    after: Column
    #: The switch ports of `+` and of `-`: a row for each link of a face, a column for each join.
    near: Column
    far: Column


def links_of(design: Design, made: Slice, mate: Column | None = None) -> Iterator[LinksAlong]:
    """The links that make a slice's torus, made or not, axis by axis."""
    layout = design.layout
    if made.chips or not layout.medium.is_switched:
        return
    mate = layout.mate if mate is None else mate
    order = np.array(made.slots, dtype=np.int32).reshape(made.shape.grid(design.cube))
    per_cube = layout.ports_per_cube
    for axis, step in enumerate(next_cubes(order, twisted=made.shape.twisted)):
        cubes, after = order.ravel(), step.ravel()
        # Ports of both faces are in the same order: index by index, lane by lane.
        plus, minus = (np.flatnonzero((layout.axis == axis) & (layout.sign == s)) for s in (0, 1))
        near = mate[(cubes - 1) * per_cube + plus[:, None]]
        far = mate[(after - 1) * per_cube + minus[:, None]]
        _check_joinable(layout, axis, near, far)
        yield LinksAlong(axis, cubes, after, near, far)


def _circuits_of(layout: Layout, along: LinksAlong) -> Circuits:
    """Join `+` of each cube to `-` of the one after it, at every index and lane of an axis."""
    switch, a, b = plus_to_minus(layout, along.near.ravel(), along.far.ravel())
    if layout.plant is Plant.PAIRED:
        return joined([Circuits(switch, a, b), Circuits(switch, b, a)])
    return Circuits(switch, a, b)


def plus_to_minus(layout: Layout, near: Column, far: Column) -> tuple[Column, Column, Column]:
    """The circuit of each link: its switch, A and B. A paired plant has B to A besides."""
    switch = (near - layout.cube_ports) // layout.ports_per_switch
    p, q = (1 + (end - layout.cube_ports) % layout.radix for end in (near, far))
    if layout.plant is Plant.PAIRED:
        return switch, p, q
    # The rule of someone's own pod may put `+` on the B side.
    swap = (near - layout.cube_ports) % layout.ports_per_switch >= layout.radix
    return switch, np.where(swap, q, p), np.where(swap, p, q)


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
