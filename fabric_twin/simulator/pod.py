"""A simulated pod: its plant, mirrors, parts and time, and how they act on each other."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rule import Column
from fabric_twin.dialects.sonic import UPSTREAM, Dialect
from fabric_twin.simulator.clock import Clock
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.mirrors import TUNING, Mask, Mirrors
from fabric_twin.simulator.optics import Light, light
from fabric_twin.simulator.parts import Parts
from fabric_twin.simulator.plant import Plant
from fabric_twin.simulator.points import Points
from fabric_twin.simulator.timeline import Timeline

#: Seconds after which light is looked at anew though nothing happened: it drifts.
DRIFT = 10.0


@dataclass(frozen=True)
class Manners:
    """How a device behaves towards who speaks to it."""

    #: Acknowledges a change and leaves it: all of it, or every other circuit.
    ignores: bool = False
    halves: bool = False
    #: Makes a change, and its answer is lost.
    loses: bool = False
    #: Takes a change into its configuration and never moves a mirror.
    idle: bool = False
    #: Real seconds before it answers.
    late: float = 0.0
    #: Tells of a moment long gone; or tells nothing of its transceivers, or its ports.
    stale: bool = False
    absent: bool = False
    #: Does not answer at all.
    silent: bool = False


@dataclass(eq=False)
class SimulatedPod:
    """One pod, whose every part can be looked at and broken."""

    design: Design
    intended: Intended
    points: Points
    plant: Plant
    mirrors: Mirrors
    parts: Parts
    clock: Clock
    seed: int
    timeline: Timeline = field(default_factory=Timeline)
    dialects: list[Dialect] = field(default_factory=list)
    #: Who each switch says that it is, wherever it is asked; empty where it cannot tell.
    hostnames: list[str] = field(default_factory=list)
    serials: list[str] = field(default_factory=list)
    #: The switch that really answers where each switch is expected: addresses may be exchanged.
    answers: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    manners: dict[str, Manners] = field(default_factory=dict)
    #: What stale devices said last, and when: by device and path.
    frozen: dict[tuple[str, object], tuple[int, Any]] = field(default_factory=dict)
    #: Tables as they were told last, by switch and path: what they were made of, and their text.
    told: dict[tuple[int, tuple[str, ...]], tuple[object, bytes]] = field(default_factory=dict)
    #: When the fabric was first switched on, in seconds since 1970.
    epoch: float = 0.0
    #: Called after every change; must be quick.
    listeners: list[Callable[[], None]] = field(default_factory=list)
    #: Called after a change that a restart must not lose.
    on_configured: Callable[[], None] = lambda: None
    _seen: tuple[object, Light] | None = None

    @classmethod
    def build(
        cls,
        design: Design,
        pod: str,
        clock: Clock,
        *,
        seed: int = 1,
        slots: tuple[int, ...] | None = None,
        dialect: Dialect = UPSTREAM,
        tuning: float = TUNING,
    ) -> "SimulatedPod":
        """A pod as it should be, its mirrors parked."""
        if not design.layout.switches:
            raise UnusableInput(
                "a pod without switches has nothing to simulate",
                where=f"design {design.name}",
                remedy="Choose a design with switches",
            )
        intended = intended_plant(design, pod, slots)
        points = Points(intended.names)
        return cls(
            design,
            intended,
            points,
            Plant.as_intended(intended, points, seed),
            Mirrors.parked(points, seed, tuning),
            Parts.new(design.layout, pod, design.transceiver, intended.slots, seed),
            clock,
            seed,
            dialects=[dialect] * points.switches,
            hostnames=list(intended.names.switches),
            serials=[_serial(seed, switch) for switch in range(points.switches)],
            answers=np.arange(points.switches, dtype=np.int32),
            epoch=time.time() - clock.now(),
        )

    @property
    def name(self) -> str:
        """The pod's name."""
        return self.points.names.pod

    @cached_property
    def cubes(self) -> dict[str, int]:
        """The slot of every cube by name."""
        return {self.points.names.cube(slot): slot for slot in self.intended.slots}

    @cached_property
    def devices(self) -> frozenset[str]:
        """Every device that can be spoken to."""
        return frozenset(self.cubes) | frozenset(self.points.switch_numbers)

    def manner(self, device: str) -> Manners:
        """How a device behaves."""
        return self.manners.get(device, _WELL)

    def advance(self) -> float:
        """Do what is due by now, and say what time it is."""
        now = self.clock.now()
        if self.timeline.run_until(now):
            self.changed()
        return now

    def changed(self) -> None:
        """Tell who watches."""
        for listener in self.listeners:
            listener()

    def light(self) -> Light:
        """What every receiver sees now."""
        now = self.advance()
        settled = int((self.mirrors.settles <= now).sum())
        versions = self.plant.version, self.mirrors.version, self.parts.version
        key = (versions, settled, now // DRIFT)
        if self._seen is None or self._seen[0] != key:
            self._seen = key, light(self.plant, self.mirrors, self.parts, now)
        return self._seen[1]

    def commit(self, switch: int, draft: Draft) -> None:
        """Take a switch's new configuration, as far as its manners let it, and steer."""
        manner = self.manner(self.points.names.switches[switch])
        if manner.ignores:
            return
        if manner.halves:
            draft = _halved(Draft.of(self.mirrors, switch), draft)
        draft.write(self.mirrors, switch)
        if not manner.idle:
            self.steer(switch)
        self.on_configured()
        self.changed()

    def steer(self, switch: int) -> None:
        """Send a switch's mirrors where its configuration wants them; tell when they rest."""
        rests = self.mirrors.steer(switch, self.clock.now())
        self.timeline.at(rests, self.changed)

    def power(self, switch: int, on: bool) -> None:
        """Switch a switch off, or on: then its configured circuits come back."""
        self.mirrors.runs[switch] = on
        if on:
            self.steer(switch)
        else:
            self.mirrors.drop(switch, np.ones(self.points.per_switch, np.bool_))
            self.mirrors.busy[switch] = 0.0
        self.changed()

    def unpower(self, switch: int, mirrors: Mask) -> None:
        """Take power from some mirrors of a switch."""
        self.mirrors.drop(switch, mirrors)
        self.changed()

    def answering(self, switch: int) -> bool:
        """Whether a switch has power and runs."""
        return bool(self.mirrors.runs[switch] and self.mirrors.feeds[switch].any())


_WELL = Manners()


def _serial(seed: int, switch: int) -> str:
    """The serial of a switch's chassis."""
    return f"OCS{(seed * 7919 + switch * 104729) % 10**8:08d}"


def _halved(before: Draft, wanted: Draft) -> Draft:
    """Every other circuit of a change is made."""
    changed = sorted(before.circuits.items() ^ wanted.circuits.items())
    left = set(changed[1::2])
    kept = (wanted.circuits.items() - left) | (before.circuits.items() & left)
    wanted.circuits = {}
    taken: set[str] = set()
    for a, b in sorted(kept, key=lambda circuit: circuit not in before.circuits.items()):
        if a not in wanted.circuits and b not in taken:
            wanted.circuits[a] = b
            taken.add(b)
    return wanted
