"""What a diagnosis looks at: the pictures of a pod, as columns.

intended    the rule, with substitutions                        (core.plant)
inventory   what is recorded: cables, serials, parts
wanted      circuits, and whose they are
shown       what switches and cubes say, and who did not answer
baseline    how the light was when it was known to be good

Columns over ports count them strand by strand, as `by_strand` lays a plant out:

simplex port   7A of switch s is s * 2 * radix + 6; 7B is radix more
strand         strand 2 of cube port p is 2 * p + 1 in a paired plant; in others a strand is a port
cube port      as in `Layout`, one for each cable
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits, joined
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.findings.proof import Proof
from fabric_twin.core.identity import Answering, Told

Levels = NDArray[np.float64]
Mask = NDArray[np.bool_]
#: A device and a port on it.
Port = tuple[str, str]


class PortIs(IntEnum):
    """How a switch says that one of its simplex ports is."""

    #: It has no row: nothing drives its mirror, or the switch did not answer.
    NOT_TOLD = -1
    BLOCKED = 0
    TUNING = 1
    TUNED = 2
    FAILED = 3
    POWERED_OFF = 4
    #: In a word that nobody knows.
    UNKNOWN = 5


class Unit(NamedTuple):
    """A part of a switch that does not work."""

    #: The number of the switch in `Layout.switches`.
    switch: int
    #: `power`, `fan` or `board`.
    kind: str
    #: As the switch calls it: `PSU 2`.
    name: str


@dataclass(frozen=True, eq=False)
class SwitchesShown:
    """What switches say; columns have an entry a switch unless said otherwise."""

    answered: Mask
    #: When each says that this was so, in seconds since 1970; NaN where it does not say.
    told_at: Levels
    #: Empty where it is not told.
    serial: Sequence[str]
    #: By simplex port: a `PortIs`, and whether it is kept dark by force.
    status: NDArray[np.int8]
    forced: Mask
    configured: Circuits
    carried: Circuits
    #: By carried circuit: whether light passes, and dB lost on the way (NaN where not measured).
    lit: Mask
    loss: Levels
    #: Feeds, fans and boards that do not work.
    lost: Sequence[Unit] = ()


@dataclass(frozen=True, eq=False)
class CubesShown:
    """What cubes say; NaN, empty text and NOT_KNOWN stand for what is not told."""

    #: By slot, counted from 0: whether the cube answered, when what it says was so, and whether it
    #: told of its modules.
    answered: Mask
    told_at: Levels
    modules: Mask
    #: By tray of the pod, slot by slot: whether it is reported down.
    trays_down: Mask
    #: Copper links that are down: the slot, and the link (`1.1.1/Y+`).
    copper_down: Sequence[tuple[int, str]]
    #: By cube port.
    up: Mask
    serial: Sequence[str]
    part: Sequence[str]
    temperature: Levels
    ber: Levels
    reflection: Levels
    #: By strand: the strand that it hears; NO_PORT for nobody, NOT_OF_DESIGN for a stranger,
    #: NOT_KNOWN where its cube did not answer.
    heard: Column
    #: By strand, a row each, a column a lane: dBm.
    sent: Levels
    received: Levels
    #: Names of strangers by the strand that hears them.
    strangers: Mapping[int, Port] = field(default_factory=dict)
    #: By cube port: Gbit/s that its link runs at, and that the port could; empty where none tells.
    runs: Levels = field(default_factory=lambda: np.zeros(0))
    able: Levels = field(default_factory=lambda: np.zeros(0))


class Refusal(NamedTuple):
    """A device that answered, and not as it was asked."""

    why: str
    #: What a person should check.
    check: str
    #: Who it says that it is, where it is not the one that should answer.
    told: Told = Told()
    answering: Answering = Answering.RIGHT


@dataclass(frozen=True, eq=False)
class Shown:
    """What the fabric shows."""

    switches: SwitchesShown
    cubes: CubesShown
    #: Devices that were asked and told nothing, and why.
    silent: Mapping[str, str] = field(default_factory=dict)
    #: Those of them that did answer, and not as they were asked.
    refused: Mapping[str, Refusal] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Inventory:
    """What is recorded; nothing is said of what is empty."""

    plant: Recorded
    #: By cube port.
    serials: Sequence[str] = ()
    parts: Sequence[str] = ()
    #: By switch.
    switch_serials: Sequence[str] = ()


@dataclass(frozen=True, eq=False)
class Wanted:
    """Circuits that should be, and whose they are."""

    circuits: Circuits
    #: By circuit: the place of its owner among `owners`, or -1. An owner's circuits make a torus:
    #: all indices of an axis join the same cubes.
    owner: Column
    owners: Sequence[str] = ()
    #: By circuit: whether its switch was told to make it and said that it did.
    acknowledged: Mask | None = None
    #: By slot (from 1): who stands on the cube there, with or without circuits.
    on: Mapping[int, Sequence[str]] = field(default_factory=dict)
    #: Whether owners may do without circuits of their torus: what is wanted is then all there is.
    may_lack: bool = False


@dataclass(frozen=True, eq=False)
class Baseline:
    """How the light was when it was known to be good; all of it may be missing."""

    #: Circuits whose loss is known from the factory or from a good day, and that loss in dB.
    circuits: Circuits = field(default_factory=Circuits.none)
    loss: Levels = field(default_factory=lambda: np.zeros(0))
    #: By circuit: how far off what the factory measured may be, in dB; NaN for a good day's value.
    accuracy: Levels = field(default_factory=lambda: np.zeros(0))
    #: By cube port: errors before correction on a good day; NaN where that is not known.
    ber: Levels | None = None
    #: How each path was when it was last good.
    light: GoodLight = field(default_factory=GoodLight.none)

    def of(self, circuits: Circuits) -> tuple[Levels, Levels]:
        """What some circuits lost, and how far off that may be; NaN where nobody knows."""
        loss, accuracy = np.full((2, len(circuits)), np.nan)
        if len(self.circuits):
            keys = _keys(self.circuits)
            order = np.argsort(keys, kind="stable")
            asked = _keys(circuits)
            place = np.minimum(np.searchsorted(keys, asked, sorter=order), len(keys) - 1)
            found = order[place]
            same = keys[found] == asked
            loss[same] = self.loss[found[same]]
            if len(self.accuracy):
                accuracy[same] = self.accuracy[found[same]]
        return loss, accuracy

    def with_factory(self, circuits: Circuits, loss: Levels, accuracy: Levels) -> "Baseline":
        """The same, and what the factory says of circuits of which no good day does."""
        days = self.accuracy if len(self.accuracy) else np.full(len(self.circuits), np.nan)
        return replace(
            self,
            circuits=joined([self.circuits, circuits]),
            loss=np.concatenate([self.loss, loss]),
            accuracy=np.concatenate([days, accuracy]),
        )


def _keys(circuits: Circuits) -> NDArray[np.int64]:
    """A number for each circuit; no switch has as many ports."""
    switch, a, b = (column.astype(np.int64) for column in (circuits.switch, circuits.a, circuits.b))
    return (switch << 32) | (a << 16) | b


@dataclass(frozen=True, eq=False, kw_only=True)
class Pictures:
    """All that one diagnosis looks at. What is None is not known, and nothing is said of it."""

    #: The slots of this plant are those that are audited.
    intended: Intended
    shown: Shown
    #: When it is, in seconds since 1970.
    now: float
    inventory: Inventory | None = None
    wanted: Wanted | None = None
    baseline: Baseline = field(default_factory=Baseline)
    limits: Limits = field(default_factory=Limits)
    #: Simplex ports of a running ticket, order or discovery: what is done there is not judged.
    reserved: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    #: Simplex ports that are out of service by the record, alone or with their switch or its
    #: board: that they do nothing is meant.
    out: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    #: Those of the wanted circuits that are a light test's: they join what is to be seen of known
    #: findings to idle ports, and are gone after the look.
    tested: Circuits = field(default_factory=Circuits.none)
    #: By finding that is not mended, the oldest first: what is left to be seen of it.
    known: Sequence[Sequence[Proof]] = ()
    #: Cables of open orders by cube port: until when each is awaited, in seconds since 1970.
    awaited: Mapping[int, float] = field(default_factory=dict)
