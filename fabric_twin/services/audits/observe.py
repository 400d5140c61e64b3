"""What switches, and cubes or blocks, answered, as the columns that a diagnosis looks at."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.pictures import (
    CubesShown,
    Levels,
    Port,
    PortIs,
    Refusal,
    Shown,
    SwitchesShown,
    Unit,
)
from fabric_twin.core.errors import FabricTwinError, NoAnswer, NotAsAsked
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.told_ports import ToldPorts
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import CubeState, Pair, PortStatus, SwitchState
from fabric_twin.switches.whom import NotTheDevice

_IS = {
    PortStatus.BLOCKED: PortIs.BLOCKED,
    PortStatus.TUNING: PortIs.TUNING,
    PortStatus.TUNED: PortIs.TUNED,
    PortStatus.FAILED: PortIs.FAILED,
    PortStatus.POWERED_OFF: PortIs.POWERED_OFF,
    PortStatus.UNKNOWN: PortIs.UNKNOWN,
}


def observe(intended: Intended, switches: Answers[SwitchState], cubes: Answers[CubeState]) -> Shown:
    """Number everything that was answered; devices that did not answer are named."""
    names = by_strand(intended).names
    silence = Silence.of({**switches.missing, **cubes.missing})
    return Shown(
        observed_switches(names, switches.given),
        observed_cubes(names, cubes.given),
        silence.silent,
        silence.refused,
    )


@dataclass(frozen=True)
class Silence:
    """Devices that told nothing."""

    #: Each, and why.
    silent: Mapping[str, str]
    #: Those of them that did answer, and not as they were asked.
    refused: Mapping[str, Refusal]

    @classmethod
    def of(cls, missing: Mapping[str, FabricTwinError]) -> "Silence":
        """By what stood in the way of each."""
        return cls(
            {name: error.what for name, error in missing.items()},
            {name: _refusal(error) for name, error in missing.items() if not is_silence(error)},
        )


def is_silence(error: FabricTwinError) -> bool:
    """Whether nothing answered; else a device did, or we may not ask it: hands do not mend that."""
    return isinstance(error, NoAnswer) and not isinstance(error, NotAsAsked)


def _refusal(error: FabricTwinError) -> Refusal:
    if isinstance(error, NotTheDevice):
        return Refusal(error.what, error.remedy, error.told, error.answering)
    return Refusal(error.what, error.remedy)


def observed_switches(names: Names, given: Mapping[str, SwitchState]) -> SwitchesShown:
    """What switches say; `names` are of the plant by strand."""
    layout, devices = names.layout, names.switches
    each = layout.ports_per_switch
    number = {port: at for at, port in enumerate(layout.port_names[layout.ports_per_cube :])}
    status = np.full((len(devices), each), PortIs.NOT_TOLD, np.int8)
    forced = np.zeros((len(devices), each), np.bool_)
    told_at = np.full(len(devices), np.nan)
    serials, lost = [""] * len(devices), []
    configured, carried = _CircuitColumns(layout.radix), _CircuitColumns(layout.radix)
    lit: list[bool] = []
    loss: list[float] = []
    for switch, name in enumerate(devices):
        state = given.get(name)
        if state is None:
            continue
        told_at[switch], serials[switch] = state.told_at, state.serial
        at = [number.get(port, -1) for port in state.ports]
        if -1 in at:
            at = [each if place < 0 else place for place in at]
        row, dark = np.full(each + 1, PortIs.NOT_TOLD, np.int8), np.zeros(each + 1, np.bool_)
        row[at] = [_IS[port.status] for port in state.ports.values()]
        dark[at] = [port.force_blocked for port in state.ports.values()]
        status[switch], forced[switch] = row[:each], dark[:each]
        configured.add(switch, state.configured)
        for pair in carried.add(switch, state.carried):
            circuit = state.carried[pair]
            lit.append(circuit.is_tuned)
            loss.append(circuit.insertion_loss)
            if not circuit.is_tuned:
                for port, its in zip(pair, (circuit.a_status, circuit.b_status), strict=True):
                    if its is PortStatus.FAILED:
                        status[switch, number[port]] = PortIs.FAILED
        for kind, units in (("power", state.power), ("fan", state.fans), ("board", state.boards)):
            lost += [Unit(switch, kind, unit) for unit, works in units.items() if not works]
    return SwitchesShown(
        answered=np.array([name in given for name in devices], np.bool_),
        told_at=told_at,
        serial=serials,
        status=status.reshape(-1),
        forced=forced.reshape(-1),
        configured=configured.circuits(),
        carried=carried.circuits(),
        lit=np.array(lit, np.bool_),
        loss=np.array(loss, np.float64),
        lost=tuple(sorted(lost)),
    )


class _CircuitColumns:
    """Gathers the circuits of many switches."""

    def __init__(self, radix: int) -> None:
        self._a = {f"{n}A": n for n in range(1, radix + 1)}
        self._b = {f"{n}B": n for n in range(1, radix + 1)}
        self._rows: list[tuple[int, int, int]] = []

    def add(self, switch: int, pairs: Mapping[Pair, object] | frozenset[Pair]) -> list[Pair]:
        """Take a switch's circuits, but those of ports that the design does not have."""
        kept = [pair for pair in pairs if pair[0] in self._a and pair[1] in self._b]
        self._rows += [(switch, self._a[a], self._b[b]) for a, b in kept]
        return kept

    def circuits(self) -> Circuits:
        """All of them as columns."""
        table = np.array(self._rows, np.int32).reshape(-1, 3)
        return Circuits(table[:, 0], table[:, 1], table[:, 2])


@dataclass(frozen=True)
class _Cube:
    """The place of a cube or a block in the columns."""

    slots: range
    state: CubeState


def observed_cubes(names: Names, given: Mapping[str, CubeState]) -> CubesShown:
    """What cubes or blocks say; `names` are of the plant by strand."""
    layout = names.layout
    per_cube, strands = layout.ports_per_cube, layout.strands
    ports = layout.cube_ports // strands
    told_ports = ToldPorts(names)
    cages = {_cage(name, strands): at // strands for name, at in told_ports.local.items()}
    tray_of = {name: at for at, name in enumerate(names.devices)}
    at_home = [
        _Cube(slots, given[name]) for name, slots in names.answering.items() if name in given
    ]
    answered, modules = np.zeros(layout.slots, np.bool_), np.zeros(layout.slots, np.bool_)
    told_at = np.full(layout.slots, np.nan)
    trays_down = np.zeros(layout.slots * layout.cube.trays, np.bool_)
    up = np.zeros(ports, np.bool_)
    serial, part = [""] * ports, [""] * ports
    levels = {what: np.full(ports, np.nan) for what in ("temperature", "ber", "reflection")}
    lanes = max((cube.state.light.transmitted.shape[1] for cube in at_home), default=0)
    sent, received = (np.full((ports, max(lanes, strands)), np.nan) for _ in range(2))
    copper: list[tuple[int, str]] = []
    for cube in at_home:
        slots, state, light = cube.slots, cube.state, cube.state.light
        here = slice(slots.start - 1, slots.stop - 1)
        answered[here], told_at[here] = True, state.told_at
        modules[here] = bool(state.transceivers)
        copper += [(slots.start, link) for link in sorted(state.copper_down)]
        down = [tray_of[tray] for tray, runs in state.trays.items() if not runs and tray in tray_of]
        trays_down[down] = True
        first, many = (n * per_cube // strands for n in (slots.start - 1, len(slots)))
        mine = {name: at for name, at in cages.items() if at < many}
        rows = [(row, first + mine[p]) for row, p in enumerate(state.ports) if p in mine]
        for name, its in state.transceivers.items():
            if name in mine:
                serial[first + mine[name]], part[first + mine[name]] = its.serial, its.part
        if not rows:
            continue
        row, there = (list(column) for column in zip(*rows, strict=True))
        up[there] = state.up[row]
        for what, column in levels.items():
            told: Levels = getattr(light, what)
            if told.size:
                column[there] = told[row]
        for column, told in ((sent, light.transmitted), (received, light.received)):
            if told.size:
                column[there, : told.shape[1]] = told[row]
    heard, strangers = _heard(names, at_home, told_ports)
    runs, able = _rates(at_home, cages, ports, per_cube // strands)
    return CubesShown(
        answered=answered,
        told_at=told_at,
        modules=modules,
        trays_down=trays_down,
        copper_down=copper,
        up=up,
        serial=serial,
        part=part,
        heard=heard,
        sent=sent.reshape(ports * strands, -1),
        received=received.reshape(ports * strands, -1),
        strangers=strangers,
        runs=runs,
        able=able,
        **levels,
    )


def _rates(
    cubes: list[_Cube], cages: Mapping[str, int], ports: int, per_cube: int
) -> tuple[Levels, Levels]:
    """By port: what its link runs at, and what it could; empty where nobody tells."""
    if not any(cube.state.rates for cube in cubes):
        return np.zeros(0), np.zeros(0)
    runs, able = np.full(ports, np.nan), np.full(ports, np.nan)
    for cube in cubes:
        first = (cube.slots.start - 1) * per_cube
        for port, rate in cube.state.rates.items():
            at = cages.get(port, ports)
            if at < len(cube.slots) * per_cube:
                runs[first + at], able[first + at] = rate
    return runs, able


def _cage(name: str, strands: int) -> str:
    return name.rpartition(":")[0] if strands > 1 else name


def _heard(names: Names, cubes: list[_Cube], told: ToldPorts) -> tuple[Column, dict[int, Port]]:
    """By strand whom it hears; strangers by name."""
    heard = np.full(names.layout.cube_ports, NOT_KNOWN, np.int32)
    strangers: dict[int, Port] = {}
    for cube in cubes:
        mine = told.of(cube.slots)
        row = [NO_PORT] * len(mine)
        for port, neighbour in cube.state.neighbours.items():
            here = told.local.get(port, len(row))
            if here < len(row):
                row[here] = told.number(neighbour.device, neighbour.port)
                if row[here] == NOT_OF_DESIGN:
                    strangers[mine[here]] = (neighbour.device, neighbour.port)
        heard[mine.start : mine.stop] = row
    return heard, strangers
