"""What a slice bears: circuits that its torus wants and that are not made, and what that costs.

    join 7 -> 9 of X    16 links, x-3-2 is out     15 made: the axis keeps 15/16 of its capacity
                        3,2 goes by 4,2            one circuit carries two links' traffic: 1/2

The worst join counts: a job on a torus runs at the pace of its slowest links. The detours are for
people and for the system that routes; nothing here routes.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.cube import AXES, Face
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.detours import Link, detours_of, way_between
from fabric_twin.core.slices.lost_links import links_of_a_face
from fabric_twin.core.slices.slice import (
    CircuitNumbers,
    LinksAlong,
    Slice,
    circuit_json,
    links_of,
    plus_to_minus,
    slice_circuits,
)

Mask = NDArray[np.bool_]


def lost_circuits(
    design: Design, made: Slice, mate: Column, failed: Collection[int]
) -> tuple[CircuitNumbers, ...]:
    """The circuits of a slice that cannot be made: a port at one of their ends is unhealthy.

    In a paired plant both circuits of a link go together.
    """
    bad = np.zeros(len(design.layout.mate), dtype=np.bool_)
    bad[list(failed)] = True
    lost: list[CircuitNumbers] = []
    for along in links_of(design, made, mate):
        gone = bad[along.near] | bad[along.far] | bad[mate[along.near]] | bad[mate[along.far]]
        for link, join in np.argwhere(gone).tolist():
            lost += _circuits_at(design, along, link, join)
    return tuple(lost)


def carried_over(intended: Intended, made: Slice, moved: Slice, failed: Collection[int]) -> Slice:
    """A slice where it moves to, without what it did without at the joins that stay.

    At a join that is new, what unhealthy ports take is missing. A circuit that it did without, and
    that no unhealthy port explains, says that its switch is out: nothing new goes through that.
    """
    design, mate = intended.design, intended.mate
    there = replace(made, without=())
    gone, stays = set(made.without), set(_numbers(slice_circuits(design, there, mate)))
    unsaid = gone.difference(lost_circuits(design, there, mate, failed))
    first, ports = design.layout.cube_ports, design.layout.ports_per_switch
    out = {
        first + switch * ports + port
        for switch in {switch for switch, _, _ in unsaid}
        for port in range(ports)
    }
    lost = set(lost_circuits(design, moved, mate, out.union(failed)))
    without = (
        circuit
        for circuit in _numbers(slice_circuits(design, moved, mate))
        if circuit in (gone if circuit in stays else lost)
    )
    return replace(moved, without=tuple(without))


def _numbers(circuits: Circuits) -> Iterator[CircuitNumbers]:
    return zip(circuits.switch.tolist(), circuits.a.tolist(), circuits.b.tolist(), strict=True)


def _circuits_at(design: Design, along: LinksAlong, link: Link, join: int) -> list[CircuitNumbers]:
    """The circuits of one link: two in a paired plant, from `+` to `-` first."""
    switch, a, b = (
        int(column)
        for column in plus_to_minus(design.layout, along.near[link, join], along.far[link, join])
    )
    both = design.plant is Plant.PAIRED
    return [(switch, a, b), (switch, b, a)] if both else [(switch, a, b)]


@dataclass(frozen=True)
class Detour:
    """How the traffic of a lost link goes."""

    axis: int
    #: The link's place on its faces: index and lane, from 0; and that of the link it goes by.
    lost: Link
    by: Link
    #: Their circuits from `+` to `-`.
    lost_circuit: CircuitNumbers
    by_circuit: CircuitNumbers
    #: Slot and coordinates of the chips it passes, from the `+` end to the `-` end.
    way: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Bearing:
    """What one slice bears."""

    intended: Intended
    made: Slice
    #: The ports that are unhealthy, for the reasons.
    failed: frozenset[int] = frozenset()
    #: Why circuits are not made, in words, where that is known; the others say which port is bad.
    whys: Mapping[CircuitNumbers, str] = field(default_factory=dict)

    @cached_property
    def along(self) -> list[tuple[LinksAlong, Mask]]:
        """The links of each axis, and which of them are not made."""
        design = self.intended.design
        gone = set(self.made.without)
        found = []
        for along in links_of(design, self.made, self.intended.mate):
            columns = plus_to_minus(design.layout, along.near, along.far)
            rows = zip(*(column.ravel().tolist() for column in columns), strict=True)
            mask = np.fromiter((row in gone for row in rows), np.bool_, along.near.size)
            found.append((along, mask.reshape(along.near.shape)))
        return found

    @cached_property
    def capacity(self) -> tuple[float, ...]:
        """For each axis, the share of the links that are made at its worst join."""
        links = links_of_a_face(self.intended.design.layout)
        worst = (int(lost.sum(axis=0).max(initial=0)) for _, lost in self.along)
        return tuple(1 - lost / links for lost in worst)

    @cached_property
    def most_switches(self) -> int:
        """How many switches the join lacks that lacks most."""
        layout = self.intended.design.layout
        most = 0
        for along, lost in self.along:
            switch = (along.near - layout.cube_ports) // layout.ports_per_switch
            for join in np.flatnonzero(lost.any(axis=0)).tolist():
                most = max(most, len(set(switch[lost[:, join], join].tolist())))
        return most

    @property
    def by_axis(self) -> dict[str, float]:
        """The same by the names of the axes; all of an axis is 1."""
        return {AXES[axis].lower(): share_json(share) for axis, share in enumerate(self.capacity)}

    @cached_property
    def lost_joins(self) -> dict[int, dict[Link, int]]:
        """For each axis that lost something: at how many joins each link is not made."""
        counts = ((along.axis, lost.sum(axis=1).tolist()) for along, lost in self.along)
        return {
            axis: {link: joins for link, joins in enumerate(links) if joins}
            for axis, links in counts
            if any(links)
        }

    def switch_of(self, axis: int, link: Link) -> str:
        """The switch that carries a link of each face."""
        along, _ = self.along[axis]
        switch, _, _ = plus_to_minus(self.intended.design.layout, along.near[link], along.far[link])
        return self.intended.names.switches[int(switch[0])]

    def cut_joins(self) -> Iterator[tuple[int, int, int]]:
        """Joins without any link left: the axis, and the slots of both cubes."""
        for along, lost in self.along:
            for join in np.flatnonzero(lost.all(axis=0)).tolist():
                yield along.axis, int(along.cubes[join]), int(along.after[join])

    @cached_property
    def detours(self) -> tuple[Detour, ...]:
        """The detours of every join, axis by axis."""
        return tuple(
            detour
            for along, lost in self.along
            for join in np.flatnonzero(lost.any(axis=0)).tolist()
            for detour in self._detours_at(along, join, lost[:, join])
        )

    def alike_detours(self) -> list[list[Detour]]:
        """The same, those between the same two links of an axis together."""
        alike: dict[tuple[int, Link, Link], list[Detour]] = {}
        for detour in self.detours:
            alike.setdefault((detour.axis, detour.lost, detour.by), []).append(detour)
        return list(alike.values())

    def _detours_at(self, along: LinksAlong, join: int, lost: Mask) -> Iterator[Detour]:
        design = self.intended.design
        cube, lanes = design.cube, design.layout.lanes
        indices = cube.indices(along.axis)
        plus, minus = Face(along.axis, 0), Face(along.axis, 1)
        slots = int(along.cubes[join]), int(along.after[join])
        for link, by in detours_of(indices, lanes, frozenset(np.flatnonzero(lost).tolist())):
            out = way_between(indices[link // lanes], indices[by // lanes])
            yield Detour(
                axis=along.axis,
                lost=link,
                by=by,
                lost_circuit=_circuits_at(design, along, link, join)[0],
                by_circuit=_circuits_at(design, along, by, join)[0],
                way=(
                    *((slots[0], *cube.chip(plus, index)) for index in out),
                    *((slots[1], *cube.chip(minus, index)) for index in reversed(out)),
                ),
            )

    @cached_property
    def most_on_a_circuit(self) -> int:
        """How many detours the most loaded circuit bears."""
        loads: dict[CircuitNumbers, int] = {}
        for detour in self.detours:
            loads[detour.by_circuit] = loads.get(detour.by_circuit, 0) + 1
        return max(loads.values(), default=0)

    @property
    def slowest_link(self) -> float:
        """The share of a link that its traffic has where most detours share its circuit.

        None of it where a join has no circuit left.
        """
        if 0 in self.capacity:
            return 0
        return 1 / (1 + self.most_on_a_circuit)

    def reasons(self) -> Iterator[tuple[CircuitNumbers, str]]:
        """Each circuit that is not made, and why, in words."""
        design = self.intended.design
        for along, lost in self.along:
            for link, join in np.argwhere(lost).tolist():
                why = self._why(int(along.near[link, join]), int(along.far[link, join]))
                for circuit in _circuits_at(design, along, link, join):
                    yield circuit, self.whys.get(circuit, why)

    def _why(self, near: int, far: int) -> str:
        layout, names = self.intended.design.layout, self.intended.names
        if (near - layout.cube_ports) // layout.ports_per_switch in self._switches_out:
            return f"{names.port(near)[0]} is unhealthy"
        mate = self.intended.mate
        ends = (near, far, int(mate[near]), int(mate[far]))
        said = [" port ".join(names.port(end)) for end in ends if end in self.failed]
        are = "are" if len(said) > 1 else "is"
        return f"{' and '.join(said)} {are} unhealthy" if said else "it is not made"

    @cached_property
    def _switches_out(self) -> set[int]:
        """The switches of which every port with a cable is unhealthy."""
        layout, mate = self.intended.design.layout, self.intended.mate
        cabled = np.flatnonzero(mate[layout.cube_ports :] != NO_PORT)
        failed = np.isin(cabled + layout.cube_ports, list(self.failed))
        switch = cabled // layout.ports_per_switch
        many = len(layout.switches)
        return set(
            np.flatnonzero(
                np.bincount(switch, minlength=many)
                == np.bincount(switch, weights=failed, minlength=many)
            ).tolist()
        )

    def as_json(self) -> dict[str, Any]:
        """For programs: what the contract of a slice has besides."""
        switches = self.intended.names.switches

        return {
            "without": [
                circuit_json(switches, circuit) | {"why": why} for circuit, why in self.reasons()
            ],
            "capacity": self.by_axis,
            "detours": [
                {
                    "axis": AXES[detour.axis].lower(),
                    "lost": circuit_json(switches, detour.lost_circuit),
                    "via": circuit_json(switches, detour.by_circuit),
                    "way": [list(chip) for chip in detour.way],
                }
                for detour in self.detours
            ],
            "slowest_link": share_json(self.slowest_link),
        }


def share_json(share: float) -> float | int:
    """A whole share as 1, as people write it."""
    return 1 if share == 1 else share
