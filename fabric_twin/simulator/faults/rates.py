"""Faults by chance, at the rates that are published for production (facts, 5).

Published are 0.08% of machines, 0.005% of cables and 0.04% of switches a day; which kinds of fault
make them up is our own division [A].
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.core.kinds import Kind
from fabric_twin.simulator.faults.book import KINDS, OF_CLUSTERS, FaultBook, check_of
from fabric_twin.simulator.pod import SimulatedPod

DAY = 86400.0
#: A day, per machine (a tray), per cable (optical or copper), per switch.
MACHINES, CABLES, SWITCHES = 0.0008, 0.00005, 0.0004
#: What part of each rate a kind has, and hours until it is mended [A].
SHARES = {
    "tray-down": (MACHINES, 0.97, 6.0),
    "cube-down": (MACHINES, 0.03, 4.0),
    "dirty": (CABLES, 0.35, 12.0),
    "broken": (CABLES, 0.15, 24.0),
    "dying-transceiver": (CABLES, 0.40, 12.0),
    "missing": (CABLES, 0.05, 8.0),
    "misplugged": (CABLES, 0.05, 8.0),
    "copper-down": (CABLES, 1.00, 24.0),
    "stuck-mirror": (SWITCHES, 0.15, 24.0),
    "lossy-mirror": (SWITCHES, 0.20, 48.0),
    "board-out": (SWITCHES, 0.15, 4.0),
    "feed-lost": (SWITCHES, 0.15, 8.0),
    "fan-lost": (SWITCHES, 0.15, 8.0),
    "switch-down": (SWITCHES, 0.05, 4.0),
    "switch-rebooting": (SWITCHES, 0.15, 0.025),
}


def published(pod: SimulatedPod) -> dict[str, float]:
    """Faults a day of a pod, by kind."""
    layout, cubes = pod.design.layout, len(pod.cubes)
    many = {
        MACHINES: cubes * layout.cube.trays,
        CABLES: len(pod.plant.names),
        SWITCHES: pod.points.switches,
    }
    rates = {kind: rate * share * many[rate] for kind, (rate, share, _) in SHARES.items()}
    rates["copper-down"] = CABLES * cubes * len(layout.cube.copper_links)
    if pod.points.is_packet:
        rates = {kind: rate for kind, rate in rates.items() if kind in OF_CLUSTERS}
        # A group is one machine, and so are the processors in it; switches fail as others do.
        groups = pod.design.slots
        rates["cube-down"] = MACHINES * groups + SWITCHES * (cubes - groups)
    if pod.design.kind is Kind.NETWORK:
        rates["cube-down"] += rates.pop("tray-down")
    # A full pod has no free port that a cable could be moved to.
    if len(pod.plant.names) == len(layout.cable_a) and not layout.spare.any():
        rates["swapped"] = rates.pop("misplugged")
    return rates


def read_rates(given: Any) -> dict[str, float]:
    """Rates of a faults file: kinds, and how many a day."""
    if not isinstance(given, Mapping):
        raise UnusableInput('"rates" is not an object', where="rates", remedy='Write {"dirty": 2}')
    for kind, rate in given.items():
        good = not isinstance(rate, bool) and isinstance(rate, int | float) and 0 <= rate <= 1e6
        if kind not in KINDS or not good:
            raise UnusableInput(
                f"{str(kind)[:40]!r} is not a kind of fault, or its rate is not a number",
                where="rates",
                remedy=f"Use kinds such as {next(iter(KINDS))}, and how many a day",
            )
    return dict(given)


@dataclass(eq=False)
class Chance:
    """Makes faults at rates, and has them mended after a while; the same from the same seed."""

    book: FaultBook
    rates: Mapping[str, float]
    seed: int
    #: Whether faults go by themselves, as if someone mended them; or stay until someone does.
    mends: bool = True
    #: Until when faults come, in seconds of the pod's clock.
    until: float = math.inf
    #: How often each kind came.
    came: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw when the first fault comes."""
        self._random = np.random.default_rng([self.seed, 4])
        self._kinds = [kind for kind, rate in self.rates.items() if rate > 0]
        for kind in self._kinds:
            self._check(kind)
        self._total = sum(self.rates[kind] for kind in self._kinds)
        if self._total:
            self._draw()

    def _check(self, kind: str) -> None:
        """Refuse at once a kind that this pod can never have; of others a place comes free."""
        with suppress(NotPossible):
            try:
                check_of(self.book.pod, kind)
                KINDS[kind].anywhere(self.book.pod, np.random.default_rng())
            except UnusableInput as refusal:
                raise UnusableInput(
                    refusal.what, where=f"rates, {kind}", remedy=refusal.remedy
                ) from None

    def _draw(self) -> None:
        pod = self.book.pod
        pause = float(self._random.exponential(DAY / self._total))
        pod.timeline.at(self._after(pause), self._come)

    def _after(self, pause: float) -> float:
        # From when the last was due, not from when it was noticed: a run repeats exactly.
        self._due = getattr(self, "_due", self.book.pod.clock.now()) + pause
        return self._due

    def _come(self) -> None:
        if self._due > self.until:
            return
        weights = [self.rates[kind] / self._total for kind in self._kinds]
        kind = str(self._random.choice(self._kinds, p=weights))
        hours = SHARES[kind][2] if kind in SHARES else 8.0
        lasts = float(self._random.exponential(hours * 3600))
        try:
            wish = {"kind": kind, **KINDS[kind].anywhere(self.book.pod, self._random)}
            if self.mends:
                wish["for"] = round(lasts, 3)
            self.book.make(wish, by="chance")
            self.came[kind] = self.came.get(kind, 0) + 1
        except FabricTwinError:
            # What chance wants to break is broken, or taken, already.
            pass
        self._draw()
