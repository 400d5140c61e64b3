"""The mirrors of all switches of a pod: what is configured, and where they really point.

    configured   7A -> 9B        what the switch's configuration wants; survives a reboot
    steered      7A -> 9B        what the mirrors were told; lost with power
    stands       7A -> 9B        where they point once they settled; a stuck mirror stays

Light passes from an A port to a B port when both mirrors stand on each other.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.core.rule import Column
from fabric_twin.simulator.points import NOWHERE, Points

Levels = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Power feeds and fans; one of each may be lost.
FEEDS, FANS = 2, 4
#: Seconds that one batch of mirrors takes.
TUNING = 0.02


@dataclass(eq=False)
class Mirrors:
    """Columns have one row a switch, and one entry a simplex port unless said otherwise."""

    points: Points
    #: The B port (0 to radix-1) that each A port shall be joined to; one entry an A port.
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
    feeds: Mask
    fans: Mask
    #: One entry a switch: whether it runs, and when its mirrors have finished the last batch.
    runs: Mask
    busy: Levels
    #: Seconds that one batch takes; one entry a switch.
    tuning: Levels
    #: Factory loss in dB: of each port, and what each pair adds comes from a hash.
    loss: Levels
    labels: list[dict[str, str]] = field(default_factory=list)
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
            feeds=all_well(FEEDS),
            fans=all_well(FANS),
            runs=np.ones(switches, dtype=np.bool_),
            busy=np.zeros(switches),
            tuning=np.full(switches, tuning),
            loss=0.55 + random.gamma(3.0, 0.06, (switches, ports)),
            labels=[{} for _ in range(switches)],
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

    def steer(self, switch: int, now: float) -> float:
        """Send a switch's mirrors where its configuration wants them; when they will be at rest.

        One batch at a time: a second waits for the first.
        """
        wanted = self.wanted(switch)
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
        radix, joined = self.radix, self.configured[switch]
        wanted = np.full(2 * radix, NOWHERE, dtype=np.int32)
        a = np.flatnonzero(joined != NOWHERE).astype(np.int32)
        wanted[a] = radix + joined[a]
        wanted[radix + joined[a]] = a
        return wanted

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


@cache
def _board_of(radix: int) -> Column:
    side = np.arange(radix) * BOARDS // radix
    return np.concatenate([side, side]).astype(np.int32)
