"""Mistakes that hands make, each one an act on a plant by names.

A mistake returns the codes the contract allows for it when nothing else is wrong, or None where
the contract names no code; it raises `Impossible` when the plant has no room for it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from . import words
from .plant import Plant
from .words import Port

T = TypeVar("T")
Codes = frozenset[str] | None
Spot = tuple[str, int]


class Impossible(Exception):
    """There is no room in the plant for such a mistake."""


class Hand:
    """Chooses cables and ports of a plant, within a focus, and keeps apart if asked to."""

    def __init__(
        self,
        plant: Plant,
        choose: Callable[[Sequence[Any]], Any],
        near: Iterable[str],
        apart: bool = False,
    ) -> None:
        self.plant, self.kind = plant, plant.kind
        self.choose, self.near, self.apart = choose, list(near), apart
        #: Cables and ports that earlier mistakes had to do with.
        self.touched: set[str | Port | None] = set()
        #: Cables moved so far, and by the mistake in hand.
        self.moved: set[str] = set()
        self.moving: set[str] = set()

    def pick(self, choices: Iterable[T]) -> T:
        """One of several, or no room."""
        found = list(choices)
        if not found:
            raise Impossible
        return self.choose(found)

    def several(self, choices: Iterable[T], least: int, most: int) -> list[T]:
        """Some of several, each once, in any order."""
        left = list(choices)
        if len(left) < least:
            raise Impossible
        count = self.pick(range(least, min(most, len(left)) + 1))
        return [left.pop(self.pick(range(len(left)))) for _ in range(count)]

    def fresh(self, *things: str | Port | None) -> bool:
        """Whether these may be touched."""
        return not self.apart or self.touched.isdisjoint(things)

    def whole(self, cable: str) -> bool:
        """Whether a cable may be touched."""
        return not self.apart or self.fresh(cable, *self.plant.rows[cable])

    def spots(self, *, at_switch: bool | None = None) -> list[Spot]:
        """Known cable ends that may be touched: at a switch, at a cube, or both."""
        rows = self.plant.rows
        return [
            (cable, side)
            for cable in self.near
            if cable in rows and self.whole(cable)
            for side, end in enumerate(rows[cable])
            if end is not None and (at_switch is None or at_switch == words.is_switch(end))
        ]

    def on(self, ports: Iterable[Port]) -> dict[Port, Spot]:
        """One cable end on each of these ports that has any that may be touched."""
        standing = self.plant.standing()
        found = {port: standing[port][0] for port in ports if port in standing}
        return {port: spot for port, spot in found.items() if self.whole(spot[0])}

    def free(self, ports: Iterable[Port]) -> list[Port]:
        """Those of some ports that nothing stands on and that no cable should stand on."""
        taken = {end for ends in self.plant.rows.values() for end in ends}
        taken |= {port for ends in self.plant.right.values() for port in ends}
        return [port for port in ports if port not in taken and self.fresh(port)]

    def free_on(self, switch: str, *, spare: bool = False) -> list[Port]:
        """Free ports of a switch, spares or others."""
        return self.free(
            port
            for side in words.sides(self.kind)
            for port in words.switch_panels(self.kind)[switch, side]
            if (words.number_of(port) in self.kind.spares) == spare
        )

    def end(self, spot: Spot) -> Port:
        """The port that a cable end stands on."""
        port = self.plant.rows[spot[0]][spot[1]]
        assert port is not None
        return port

    def weigh(self) -> int:
        """How many findings the mistake just made can explain.

        One; but a mistake of more than two cables, laid over k cables that were moved before,
        can tear what was one cause into k that have no port in common.
        """
        over = len(self.moving & self.moved) if len(self.moving) > 2 else 0
        self.moved |= self.moving
        self.moving = set()
        return max(1, over)

    def put(self, spots: Sequence[Spot], ports: Sequence[Port | None], what: str) -> None:
        """Plug these cable ends into these ports, all at once."""
        self.moving |= {cable for cable, _ in spots}
        for (cable, side), port in zip(spots, ports, strict=True):
            self.touched |= {cable, port, *self.plant.rows[cable], *self.plant.right.get(cable, ())}
            self.plant.log.append(f"{what}: {cable} {self.plant.rows[cable][side]} -> {port}")
        for (cable, side), port in zip(spots, ports, strict=True):
            self.plant.rows[cable][side] = port


def _swap(hand: Hand, first: Spot, others: Iterable[Spot]) -> Codes:
    second = hand.pick(spot for spot in others if spot[0] != first[0])
    spots = [first, second]
    hand.put(spots, [hand.end(second), hand.end(first)], "swap")
    return frozenset({"swapped"})


def swap_on_a_switch(hand: Hand) -> Codes:
    """Two cables of one switch exchanged."""
    spots = hand.spots(at_switch=True)
    first = hand.pick(spots)
    return _swap(hand, first, (s for s in spots if hand.end(s)[0] == hand.end(first)[0]))


def swap_between_switches(hand: Hand) -> Codes:
    """Two cables of two switches exchanged."""
    spots = hand.spots(at_switch=True)
    first = hand.pick(spots)
    return _swap(hand, first, (s for s in spots if hand.end(s)[0] != hand.end(first)[0]))


def swap_at_a_cube(hand: Hand) -> Codes:
    """Two cables of one cube exchanged at the cube."""
    spots = hand.spots(at_switch=False)
    first = hand.pick(spots)
    rack = hand.end(first)[0].rpartition("-")[0]
    return _swap(hand, first, (s for s in spots if hand.end(s)[0].startswith(rack)))


def swap_anywhere(hand: Hand) -> Codes:
    """Two cables exchanged at either kind of end."""
    spots = hand.spots(at_switch=hand.pick((True, False)))
    return _swap(hand, hand.pick(spots), spots)


def _panel(hand: Hand, port: Port) -> list[Port]:
    """The panel that a port is on; none if the design has no such port."""
    if words.is_switch(port):
        panels = words.switch_panels(hand.kind)
        return panels.get((port[0], port[1].lstrip("0123456789")), [])
    cube = re.fullmatch(r".*-c(\d{3})-t\d\d", port[0])
    faces = words.face_panels(hand.kind, int(cube[1])).values() if cube else ()
    return next((face for face in faces if port in face), [])


def _neighbours(hand: Hand, cables: Iterable[str]) -> bool:
    """Whether the right ports of some cables are neighbours on a panel, at either end."""
    ends = [hand.plant.right[cable] for cable in cables]
    for ports in zip(*ends, strict=True):
        panel = _panel(hand, ports[0])
        if all(port in panel for port in ports):
            places = sorted(map(panel.index, ports))
            return places[-1] - places[0] == len(places) - 1
    return False


def cycle(hand: Hand) -> Codes:
    """Three or more cables, each on the port of the next."""
    spots = hand.spots(at_switch=hand.pick((True, True, False)))
    if hand.pick((True, False)):
        device = hand.end(hand.pick(spots))[0]
        spots = [spot for spot in spots if hand.end(spot)[0] == device]
    ring = hand.several(spots, 3, 6)
    if len({cable for cable, _ in ring}) < len(ring):
        raise Impossible
    ports = [hand.end(spot) for spot in ring]
    hand.put(ring, ports[1:] + ports[:1], "cycle")
    names = [cable for cable, _ in ring]
    fresh = all(cable in hand.plant.right for cable in names)
    near = fresh and _neighbours(hand, names)
    return frozenset({"rotated", "shifted"}) if near else frozenset({"rotated"})


def _run(hand: Hand, least: int, most: int = 16) -> tuple[list[Port], list[Port], dict[Port, Spot]]:
    """A panel, and a run of neighbouring ports on it that cables stand on."""
    spots = hand.spots()
    start = hand.end(hand.pick(spots))
    panel = _panel(hand, start)
    if start not in panel:
        raise Impossible
    if hand.pick((True, False)):
        panel = panel[::-1]
    there = hand.on(panel)
    run: list[Port] = []
    for port in panel[panel.index(start) :]:
        if port not in there or len(run) == most:
            break
        run.append(port)
    if len(run) < least:
        raise Impossible
    return panel, run[: hand.pick(range(least, len(run) + 1))], there


def shift(hand: Hand) -> Codes:
    """A run off by one: the last falls on a free port, or pushes the last cable out."""
    panel, run, there = _run(hand, 1)
    spots = [there[port] for port in run]
    after = panel.index(run[-1]) + 1
    if after == len(panel) or not hand.fresh(panel[after]):
        raise Impossible
    beyond = panel[after]
    pushed = hand.on([beyond])
    if beyond in hand.plant.standing() and not pushed:
        raise Impossible
    if pushed and hand.pick((True, False)):
        hand.put([*spots, pushed[beyond]], [*run[1:], beyond, None], "shift, last out")
        return frozenset({"shifted"}) if len(run) > 1 else None
    if pushed:
        cable, _ = pushed[beyond]
        hand.put([pushed[beyond]], [None], "shift, last gone")
        del hand.plant.rows[cable]
    hand.put(spots, [*run[1:], beyond], "shift")
    return frozenset({"shifted"}) if len(run) > 1 else None


def shift_around(hand: Hand) -> Codes:
    """A run off by one, the last on the port of the first."""
    _, run, there = _run(hand, 3)
    hand.put([there[port] for port in run], run[1:] + run[:1], "shift around")
    return frozenset({"shifted"} if len(run) > 3 else {"shifted", "rotated"})


def reversal(hand: Hand) -> Codes:
    """A run back to front."""
    _, run, there = _run(hand, 2)
    hand.put([there[port] for port in run], run[::-1], "reversal")
    return frozenset({"reversed"} if len(run) > 3 else {"swapped"})
