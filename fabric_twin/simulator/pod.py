"""A simulated pod: its plant, mirrors, parts and time, and how they act on each other."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.columns import Column
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import UPSTREAM, Dialect
from fabric_twin.simulator.clock import Clock
from fabric_twin.simulator.configuration import Draft, Tables, first_tables, halved, take
from fabric_twin.simulator.mirrors import TUNING, Levels, Mask, Mirrors
from fabric_twin.simulator.openflow.packet_switch import PacketSwitch
from fabric_twin.simulator.optics import Light, light
from fabric_twin.simulator.parts import Parts
from fabric_twin.simulator.plant import Plant
from fabric_twin.simulator.points import NOWHERE, Points
from fabric_twin.simulator.shape import ASKED, Shape
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
    #: Tells of a moment long gone; or does not report its transceivers, or its ports.
    stale: bool = False
    absent: bool = False
    #: Does not answer at all.
    silent: bool = False
    #: Real seconds that it saves a change for; meanwhile it tells its configuration of before.
    saves: float = 0.0


@dataclass(eq=False)
class SimulatedPod:
    """One pod or network, whose every part can be looked at and broken."""

    design: Design
    intended: Intended
    points: Points
    plant: Plant
    mirrors: Mirrors
    parts: Parts
    clock: Clock
    seed: int
    #: Gbit/s of each cube port; NaN where nobody says.
    rates: Levels
    timeline: Timeline = field(default_factory=Timeline)
    dialects: list[Dialect] = field(default_factory=list)
    #: The configuration of each switch, and the one before circuits were changed last.
    configs: list[Tables] = field(default_factory=list)
    before: list[Tables] = field(default_factory=list)
    #: One Set of a switch after the other.
    one_set: dict[int, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    #: While a switch saves a change: the configuration that it tells meanwhile.
    checkpoints: dict[int, Tables] = field(default_factory=dict)
    #: What each chassis says that its serial is; empty where it cannot tell.
    serials: list[str] = field(default_factory=list)
    #: How all switches answer, where the protocol leaves it to them; and real seconds to save.
    shape: Shape = ASKED
    saving: float = 0.0
    #: Whether the first row of a table makes the table.
    makes_tables: bool = True
    #: The switch that really answers where each switch is expected: addresses may be exchanged.
    answers: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    manners: dict[str, Manners] = field(default_factory=dict)
    #: What stale devices said last, and when: by device and path.
    frozen: dict[tuple[str, object], tuple[int, Any]] = field(default_factory=dict)
    #: Tables as they were told last, by switch, database and name: what they were made of, and
    #: their text; no text where they had no rows.
    told: dict[tuple[int, str, str], tuple[object, bytes | None]] = field(default_factory=dict)
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
        intended = intended_plant(design, pod, slots)
        return cls.of(intended, clock, seed=seed, dialect=dialect, tuning=tuning)

    @classmethod
    def of(
        cls,
        intended: Intended,
        clock: Clock,
        *,
        seed: int = 1,
        dialect: Dialect = UPSTREAM,
        tuning: float = TUNING,
    ) -> "SimulatedPod":
        """A pod or a network as it should be, its mirrors parked."""
        design, points = intended.design, Points(intended.names)
        rate = np.full(design.layout.slots + 1, np.nan)
        for name, gbps in intended.rates.items():
            slots = intended.names.answering[name]
            rate[slots.start : slots.stop] = gbps
        made = cls(
            design,
            intended,
            points,
            Plant.as_intended(intended, points, seed),
            Mirrors.parked(points, seed, tuning),
            Parts.new(intended.names, design.transceiver, intended.slots, seed),
            clock,
            seed,
            rate[design.layout.slot[: design.layout.cube_ports]],
            serials=[_serial(seed, switch) for switch in range(points.switches)],
            answers=np.arange(points.switches, dtype=np.int32),
            epoch=time.time() - clock.now(),
        )
        made.begin_anew([dialect] * points.switches)
        return made

    def begin_anew(
        self, dialects: list[Dialect], *, named: bool = True, bare: bool = False
    ) -> None:
        """Give each switch its dialect, and the configuration that it comes with."""
        self.dialects, radix = dialects, self.mirrors.radix
        self.configs = [
            first_tables(name if named else "", dialect, radix, bare=bare)
            for name, dialect in zip(self.points.switch_numbers, dialects, strict=True)
        ]
        self.before = list(self.configs)

    @property
    def name(self) -> str:
        """The pod's name."""
        return self.points.names.pod

    @cached_property
    def cubes(self) -> dict[str, range]:
        """The slots of every cube or block by name; packet switches come after all slots."""
        there, every = {*self.intended.slots}, self.points.names.answering.items()
        if self.points.is_packet:
            last = self.design.slots
            devices = enumerate(self.points.names.devices, 1)
            return {name: range(at, at + 1) for at, name in devices if at > last or at in there}
        return {name: slots for name, slots in every if slots.start in there}

    @cached_property
    def packet_switches(self) -> dict[str, PacketSwitch]:
        """The packet switches of a cluster by name: they have tables of flows."""
        if not self.points.is_packet:
            return {}
        names, first = self.points.names, self.design.slots
        return {
            name: PacketSwitch.new(
                name,
                _datapath(self.seed, number),
                {int(port): port for port in names.ends(self.ports_of(name))[1]},
                self.clock.now,
            )
            for number, name in enumerate(names.devices[first:], 1)
        }

    def ports_of(self, device: str) -> Column:
        """The ports of a group or a packet switch, counted over the whole cluster."""
        number = self.cubes[device].start - 1
        first, end = np.searchsorted(self.design.layout.device, [number, number + 1])
        return np.arange(first, end, dtype=np.int32)

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

    def links(self) -> tuple[Mask, Column]:
        """By port of a cluster: whether its link is up, and the port at the other end of its cable.

        A link is up where its cable is whole, and both of its devices run.
        """
        self.advance()
        far, runs = self.plant.across, self.parts.cubes[self.design.layout.device]
        return (far != NOWHERE) & runs & runs[far], far

    def runs_at(self) -> Levels:
        """Gbit/s that the link of each cube port runs at: what both of its ends can do."""
        seen, able = self.light(), np.minimum(self.rates, self.parts.slowed)
        return np.where(seen.up, np.minimum(able, able[seen.far // self.points.strands]), np.nan)

    def commit(self, switch: int, draft: Draft) -> None:
        """Take circuits and dark ports into a switch's configuration, and steer."""
        self.configure(switch, draft.tables(self.configs[switch], self.dialects[switch]))

    def configure(self, switch: int, tables: Tables) -> None:
        """Take a switch's new configuration, as far as its manners let it, and steer."""
        manner = self.manner(self.points.names.switches[switch])
        if manner.ignores:
            return
        self.take(switch, halved(self.configs[switch], tables) if manner.halves else tables)
        if not manner.idle:
            self.steer(switch)
        self.on_configured()
        self.changed()

    def take(self, switch: int, tables: Tables) -> None:
        """Make this the configuration of a switch; its mirrors stay where they are."""
        before = self.configs[switch]
        take(self.mirrors, switch, before, tables, self.dialects[switch])
        if tables.get(sonic.CROSS_CONNECT) != before.get(sonic.CROSS_CONNECT):
            self.before[switch] = before
        self.configs[switch] = tables

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

    def has_power(self, cube: str) -> bool:
        """Whether a cube, a block, a group or a packet switch runs."""
        return bool(self.parts.cubes[self.cubes[cube].start - 1])

    def answering(self, switch: int) -> bool:
        """Whether a switch has power and runs."""
        return bool(self.mirrors.runs[switch] and self.mirrors.feeds[switch].any())


_WELL = Manners()


def _datapath(seed: int, number: int) -> int:
    """What a packet switch is known by: an address that nobody was given, as switches have."""
    return 0x02 << 40 | (seed & 0xFFFF) << 24 | number


def _serial(seed: int, switch: int) -> str:
    """The serial of a switch's chassis."""
    return f"OCS{(seed * 7919 + switch * 104729) % 10**8:08d}"
