"""What switches were to do and do not: ports that failed, circuits that are missing or odd.

wanted      7A -- 9B     the inventory
configured  7A -- 9B     what the switch took
carried     7A -- 8B     what its mirrors do
"""

from collections.abc import Iterable, Sequence

import numpy as np

from fabric_twin.core.audit.places import on_panels, some
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.counted import counted
from fabric_twin.core.cube import AXES
from fabric_twin.core.diagnosis.case import Case, chosen
from fabric_twin.core.diagnosis.pictures import Mask, PortIs
from fabric_twin.core.diagnosis.steps import Connect, CorrectRecord, Disconnect, Replace, Reseat
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.kinds import Kind

#: How many circuits a sentence and the evidence name.
MOST = 8


def failed_ports(case: Case) -> None:
    """Ports whose mirror did not get there, that nothing drives, or that are kept dark by force."""
    status, first = case.switches.status, case.cubes_end
    ports = np.arange(len(status), dtype=np.int32) + first
    asked = case.observed_switch[ports] & case.is_open(ports)
    rows = status.reshape(len(case.switch_names), -1) != PortIs.NOT_TOLD
    telling = np.repeat(rows.any(axis=1), rows.shape[1])
    for port in ports[asked & (status == PortIs.FAILED)].tolist():
        _failed(case, [port], "did not reach its position", "mirror", Look.STEERED)
    dead = (status == PortIs.NOT_TOLD) | (status == PortIs.POWERED_OFF)
    dead = ports[asked & telling & dead]
    for switch in np.unique(case.switch_of(dead)).tolist():
        mine = dead[case.switch_of(dead) == switch].tolist()
        why = "has no power, though no board is out"
        _failed(case, mine, why, "mirror driver", Look.POWERED)
    used = np.zeros(len(case.explained), np.bool_)
    for circuits in filter(None, (case.switches.configured, _wanted(case))):
        for ends in case.ends(circuits):
            used[ends] = True
    for port in ports[asked & case.switches.forced & used[ports]].tolist():
        switch, name = case.mirror(port)
        case.found(
            "port-failed",
            f"{switch} {name} forced",
            f"{switch} port {name} is kept dark by force, and a circuit needs it",
            [CorrectRecord(f"{switch} {name}", "state", "force_blocked", "normal")],
            hits=[port],
            places=[(switch, name)],
            proof=[Proof(Look.FORCED, switch, name)],
        )
        _explain_path(case, [port])


def _failed(case: Case, ports: list[int], why: str, part: str, look: Look) -> None:
    switch, name = case.mirror(ports[0])
    names = [case.mirror(port) for port in ports]
    cause = f"The mirror of {on_panels(names)} {why}"
    if len(ports) > 1:
        cause = f"{on_panels(names)}: {len(ports)} mirrors have no power, though no board is out"
    spare = _free_spare(case, ports[0]) if len(ports) == 1 else ""
    if spare:
        cause += f"; until it is mended spare {spare} can take its place"
    else:
        cause += _lost(case, ports)
    case.found(
        "port-failed",
        f"{switch} {name}",
        cause,
        [Replace(switch, name, part)],
        hits=ports,
        places=names,
        evidence={"spare": spare} if spare else {},
        proof=[Proof(look, *place) for place in names],
    )
    _explain_path(case, ports)


def _free_spare(case: Case, port: int) -> str:
    """A spare of the same switch and side that nothing uses; empty where there is none."""
    layout = case.layout
    start = port - (port - case.cubes_end) % layout.radix
    side = np.arange(start, start + layout.radix)
    status = case.switches.status[side - case.cubes_end]
    free = layout.spare[side] & (case.plant.mate[side] == NO_PORT) & case.is_open(side)
    free &= (case.meets[side] == NO_PORT) & (status != PortIs.FAILED)
    found = side[free & (status != PortIs.NOT_TOLD)]
    return case.mirror(int(found[0]))[1] if len(found) else ""


def _lost(case: Case, ports: Sequence[int]) -> str:
    """Cubes and axes that have no other way; or blocks that lack a link."""
    behind = [int(strand) for strand in case.plant.mate[list(ports)] if strand >= 0]
    if not behind:
        return ""
    cubes = sorted({case.intended.names.cube(int(case.cube_of[strand]) + 1) for strand in behind})
    if case.intended.design.kind is Kind.NETWORK:
        links = counted(len(ports), "link")
        return f"; until it is mended {some(cubes)} lack{'s' * (len(cubes) == 1)} {links}"
    axis = AXES[int(case.layout.axis[behind[0] % case.layout.ports_per_cube])]
    return f"; until it is mended {some(cubes)} make{'s' * (len(cubes) == 1)} no torus along {axis}"


def _explain_path(case: Case, ports: Iterable[int]) -> None:
    """What should pass a port is explained with it, to the other end of its circuits."""
    mine = list(ports)
    case.explain(mine)
    for circuits in filter(None, (case.switches.configured, _wanted(case), case.switches.carried)):
        a, b = case.ends(circuits)
        case.explain(b[np.isin(a, mine)])
        case.explain(a[np.isin(b, mine)])


def _wanted(case: Case) -> Circuits | None:
    return case.pictures.wanted.circuits if case.pictures.wanted else None


def circuits(case: Case) -> None:
    """Circuits that are wanted and not there, or there and not wanted; one finding a switch."""
    shown, wanted = case.switches, case.pictures.wanted
    keys = _Keys(case)
    configured, carried = keys.of(shown.configured), keys.of(shown.carried)
    lit = carried[shown.lit]
    tuning = _tuning(case)
    want = keys.of(wanted.circuits) if wanted else configured
    absent = np.setdiff1d(want, configured)
    idle = np.setdiff1d(np.intersect1d(want, configured), lit)
    extra = np.setdiff1d(np.concatenate([configured, carried]), want)
    if not wanted:
        extra = np.setdiff1d(carried, configured)
    asked = {
        what: keys.circuits(found[keys.asked(found, without)])
        for what, found, without in (
            ("absent", absent, None),
            ("idle", idle, tuning),
            ("extra", extra, tuning),
        )
    }
    acknowledged = _acknowledged(keys, case, absent)
    for switch in np.unique(np.concatenate([c.switch for c in asked.values()])).tolist():
        mine = {what: chosen(c, c.switch == switch) for what, c in asked.items()}
        _one_switch(case, switch, mine, lies=bool(len(mine["idle"])) or switch in acknowledged)
    for found in asked.values():
        for ends in case.ends(found):
            case.explain(ends)


def _one_switch(case: Case, switch: int, mine: dict[str, Circuits], *, lies: bool) -> None:
    name = case.switch_names[switch]
    pairs = {
        what: [(a, b) for _, a, b in found.named(case.intended.names)]
        for what, found in mine.items()
    }
    lacking = pairs["absent"] + pairs["idle"]
    said = []
    if pairs["absent"]:
        took = "was told to make and did not make" if lies else "has not"
        said.append(f"{took} {named(pairs['absent'])}")
    if pairs["idle"]:
        said.append(f"took {named(pairs['idle'])} and lets no light through")
    if pairs["extra"]:
        said.append(f"has {named(pairs['extra'])}, which nobody wants")
    remedy: list[Step] = [Reseat(name)] if lies else []
    remedy += [Disconnect(name, a, b) for a, b in pairs["extra"]]
    remedy += [Connect(name, a, b) for a, b in pairs["absent"] + pairs["idle"]]
    ports = [int(p) for found in mine.values() for ends in case.ends(found) for p in ends]
    case.found(
        "circuit-missing" if lacking else "circuit-unexpected",
        name,
        f"{name} {' and '.join(said)}",
        remedy,
        hits=ports,
        places=[(name, port) for found in pairs.values() for pair in found for port in pair],
        evidence={
            what: [list(pair) for pair in found[:MOST]] for what, found in pairs.items() if found
        }
        | {"circuits": sum(map(len, pairs.values()))},
        proof=[
            Proof(Look.CIRCUIT if what == "extra" else Look.CARRIES, name, f"{a} {b}")
            for what, found in pairs.items()
            for a, b in found
        ],
    )


def named(pairs: Sequence[tuple[str, str]]) -> str:
    plural = "s" * (len(pairs) > 1)
    return f"circuit{plural} {some([f'{a}-{b}' for a, b in pairs], 'circuits')}"


def _tuning(case: Case) -> Mask:
    """By port: its mirror is on its way."""
    tuning = np.zeros(len(case.explained), np.bool_)
    tuning[case.cubes_end :] = case.switches.status == PortIs.TUNING
    return tuning


def _acknowledged(keys: "_Keys", case: Case, absent: np.ndarray) -> set[int]:
    """Switches that said that they made some circuit which is not there."""
    wanted = case.pictures.wanted
    if wanted is None or wanted.acknowledged is None:
        return set()
    lied = wanted.acknowledged & np.isin(keys.of(wanted.circuits), absent)
    return set(wanted.circuits.switch[lied].tolist())


class _Keys:
    """Circuits as single numbers, to be compared as sets."""

    def __init__(self, case: Case) -> None:
        self._case, self._base = case, case.layout.radix + 1
        self._known = case.known_switch.copy()
        self._known[list(case.confused)] = False

    def of(self, circuits: Circuits) -> np.ndarray:
        return (
            circuits.switch.astype(np.int64) * self._base + circuits.a
        ) * self._base + circuits.b

    def circuits(self, keys: np.ndarray) -> Circuits:
        rest, b = np.divmod(keys, self._base)
        switch, a = np.divmod(rest, self._base)
        return Circuits(*(column.astype(np.int32) for column in (switch, a, b)))

    def asked(self, keys: np.ndarray, without: Mask | None) -> Mask:
        """Which are of a switch that is known, and of ports that may be asked about."""
        found = self.circuits(keys)
        asked = self._known[found.switch]
        for ends in self._case.ends(found):
            asked &= self._case.is_open(ends)
            if without is not None:
                asked &= ~without[ends]
        return asked
