"""A cube cut by halves: the shapes of slices under a cube, and chips as bits of a number.

    4x4x4 -> 4x4x2 -> 4x2x2 -> 2x2x2 -> 2x2x1 -> 2x1x1 -> 1x1x1      (2x2x1 is a tray)

Chips are numbered so that every block is a run that begins at a multiple of its length:

    |0 ........................... 31|32 .......................... 63|
    |0 ......... 15|16 ......... 31|                                       4x4x2: z = 1, 2
    |0 .. 7|8 .. 15|                                                       4x2x2: y = 1, 2
    |0..3|4..7|                                                            2x2x2, then trays

So blocks of all sizes pack as powers of two do: what is free can always be used by a block no
larger than the largest free run, and two blocks never overlap but by one holding the other.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from fabric_twin.core.cube import Cube

#: The chips of a cube that are taken: bit n is the n-th chip.
Taken = int
#: A chip's coordinates in its cube, from 1.
Chip = tuple[int, ...]
Sides = tuple[int, ...]


@dataclass(frozen=True)
class Blocks:
    """How one kind of cube is cut."""

    #: From the whole cube to the smallest block.
    boxes: tuple[Sides, ...]
    #: The chips in the order of their bits.
    chips: tuple[Chip, ...]
    bit: dict[Chip, int]

    def box_of(self, sides: Sides) -> Sides | None:
        """The block that holds a shape under a cube, turned or not."""
        wanted = sorted(sides)
        return next((box for box in self.boxes[1:] if sorted(box) == wanted), None)

    def starts(self, size: int) -> range:
        """Where blocks of a size begin."""
        return range(0, len(self.chips), size)

    def mask(self, chips: tuple[Chip, ...]) -> Taken:
        """The bits of some chips."""
        taken = 0
        for chip in chips:
            taken |= 1 << self.bit[chip]
        return taken

    def hole(self, taken: Taken, size: int) -> tuple[int, int] | None:
        """The free run of `size` that breaks the smallest free block: (that block, first bit)."""
        best: tuple[int, int] | None = None
        for start in self.starts(size):
            if taken >> start & ((1 << size) - 1):
                continue
            whole = size
            while whole < len(self.chips):
                parent = start // (2 * whole) * 2 * whole
                if taken >> parent & ((1 << 2 * whole) - 1):
                    break
                whole *= 2
            if best is None or whole < best[0]:
                best = whole, start
        return best

    def lay(self, sides: Sides, start: int) -> tuple[Chip, ...]:
        """The chips of a shape in its block, in the shape's own order: its last axis runs fastest.

        A shape may lie turned in the block: 1x2x2 takes a tray of 2x2x1.
        """
        box = self.box_of(sides) or sides
        axes = _turn(sides, box)
        corner = self.chips[start]
        chips = []
        for place in product(*map(range, sides)):
            chip = list(corner)
            for axis, step in zip(axes, place, strict=True):
                chip[axis] += step
            chips.append(tuple(chip))
        return tuple(chips)


@cache
def blocks_of(cube: Cube) -> Blocks:
    """Cut a cube by halves, the longest even side first, the last of equal ones."""
    boxes, cuts = [cube.chips], []
    while even := [axis for axis, side in enumerate(boxes[-1]) if side % 2 == 0]:
        cut = max(even, key=lambda axis: (boxes[-1][axis], axis))
        cuts.append(cut)
        boxes.append(tuple(s // 2 if a == cut else s for a, s in enumerate(boxes[-1])))
    corners: list[Chip] = [(1,) * cube.dimensions]
    for cut, box in zip(cuts, boxes[1:], strict=True):
        halves = ((0, box[cut]) for _ in corners)
        corners = [
            tuple(at + far * (axis == cut) for axis, at in enumerate(corner))
            for corner, both in zip(corners, halves, strict=True)
            for far in both
        ]
    chips = tuple(
        tuple(at + step for at, step in zip(corner, place, strict=True))
        for corner in corners
        for place in product(*map(range, boxes[-1]))
    )
    return Blocks(tuple(boxes), chips, {chip: bit for bit, chip in enumerate(chips)})


def _turn(sides: Sides, box: Sides) -> list[int]:
    """Which axis of the block each axis of a shape lies along; its own where that fits."""
    left = list(range(len(box)))
    axes = [-1] * len(sides)
    for axis, side in enumerate(sides):
        if box[axis] == side:
            axes[axis] = axis
            left.remove(axis)
    for axis, side in enumerate(sides):
        if axes[axis] < 0:
            axes[axis] = next(other for other in left if box[other] == side)
            left.remove(axes[axis])
    return axes
