"""Where slices go that must leave what is taken out of service, and which bear it where they are.

    slots    7  8  9  4       8 is out          7  8  9  4
    ring     7->8->9->4->7    23 is free        7->23->9->4->7     7, 9 and 4 stay where they are

A slice keeps every cube that it may keep, and a free cube takes the place of each other. A join
can be kept only where both of its cubes are, and these are all kept: no choice changes fewer.

Where slices may bear switches, one that loses only links stays, and does without these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.proposals.bears import Bears
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.proposal import Stranded, links_of
from fabric_twin.core.proposals.targets import Reach
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.bearing import Bearing, carried_over, lost_circuits
from fabric_twin.core.slices.defragment import Move
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.slice import CircuitNumbers, Slice, slice_circuits


@dataclass(frozen=True)
class Moved:
    """Who moves where, who bears it, who can do neither, and what is in use thereafter."""

    moves: tuple[Move, ...]
    bears: tuple[Bears, ...]
    stranded: tuple[Stranded, ...]
    #: The circuits that are there, and go through what is out.
    through: tuple[Circuit, ...]
    occupancy: Occupancy


def move_off(now: InUse, reach: Reach, bear: int = 0) -> Moved:
    """Find another place for every slice that stands on what is out and cannot bear it.

    A join may lack at most `bear` switches, with what it lacks already. Of the slices that move,
    those under a cube go first, for most find a gap that no other could use; then those that need
    the fewest cubes, so that as many as can be find a place.
    """
    after = now.occupancy.copy()
    after.held_back = 0  # it is for this that cubes are held back
    hit = [
        made
        for made in after.slices.values()
        if reach.hits(made) and not _does_without(now, made, reach)
    ]
    through = tuple(circuit for circuit in now.there if reach.through(circuit))
    for slot in reach.out.slots:
        after.fail(slot)
    for port in reach.ports:
        after.fail_port(port)
    plant = after.design.plant
    moves: list[Move] = []
    bears: list[Bears] = []
    stranded: list[Stranded] = []
    for made in sorted(hit, key=lambda made: _order(made, reach)):
        if holder := now.holder(made):
            stranded.append(_stranded(made, through, plant, f"held by {holder}"))
            continue
        after.release(made.name)
        would = _would_bear(now, made, reach, through) if bear else None
        if would and would.keeps_a_link and would.after.most_switches <= bear:
            bears.append(would)
            after.add(would.made)
            continue
        there = _place(made, after, reach)
        if there:
            moves.append(Move(made, there))
        else:
            would = _would_bear(now, made, reach, through)
            why = "; ".join(filter(None, (_why(made, after, reach), _could(would))))
            stranded.append(_stranded(made, through, plant, why))
        after.add(there or made)
    return Moved(tuple(moves), tuple(bears), tuple(stranded), through, after)


def _does_without(now: InUse, made: Slice, reach: Reach) -> bool:
    """Whether a slice bears what is out already: no circuit of it goes through."""
    if not made.without or not reach.out.slots.isdisjoint(made.slots):
        return False
    return not any(reach.through(circuit) for circuit in now.circuits_of(made))


def _would_bear(now: InUse, made: Slice, reach: Reach, through: Sequence[Circuit]) -> Bears | None:
    """What a slice would bear where it is; none if it has no circuit, or a cube of it is out."""
    intended, design = now.intended, now.intended.design
    static = not design.medium.is_switched
    if made.chips or static or not reach.out.slots.isdisjoint(made.slots):
        return None
    whole = replace(made, without=())
    torus = slice_circuits(design, whole, intended.mate)
    numbers = list(zip(*(c.tolist() for c in (torus.switch, torus.a, torus.b)), strict=True))
    gone = set(made.without)
    taken = set(lost_circuits(design, whole, intended.mate, reach.ports)) - gone
    missing = {
        number
        for number, key in zip(numbers, torus.named(now.names), strict=True)
        if key in now.missing
    }
    parts = {switch: str(reach.on_switch(switch)) for switch, _, _ in taken}
    whys = {circuit: f"taken by maintenance of {parts[circuit[0]]}" for circuit in taken}

    def without(lost: set[CircuitNumbers]) -> Slice:
        return replace(made, without=tuple(number for number in numbers if number in lost))

    failed = frozenset(now.occupancy.failed_ports)
    mine = sum(circuit.owner == made.name for circuit in through)
    return Bears(
        made=without(gone | taken),
        before=Bearing(intended, without(gone | missing), failed),
        after=Bearing(intended, without(gone | missing | taken), failed, whys),
        links=links_of(design.plant, mine),
    )


def _could(would: Bears | None) -> str:
    """Whether a slice that cannot move could bear what is out, in words."""
    if would is None:
        return ""
    if not would.keeps_a_link:
        return "a join of two cubes would keep no link"
    many = would.after.most_switches
    lacks = f"a join would lack {many} switch{'es' * (many != 1)}"
    return f"it could bear that: {lacks}, {would.keeps}"


def _order(made: Slice, reach: Reach) -> tuple[bool, int, str]:
    if made.chips:
        return False, -made.shape.chips, made.name
    return True, len(reach.hits(made)), made.name


def _place(made: Slice, after: Occupancy, reach: Reach) -> Slice | None:
    """Where a slice would stand without what is out."""
    if made.chips or not after.design.medium.is_switched:
        # A box that stands anywhere is better than one that stands still.
        found = after.place(made.shape) or after.place(made.shape, anywhere=True)
        return Slice(made.name, made.shape, found.slots, found.chips) if found else None
    gone = set(reach.hits(made))
    free = sorted(after.free - set(made.slots))
    if len(free) < len(gone):
        return None
    instead: Iterator[int] = iter(free)
    slots = tuple(next(instead) if slot in gone else slot for slot in made.slots)
    moved = Slice(made.name, made.shape, slots)
    if not made.without:
        return moved
    moved = carried_over(reach.intended, made, moved, after.failed_ports)
    return moved if _keeps_capacity(made, moved, reach) else None


def _keeps_capacity(made: Slice, moved: Slice, reach: Reach) -> bool:
    """Whether a slice has as much of each axis where it goes as where it is."""
    before, after = (Bearing(reach.intended, one).capacity for one in (made, moved))
    return all(now >= was for was, now in zip(before, after, strict=True))


def _stranded(made: Slice, through: Sequence[Circuit], plant: Plant, why: str) -> Stranded:
    """A slice that stays, and how many links of it go through what is out."""
    mine = sum(circuit.owner == made.name for circuit in through)
    return Stranded(made.name, str(made.shape), why, links_of(plant, mine))


def _why(made: Slice, after: Occupancy, reach: Reach) -> str:
    """Why a slice has no other place; asked while it is released."""
    if made.chips:
        return f"no other cube has room for {made.shape}; {after.standing()}"
    if reach.short.issuperset(reach.intended.slots):
        return "every cube has a cable on what is out"
    if not after.design.medium.is_switched:
        return f"no other box of {made.shape} is free; {after.standing()}"
    many, free = len(reach.hits(made)), len(after.free - set(made.slots))
    if free >= many:
        return (
            "at other cubes it would lack more links of a join than it does now: what it does "
            'without is not all under "unhealthy"'
        )
    return (
        f"it needs {many} other cube{'s' * (many != 1)}, and {free} "
        f"{'is' if free == 1 else 'are'} free of what is out"
    )
