"""Checks by light: is every cable of a bundle where it is meant, and is its light good?

Each port of the bundle is joined to a port of an idle cube that stands already: who is heard there,
is plugged in here. One round tells all of it, and nothing that a slice uses is touched.

    7A  the bundle's --- 3B  an idle cube's       3B's port hears who is in 7A

Where no cube is idle, the bundle's own ports are joined to each other. That tells as much, but for
cables of the same two ports that are exchanged twice over: the audit of the whole pod sees those.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.discovery.rounds import agreed_sightings, circuits_of, ports_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.orders.order import Bundle, WorkOrder
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import TOUCHES, End


class NothingShines(NotPossible):
    """No port across the switch could be joined to see a bundle."""


@dataclass(frozen=True)
class Verdict:
    """What light says of a bundle."""

    bundle: Bundle
    #: Cables that are not where they are meant, or dark; and those whose light is poor.
    wrong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    #: What is wrong with the light, in words, where that is known.
    why: str = ""
    #: What passes, worse than before, in words.
    worse: tuple[str, ...] = ()
    #: Whether the modules at both ends reported light, errors and reflections.
    measured: bool = False

    @property
    def agrees(self) -> bool:
        """Whether nothing is left to do."""
        return not self.wrong and not self.weak

    def ports(self, order: WorkOrder, rack: str) -> set[End]:
        """Where it is done again: the ports of these cables at one rack."""
        bad = {*self.wrong, *self.weak}
        return {
            step.at
            for step in order.steps
            if step.bundle == self.bundle.name and step.rack == rack and step.cable in bad
        }


@dataclass(frozen=True, eq=False)
class Look:
    """One round that shows a bundle: what to join, and what it means."""

    bundle: Bundle
    circuits: Circuits
    #: Strands of the bundle's cables, cable by cable; and the cube ports that should hear them.
    near: Column
    hears: Column
    strands: int

    def verdict(self, claims: Column, weak: Collection[str] = ()) -> Verdict:
        """What light says, from whom each cube port hears; `weak` are cables in poor light."""
        there = agreed_sightings(claims)[self.hears] == self.near
        whole = there.reshape(-1, self.strands).all(axis=1).tolist()
        cables = self.bundle.cables
        wrong = tuple(cable for cable, right in zip(cables, whole, strict=True) if not right)
        poor = tuple(cable for cable in cables if cable in weak and cable not in wrong)
        return Verdict(self.bundle, wrong, poor)


def look_at(
    intended: Intended,
    bundle: Bundle,
    near: Column,
    far: Column,
    *,
    idle: Collection[int] = (),
    in_use: Circuits | None = None,
) -> Look:
    """The round that shows the strands of some cube ports, each where it is plugged in.

    `intended` is the plant that is to be; `idle` are slots of cubes that stand, are qualified and
    do nothing. Ports are those of the plant by strand.
    """
    plant = by_strand(intended)
    layout = plant.names.layout
    busy = np.zeros(len(layout.mate), np.bool_)
    for ports in ports_of(layout, in_use or Circuits.none()):
        busy[ports] = True
    if busy[far].any():
        port = int(far[busy[far]][0])
        raise NotPossible(
            "a circuit uses a port of the bundle",
            where=" port ".join(plant.names.port(port)),
            remedy="Release it with a ticket",
        )
    partner = _partners(plant, far, sorted(idle), busy)
    side = (far - layout.cube_ports) % layout.ports_per_switch >= layout.radix
    a, b = np.where(side, partner, far), np.where(side, far, partner)
    once = np.unique(np.stack([a, b]), axis=1)
    return Look(
        bundle,
        circuits_of(layout, once[0], once[1]),
        near,
        plant.want[partner],
        layout.strands,
    )


def _partners(plant: Intended, far: Column, idle: list[int], busy: NDArray[np.bool_]) -> Column:
    """For each switch port of a bundle a port across the switch, where somebody known is."""
    layout = plant.names.layout
    of_idle = np.isin(layout.slot[: layout.cube_ports], idle)
    home = plant.want[: layout.cube_ports][of_idle]
    beside = _across(plant, home[(home >= 0) & ~busy[home]])
    own = _across(plant, far)
    partner = np.zeros_like(far)
    for row, port in enumerate(far.tolist()):
        switch, place = divmod(port - layout.cube_ports, layout.ports_per_switch)
        other = switch, place < layout.radix
        # Its own ports meet crosswise, so that no cable is joined to itself.
        free = beside[other] or own[other]
        if not free:
            raise NothingShines(
                "nothing that shines is across the switch",
                where=" port ".join(plant.names.port(port)),
                remedy="Keep a cube idle, or check when more is plugged in",
            )
        partner[row] = free.pop()
    return partner


def _across(plant: Intended, ports: Column) -> dict[tuple[int, bool], list[int]]:
    """Ports by switch and side, B side or not."""
    layout = plant.names.layout
    found: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for port in ports.tolist():
        switch, place = divmod(port - layout.cube_ports, layout.ports_per_switch)
        found[switch, place >= layout.radix].append(port)
    return found


def ends_of(intended: Intended, order: WorkOrder, bundle: Bundle) -> tuple[Column, Column]:
    """Where the strands of a bundle are meant to end, cable by cable: cubes, then switches.

    What an order lays it names; what it mends is where it works.
    """
    plant = by_strand(intended)
    if bundle.finding:
        return _ends_in_hands(plant, order, bundle.finding)
    of = {cable.cable: cable for cable in order.cables if cable.bundle == bundle.name}
    names, strands = plant.names, plant.names.layout.strands
    a = [of[cable].a for cable in bundle.cables]
    tails = [f":{n}" for n in (1, 2)] if strands > 1 else [""]
    near = names.find(
        [device for device, _ in a for _ in tails], [port + tail for _, port in a for tail in tails]
    )
    return near, plant.want[near]


def ends_plugged(plant: Intended, near: End, far: End) -> tuple[Column, Column]:
    """The strands of a cable between a cube's port and a switch's, wherever the rule has it."""
    names, layout = plant.names, plant.names.layout
    tails = [f":{n}" for n in (1, 2)] if layout.strands > 1 else [""]
    ports = names.find([near[0]] * len(tails), [near[1] + tail for tail in tails])
    home = plant.want[ports]
    side = (home - layout.cube_ports) % layout.ports_per_switch >= layout.radix
    halves = [far[1] if far[1][-1:] in "AB" else f"{far[1]}{'AB'[b]}" for b in side.tolist()]
    return ports, names.find([far[0]] * len(tails), halves)


def _ends_in_hands(plant: Intended, order: WorkOrder, finding: str) -> tuple[Column, Column]:
    """The strands whose ports are touched for a finding, at a cube or at a switch."""
    layout = plant.names.layout
    touched = {s.at for s in order.steps if s.finding == finding and s.port and s.do in TOUCHES}
    tails = ("", ":1", ":2")
    places = [(device, port + tail) for device, port in touched for tail in tails]
    places += [one for port in touched for one in simplex(port)]
    found = plant.names.find([device for device, _ in places], [port for _, port in places])
    found = found[found >= 0]
    near = np.where(found < layout.cube_ports, found, plant.want[found])
    ports = np.unique(near[near >= 0] // layout.strands)
    strands = (ports[:, None] * layout.strands + np.arange(layout.strands)).ravel()
    ends: Column = strands[plant.want[strands] >= 0].astype(np.int32)
    return ends, plant.want[ends]
