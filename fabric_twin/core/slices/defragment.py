"""Bring slices under a cube together, so that cubes become free.

    slot 3  |a a . .|      move b        slot 3  |a a b .|
    slot 7  |b . . .|      ------->      slot 7  |. . . .|   free

With optical switching only these fragment a pod: slices of whole cubes never move. A slice that
moves is interrupted (it is saved, stopped and started again); no slice moves before its new chips
are free.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_twin.core.slices.blocks import Blocks, Taken, blocks_of
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.slice import Slice


@dataclass(frozen=True)
class Move:
    """One slice from its chips to others; done in the order they are given."""

    before: Slice
    after: Slice

    def __str__(self) -> str:
        """What is done, in words."""
        return (
            f"interrupt {self.before.name} ({self.before.shape}), and move it from slot "
            f"{self.before.slots[0]} to slot {self.after.slots[0]}"
        )


@dataclass(frozen=True)
class Defragmentation:
    """What moves, and the cubes that are free thereafter."""

    moves: tuple[Move, ...]
    freed: tuple[int, ...]

    @property
    def together(self) -> tuple[Move, ...]:
        """From where each slice goes to where it ends, for who does all moves at once."""
        first = {move.before.name: move.before for move in reversed(self.moves)}
        last = {move.after.name: move.after for move in self.moves}
        moves = (Move(first[name], last[name]) for name in self.interrupted)
        return tuple(move for move in moves if move.before != move.after)

    @property
    def interrupted(self) -> tuple[str, ...]:
        """The slices that are interrupted, once each."""
        return tuple(dict.fromkeys(move.before.name for move in self.moves))


def defragment(occupancy: Occupancy, most: int | None = None) -> Defragmentation:
    """Empty as many cubes as can be, or at most so many; the fewest chips in use first."""
    cubes = _Cubes(occupancy)
    left, freed = cubes.slots - cubes.keep, list[int]()
    while left and (most is None or len(freed) < most):
        # What has moved fills other cubes: which is the emptiest is asked anew.
        slot = min(left, key=lambda slot: (cubes.taken(slot).bit_count(), slot))
        left.remove(slot)
        if cubes.empty(slot):
            freed.append(slot)
    return Defragmentation(tuple(cubes.moves), tuple(sorted(freed)))


class _Cubes:
    """The shared cubes as they are after the moves so far."""

    def __init__(self, occupancy: Occupancy) -> None:
        self.blocks: Blocks = blocks_of(occupancy.design.cube)
        #: Only healthy cubes take part, and no cube that is kept for slices of whole cubes.
        self.slots = set(occupancy.shared)
        self.standing = {
            made.name: made
            for made in occupancy.slices.values()
            if made.chips and made.slots[0] in self.slots
        }
        # A cube that only parts can use (an unhealthy port) is not worth emptying.
        self.keep = {slot for slot in self.slots if occupancy.unhealthy_ports[slot]}
        self.moves: list[Move] = []

    def taken(self, slot: int) -> Taken:
        """The chips in use of a cube."""
        bits = 0
        for made in self.standing.values():
            if made.slots[0] == slot:
                bits |= self.blocks.mask(made.chips)
        return bits

    def empty(self, slot: int) -> bool:
        """Move everything off a cube, or leave all as it was."""
        standing, moves = dict(self.standing), list(self.moves)
        others = {other: 0 for other in self.slots if other != slot}
        for made in self._largest_first(slot, -1):
            if not self._move(made, others):
                self.standing, self.moves = standing, moves
                return False
        self.slots.remove(slot)
        return True

    def _largest_first(self, slot: int, block: Taken) -> Iterator[Slice]:
        found = (
            made
            for made in self.standing.values()
            if made.slots[0] == slot and self.blocks.mask(made.chips) & block
        )
        yield from sorted(found, key=lambda made: (-made.shape.chips, made.name))

    def _move(self, made: Slice, closed: dict[int, Taken]) -> bool:
        """Move a slice to the cubes in `closed`, off the chips that it closes there."""
        size, sides = made.shape.chips, made.shape.sides
        gaps = [
            (hole, slot)
            for slot, shut in closed.items()
            if (hole := self.blocks.hole(self.taken(slot) | shut, size))
        ]
        if gaps:
            (_, start), slot = min(gaps)
        else:
            # No gap is large enough: clear the block with the fewest chips in use, as smaller
            # slices fit into the gaps elsewhere.
            cleared = self._clear(size, closed)
            if cleared is None:
                return False
            slot, start = cleared
        after = Slice(made.name, made.shape, (slot,), self.blocks.lay(sides, start))
        self.standing[made.name] = after
        self.moves.append(Move(made, after))
        return True

    def _clear(self, size: int, closed: dict[int, Taken]) -> tuple[int, int] | None:
        run = (1 << size) - 1
        blocks = [
            ((self.taken(slot) >> start & run).bit_count(), slot, start)
            for slot, shut in closed.items()
            for start in self.blocks.starts(size)
            if not shut >> start & run
        ]
        if not blocks or min(blocks)[0] == size:
            return None
        _, slot, start = min(blocks)
        inner = closed | {slot: closed[slot] | run << start}
        # Only smaller slices are moved on, so this ends; a larger one holds all of the block.
        if all(self._move(made, inner) for made in self._largest_first(slot, run << start)):
            return slot, start
        return None
