"""What a switch and a cube say of themselves, in words that no vendor owns.

What is not told is absent (a port without a row, a NaN), never made up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The A port and the B port of a circuit of one switch, as SONiC names them: `("7A", "9B")`.
Pair = tuple[str, str]
Levels = NDArray[np.float64]


class FactoryLoss(NamedTuple):
    """What a pair of ports lost when the switch was made, and how far off that may be; in dB."""

    loss: float
    accuracy: float


class PortStatus(StrEnum):
    """How far a switch is with a port."""

    #: No light passes: there is no circuit, or the port is blocked by force.
    BLOCKED = "blocked"
    #: The mirror is on its way.
    TUNING = "tuning"
    #: The mirror stands where its circuit wants it.
    TUNED = "tuned"
    #: The mirror did not get there.
    FAILED = "failed"
    #: The board that drives the mirror has no power.
    POWERED_OFF = "powered-off"
    #: A word that the driver does not know.
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PortState:
    """One port of a switch."""

    status: PortStatus
    #: The port that its mirror is steered at, or that it last was; empty where there is none.
    target: str = ""
    #: Kept dark whatever circuits say.
    force_blocked: bool = False
    #: What an operator wrote on it.
    label: str = ""


@dataclass(frozen=True, slots=True)
class CircuitState:
    """One circuit as the switch carries it, which need not be as it was configured."""

    a_status: PortStatus
    b_status: PortStatus
    #: Measured while it runs, in dB; NaN where the switch does not measure.
    insertion_loss: float = float("nan")

    @property
    def is_tuned(self) -> bool:
        """Light passes."""
        return self.a_status is self.b_status is PortStatus.TUNED


@dataclass(frozen=True, eq=False)
class SwitchState:
    """Everything a switch said in one reading."""

    name: str
    #: Ports by name; one that is missing here has no row in the switch's state.
    ports: Mapping[str, PortState]
    #: What is configured, and would come back after a reboot.
    configured: frozenset[Pair]
    #: What the switch says it carries.
    carried: Mapping[Pair, CircuitState]
    #: Power feeds and fans by name: whether they work.
    power: Mapping[str, bool] = field(default_factory=dict)
    fans: Mapping[str, bool] = field(default_factory=dict)
    #: Driver boards by name: whether they are there and have power.
    boards: Mapping[str, bool] = field(default_factory=dict)
    serial: str = ""
    #: When the switch says this was so, in seconds since 1970.
    told_at: float = float("nan")

    @cached_property
    def tuned(self) -> frozenset[Pair]:
        """Circuits that are configured, and through which light passes."""
        lit = {pair for pair, circuit in self.carried.items() if circuit.is_tuned}
        return self.configured & lit

    @property
    def circuits(self) -> frozenset[Pair]:
        """Configured, or carried all the same."""
        return self.configured | frozenset(self.carried)

    @cached_property
    def crossed(self) -> Mapping[Pair, Pair]:
        """Circuits with a port that is carried in another one too: in which."""
        first: dict[str, Pair] = {}
        found: dict[Pair, Pair] = {}
        for pair in self.carried:
            for port in pair:
                other = first.setdefault(port, pair)
                if other != pair:
                    found |= {pair: other, other: pair}
        return found


class Neighbour(NamedTuple):
    """Whom a port hears over a lit path."""

    #: A tray, as a cut sheet names it: `iw1-c009-t03`.
    device: str
    #: An optical port; in a paired plant with the strand the light comes from: `1.3.2/X-:2`.
    port: str
    #: The serial of the transceiver over there.
    serial: str


class Rate(NamedTuple):
    """What a link carries, in Gbit/s, and what its port could; NaN where not told."""

    runs: float
    able: float


class Transceiver(NamedTuple):
    """What is plugged into an optical port, by its own account."""

    serial: str
    part: str


@dataclass(frozen=True, eq=False)
class Light:
    """Levels of a cube's ports: columns in the order of `CubeState.ports`, NaN where not told."""

    #: Degrees Celsius.
    temperature: Levels
    #: dBm; one row a port, one column a lane (a wavelength of a strand).
    transmitted: Levels
    received: Levels
    #: Bit error ratio before error correction: of the worst lane.
    ber: Levels
    #: Light that came back, in dB under what was sent (-46 is good).
    reflection: Levels


@dataclass(frozen=True, eq=False)
class CubeState:
    """Everything a cube said in one reading."""

    name: str
    #: Optical ports by name (`4.3.2/X+`, with its lane where it has several: `4.3.2/X+/1`).
    ports: Sequence[str]
    #: Whether the link of each port is up.
    up: NDArray[np.bool_]
    #: By port, or in a paired plant by strand (`4.3.2/X+:1`); those that hear nobody are absent.
    neighbours: Mapping[str, Neighbour]
    #: By port; an empty cage is absent.
    transceivers: Mapping[str, Transceiver]
    light: Light
    #: Trays by device name (`iw1-c007-t03`): whether they run.
    trays: Mapping[str, bool] = field(default_factory=dict)
    #: Copper links inside the cube that are down: `1.1.1/Y+`, the chip and the way it leads.
    copper_down: frozenset[str] = frozenset()
    told_at: float = float("nan")
    #: By port, where it tells.
    rates: Mapping[str, Rate] = field(default_factory=dict)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """The row of each port in the columns."""
        return {port: row for row, port in enumerate(self.ports)}
