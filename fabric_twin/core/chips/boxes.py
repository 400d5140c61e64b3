"""Many wrong parts as few causes: whole boxes of them, the largest first.

What was lost together is mostly one mistake: all parts of an endpoint, of a waveguide, of a ring.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.chips.netlist import Mask, Numbers

#: An axis of a box: the numbers on it, counted from 0; None where it is all of them.
Along = tuple[int, ...] | None


@dataclass(frozen=True)
class Box:
    """Parts of one cause: along each axis one number, all, or (last axis of all) some."""

    along: tuple[Along, ...]

    @property
    def cells(self) -> tuple[NDArray[np.intp] | slice, ...]:
        """The box as an index of a column."""
        return tuple(
            slice(None)
            if numbers is None
            else np.array(numbers, dtype=np.intp)
            if len(numbers) > 1
            else slice(numbers[0], numbers[0] + 1)
            for numbers in self.along
        )

    def size(self, of: Mask) -> int:
        """How many parts of a mask are in it."""
        return int(np.count_nonzero(of[self.cells]))

    def held(self, by: Numbers) -> tuple[int, ...]:
        """The different numbers that its parts hold."""
        numbers = np.unique(by[self.cells])
        return tuple(numbers[numbers > 0].tolist())

    def __str__(self) -> str:
        """Its numbers axis by axis: `3/12/1,2`, and `*` where it is all of them."""
        return "/".join(
            "*" if numbers is None else ",".join(str(number + 1) for number in numbers)
            for numbers in self.along
        )

    def one(self, axis: int) -> int | None:
        """The number (from 1) on an axis where there is just one; None where it is all."""
        numbers = self.along[axis]
        return None if numbers is None or len(numbers) > 1 else numbers[0] + 1

    def some(self, axis: int) -> tuple[int, ...] | None:
        """The numbers (from 1) on an axis; None where it is all."""
        numbers = self.along[axis]
        return None if numbers is None else tuple(number + 1 for number in numbers)


def boxes(mask: Mask, wanted: Mask, whole: Sequence[Sequence[int]]) -> Iterator[Box]:
    """Every true cell of a mask, in one box.

    `whole` names the axes that a box may fix, most parts first; it is taken if every wanted part
    within is in the mask. What is left is told by all axes but the last, with the numbers on that.
    """
    left = mask.copy()
    for fixed in whole:
        if not left.any():
            return
        free = tuple(axis for axis in range(mask.ndim) if axis not in fixed)
        full = ((mask | ~wanted).all(axis=free)) & left.any(axis=free)
        for cell in np.argwhere(full):
            at: list[Along] = [None] * mask.ndim
            within: list[slice | int] = [slice(None)] * mask.ndim
            for axis, number in zip(fixed, cell.tolist(), strict=True):
                at[axis], within[axis] = (number,), number
            if left[tuple(within)].any():
                left[tuple(within)] = False
                yield Box(tuple(at))
    for cell in np.argwhere(left.any(axis=-1)):
        numbers = tuple(np.flatnonzero(left[tuple(cell)]).tolist())
        last = None if len(numbers) == mask.shape[-1] else numbers
        yield Box((*((number,) for number in cell.tolist()), last))
