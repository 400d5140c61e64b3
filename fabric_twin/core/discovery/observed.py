"""What discovery says in the end, of every port."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column


class Seen(IntEnum):
    """How it is known where a cube port is, or why it is not."""

    #: Light: it can be nowhere else.
    LIGHT = 0
    #: Seen as the rule wants it in every round, but light cannot tell it from others.
    FITS = 1
    #: In a circuit in use, across which it sees whom the rule wants it to see.
    IN_USE = 2
    #: In a circuit in use (or joined without a switch), and not as the rule wants it.
    IN_USE_ELSEWHERE = 3
    #: Seen, but what was seen does not say where.
    UNTOLD = 4
    #: What was seen contradicts itself.
    ODD = 5
    #: No light in any round.
    DARK = 6
    #: It was known beforehand that it sends no light: an empty cage, or a cube without an answer.
    SILENT = 7
    #: Not looked for: its slot holds no cube.
    ABSENT = 8

    @property
    def word(self) -> str:
        """As a sheet and a report have it."""
        return self.name.lower().replace("_", "-")


class Heard(IntEnum):
    """What is known of a switch port."""

    #: A cube port is in it.
    LIT = 0
    #: Somebody who is not of this pod is in it.
    FOREIGN = 1
    #: Nothing that shines is in it.
    DARK = 2
    #: It was not to be touched: in use, blocked or failed.
    UNTOUCHED = 3
    #: Light did not tell.
    UNTOLD = 4


@dataclass(frozen=True, eq=False)
class Observed:
    """The observed plant."""

    rounds: int
    #: By port: who is at the other end; below 0 where that is not known. Two switch ports can name
    #: one cube port: two go by that name.
    end: Column
    #: By cube port, a `Seen`.
    seen: NDArray[np.int8]
    #: By switch port (counted from the first), a `Heard`.
    heard: NDArray[np.int8]
    #: By switch port where somebody of no design is: the cube port that saw it, and the round.
    strangers: dict[int, tuple[int, int]]
