"""What is known so far, and what follows from it: a walk along the circuits of all rounds.

    known          c007 X+ is in 7A
    round 2 set    7A -- 8B            and c007 X+ saw c008 X-       so c008 X- is in 8B
    round 3 set    7A -- 9B            and c007 X+ saw nobody        so 9B is dark

A port found so leads on to others. Nothing else is ever concluded here: all that is known
hangs on the first ports, and on light that was seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column


@dataclass(eq=False)
class Knowledge:
    """Which cube port is in which switch port, as far as it is known."""

    #: How many of the ports are cubes'.
    cube_ports: int
    #: By cube port: the switch port that it is in, or NOT_KNOWN. By switch port: who is in it;
    #: NO_PORT where it is dark, NOT_OF_DESIGN where somebody of another pod is, or NOT_KNOWN.
    end: Column
    #: Cube ports that were seen where they cannot be.
    odd: Mask

    @classmethod
    def none(cls, ports: int, cube_ports: int) -> Self:
        """Nothing is known."""
        return cls(cube_ports, np.full(ports, NOT_KNOWN, np.int32), np.zeros(ports, np.bool_))

    def copy(self) -> "Knowledge":
        """The same, to go on from."""
        return Knowledge(self.cube_ports, self.end.copy(), self.odd.copy())

    @property
    def placed(self) -> Column:
        """Cube ports of which it is known where they are."""
        return np.flatnonzero(self.end[: self.cube_ports] >= 0).astype(np.int32)

    def place(self, cubes: Column, switches: Column) -> None:
        """Say where some cube ports are."""
        self.end[cubes], self.end[switches] = switches, cubes

    def walk(self, rounds: Sequence[Column], start: Column | None = None) -> None:
        """Conclude all that follows from where some ports are (all that are known, by default)."""
        fresh = self.placed if start is None else start
        while fresh.size:
            steps = [self._step(fresh, meets) for meets in rounds]
            fresh = np.unique(np.concatenate(steps)) if steps else fresh[:0]

    def _step(self, here: Column, meets: Column) -> Column:
        """What some ports saw in one round; the ports that are placed by it."""
        at, seen = meets[self.end[here]], meets[here]
        joined = at >= 0
        self.odd[here[~joined & (seen >= 0)]] = True
        self._none(at[joined & (seen == NO_PORT)], NO_PORT)
        self._none(at[joined & (seen == NOT_OF_DESIGN)], NOT_OF_DESIGN)
        named = joined & (seen >= 0)
        at, seen, here = at[named], seen[named], here[named]
        taken = (self.end[at] >= 0) & (self.end[at] != seen)
        self.odd[seen[taken]] = True
        at, seen, here = at[~taken], seen[~taken], here[~taken]
        self.end[at] = seen
        # Two may go by one name: only who sees back is the one that was seen.
        sure = meets[seen] == here
        at, seen = at[sure], seen[sure]
        self.odd[seen[(self.end[seen] >= 0) & (self.end[seen] != at)]] = True
        new = self.end[seen] == NOT_KNOWN
        self.end[seen[new]] = at[new]
        placed: Column = seen[new]
        return placed

    def _none(self, switches: Column, what: int) -> None:
        self.end[switches[self.end[switches] == NOT_KNOWN]] = what
