"""The mirrors of all switches of a pod: what is configured, and where they really point.

    circuits     7A-9B           what the switch's configuration wants; survives a reboot
    carried      7A-9B           what it says that it carries, as told when mirrors were steered
    steered      7A -> 9B        what the mirrors were told; lost with power
    stands       7A -> 9B        where they point once they settled; a stuck mirror stays

Light passes from an A port to a B port when both mirrors stand on each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.core.fabric.columns import Column
from fabric_twin.simulator.points import NOWHERE, Points

Levels = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Power feeds and fans; one of each may be lost.
FEEDS, FANS = 2, 4
#: Seconds that one batch of mirrors takes.
TUNING = 0.02
NO_PAIRS: Column = np.empty((0, 2), dtype=np.int32)


@dataclass(eq=False)
class Mirrors:
    """Columns have one row a switch, and one entry a simplex port unless said otherwise."""

    points: Points
    #: The B port (0 to radix-1) that each A port shall be joined to; one entry an A port. Where
    #: circuits share a port, the last one counts.
    configured: Column
    #: The simplex port that each mirror was told to look at, or NOWHERE.
    steered: Column
    stands: Column
    #: When each mirror comes to rest.
    settles: Levels
    stuck: Mask
    #: dB that a mirror loses more than it did in the factory.
    worn: Levels
    blocked: Mask
    #: One entry a board, a feed, a fan.
    boards: Mask
    #: Boards that are not even in the slot.
    pulled: Mask
    feeds: Mask
    fans: Mask
    #: One entry a switch: whether it runs, and when its mirrors have finished the last batch.
    runs: Mask
    busy: Levels
    #: Seconds that one batch takes; one entry a switch.
    tuning: Levels
    #: Factory loss in dB: of each port, and what each pair adds comes from a hash.
    loss: Levels
    #: By switch, as pairs of an A port and a B port: circuits as configured, circuits that it says
    #: it carries, and those that it carries though nobody wants them.
    circuits: list[Column] = field(default_factory=list)
    carried: list[Column] = field(default_factory=list)
    stale: list[Column] = field(default_factory=list)
    version: int = 0

    @classmethod
    def parked(cls, points: Points, seed: int, tuning: float = TUNING) -> "Mirrors":
        """Switches without a circuit."""
        switches, ports = points.switches, points.per_switch
        random = np.random.default_rng([seed, 2])

        def none(width: int) -> Column:
            return np.full((switches, width), NOWHERE, dtype=np.int32)

        def all_well(width: int) -> Mask:
            return np.ones((switches, width), dtype=np.bool_)

        return cls(
            points,
            configured=none(points.layout.radix),
            steered=none(ports),
            stands=none(ports),
            settles=np.zeros((switches, ports)),
            stuck=~all_well(ports),
            worn=np.zeros((switches, ports)),
            blocked=~all_well(ports),
            boards=all_well(BOARDS),
            pulled=~all_well(BOARDS),
            feeds=all_well(FEEDS),
            fans=all_well(FANS),
            runs=np.ones(switches, dtype=np.bool_),
            busy=np.zeros(switches),
            tuning=np.full(switches, tuning),
            loss=0.55 + random.gamma(3.0, 0.06, (switches, ports)),
            circuits=[NO_PAIRS] * switches,
            carried=[NO_PAIRS] * switches,
            stale=[NO_PAIRS] * switches,
        )

    def changed(self) -> None:
        """Some mirror moves, or some switch does."""
        self.version += 1

    @property
    def radix(self) -> int:
        """Ports a side."""
        return self.points.layout.radix

    @property
    def board_of(self) -> Column:
        """The board that drives each simplex port: 8 boards of 17 or 18 ports a side."""
        return _board_of(self.radix)

    @property
    def driven(self) -> Mask:
        """Mirrors that have power and a board."""
        lit: Mask = (self.runs & self.feeds.any(axis=1))[:, None] & self.boards[:, self.board_of]
        return lit

    def driven_of(self, switch: int) -> Mask:
        """Mirrors of one switch that have power and a board."""
        runs = self.runs[switch] and self.feeds[switch].any()
        lit: Mask = runs & self.boards[switch][self.board_of]
        return lit

    def configure(self, switch: int, circuits: Column) -> None:
        """Take circuits into a switch's configuration.

        One that is deleted is really gone, also where the switch carried it against its will.
        """
        if len(self.stale[switch]):
            was, now, stale = (
                set(map(tuple, pairs.tolist()))
                for pairs in (self.circuits[switch], circuits, self.stale[switch])
            )
            self.stale[switch] = pairs_of(stale - (was - now))
        self.circuits[switch] = circuits
        self.configured[switch] = NOWHERE
        self.configured[switch][circuits[:, 0]] = circuits[:, 1] - self.radix
        self.changed()

    def steer(self, switch: int, now: float) -> float:
        """Send a switch's mirrors where its configuration wants them; when they will be at rest.

        One batch at a time: a second waits for the first.
        """
        wanted = self.wanted(switch)
        self.carried[switch] = self._hardware(switch)
        driven = self.driven_of(switch)
        moving = driven & (wanted != self.steered[switch])
        if not moving.any():
            return float(self.busy[switch])
        rests = max(now, float(self.busy[switch])) + float(self.tuning[switch])
        self.busy[switch] = rests
        self.steered[switch][moving] = wanted[moving]
        self.settles[switch][moving] = rests
        free = moving & ~self.stuck[switch]
        self.stands[switch][free] = wanted[free]
        self.changed()
        return rests

    def wanted(self, switch: int) -> Column:
        """Where the configuration wants each mirror of a switch."""
        wanted = np.full(2 * self.radix, NOWHERE, dtype=np.int32)
        for pairs in (self.stale[switch], self.circuits[switch]):
            wanted[pairs[:, 0]] = pairs[:, 1]
            wanted[pairs[:, 1]] = pairs[:, 0]
        return wanted

    def _hardware(self, switch: int) -> Column:
        """Circuits that a switch says it carries: what is configured, and what it did not let go.

        It says so of every one, also where two share a port and light passes one of them only.
        """
        circuits, stale = self.circuits[switch], self.stale[switch]
        if not len(stale):
            return circuits
        known = set(map(tuple, circuits.tolist()))
        left = [pair for pair in stale.tolist() if tuple(pair) not in known]
        return np.concatenate([circuits, pairs_of(left)])

    def drop(self, switch: int, mirrors: Mask) -> None:
        """Mirrors without power point nowhere."""
        self.steered[switch][mirrors] = NOWHERE
        self.stands[switch][mirrors] = NOWHERE
        self.changed()

    def through(self, now: float) -> Column:
        """The point that light leaves by, for each point of a switch that it enters by."""
        points, radix = self.points, self.radix
        ready = self.driven & ~self.blocked & (self.settles <= now)
        stands = np.where(ready, self.stands, NOWHERE)
        through = np.full(len(points), NOWHERE, dtype=np.int32)
        switch, a = np.nonzero(stands[:, :radix] != NOWHERE)
        b = stands[switch, a]
        passes = stands[switch, b] == a
        first = points.of_cubes + switch[passes] * points.per_switch
        enter, leave = first + a[passes], first + b[passes]
        through[enter], through[leave] = leave, enter
        return through

    def factory_loss(self, switch: Column, a: Column, b: Column) -> Levels:
        """dB of pairs as measured in the factory; b is a simplex port (radix and more)."""
        mixed = switch.astype(np.uint64) * np.uint64(1_000_003)
        mixed = (mixed + a.astype(np.uint64)) * np.uint64(7_919) + b.astype(np.uint64)
        noise = (mixed * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) / 2**24
        # A long tail of splices: most pairs add little, a few add much.
        return np.asarray(self.loss[switch, a] + self.loss[switch, b] - 0.12 * np.log(noise + 1e-6))

    def live_loss(self, switch: Column, a: Column, b: Column) -> Levels:
        """dB of pairs as measured now."""
        worn = self.worn[switch, a] + self.worn[switch, b]
        return np.asarray(self.factory_loss(switch, a, b) + worn)


def pairs_of(pairs: Iterable[Sequence[int]]) -> Column:
    """Pairs of an A port and a B port as a column."""
    return np.array(sorted(map(tuple, pairs)), dtype=np.int32).reshape(-1, 2)


@cache
def _board_of(radix: int) -> Column:
    side = np.arange(radix) * BOARDS // radix
    return np.concatenate([side, side]).astype(np.int32)
