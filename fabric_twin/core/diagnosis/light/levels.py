"""Light that is too weak, thrown back, or full of errors: where on the path it goes wrong.

module -- p ==== cable ==== s [ mirrors ] t ==== cable ==== q -- module
          connectors p, s, t and q throw light back when they are dirty

What a switch measures itself parts mirrors from connectors. Without that, light that is thrown
back does: a dirty connector reflects, a mirror that lost its aim does not.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fabric_twin.core.audit.places import on_panels, some
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Levels, Mask
from fabric_twin.core.diagnosis.steps import Clean, Replace, Reseat
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.findings.proof import Look, Proof

#: dB under what is sent that clean connectors of a path throw back together [A].
CLEAN = -43.0
#: dB that a reading may be off the place it would name, and that place still be meant [A].
DOUBT = 2.0
#: dB that fibres of a path lose from where on its length explains errors [A].
LONG = 1.0


def lost_light(case: Case, paths: Paths) -> None:
    """Paths that lose more than they did, or than they may: by mirrors, or by connectors."""
    limits, lost = case.limits, losses(case.limits, paths)
    worn, over = lost.worn & paths.asked, lost.over & paths.asked
    back = np.fmax(*reflections(case, paths))
    with np.errstate(invalid="ignore"):
        # A device that does not report reflections does not say that there are none.
        clean = back < limits.reflection - DOUBT
    aimless = over & ~np.isfinite(paths.live) & clean
    for row in np.flatnonzero(worn | aimless).tolist():
        _mirror(case, paths, row)
    dirty = over & ~aimless
    _connectors(case, paths, dirty, lost.rest, lost.switch, "high-loss")
    paths.settle(worn | aimless | dirty)


class Losses(NamedTuple):
    """Where paths lose light, in dB, and which lose too much; by path."""

    #: What the switch loses: measured, or what it lost when all was good, or what most do.
    switch: Levels
    #: What is lost besides, over what two cables lose.
    rest: Levels
    #: Too much is lost in the switch; too much besides.
    worn: Mask
    over: Mask


def losses(limits: Limits, paths: Paths) -> Losses:
    """Hold what paths lose against what they lost, and what they may.

    What the factory measured may be off, and mirrors age as much as a switch may lose more than on
    a good day. Who does not measure is held to both over the whole path. Beside it the budget
    holds: a switch that was delivered with more is none for a new circuit.
    """
    measured, known = np.isfinite(paths.live), np.isfinite(paths.good)
    switch = np.where(measured, paths.live, np.where(known, paths.good, limits.switch_typical))
    rest = paths.loss - switch - paths.cables_loss
    unsure = limits.switch_loss - limits.switch_typical
    factory = np.isfinite(paths.accuracy)
    rises = limits.switch_rise + np.where(factory, paths.accuracy, 0.0)
    aged = np.minimum(rises, limits.switch_loss - switch)
    by_rest = np.where(known, np.where(factory, aged, 0.0), unsure)
    most = limits.cables_rise + np.where(measured, 0.0, by_rest)
    with np.errstate(invalid="ignore"):
        rise = np.where(known, paths.live - paths.good, 0.0)
        broke = paths.live > limits.switch_loss
        worn = np.where(known, (rise > rises) | (factory & broke), broke)
        return Losses(switch, rest, worn & measured, rest > most)


def thrown_back(case: Case, paths: Paths) -> None:
    """Connectors that throw light back, on paths and on ports that no circuit uses."""
    one, other = reflections(case, paths)
    with np.errstate(invalid="ignore"):
        bright = paths.asked & (np.fmax(one, other) > case.limits.reflection)
    switch = np.where(np.isfinite(paths.live), paths.live, case.limits.switch_typical)
    _connectors(case, paths, bright, np.zeros(len(bright)), switch, "high-reflection")
    paths.settle(bright)
    first = np.arange(0, case.cubes_end, case.strands, dtype=np.int32)
    with np.errstate(invalid="ignore"):
        idle = case.is_open(first) & (case.cubes.reflection > case.limits.reflection)
    idle &= case.known_cube[case.cube_of[first]] & case.slots[case.cube_of[first]]
    idle &= _is_its_own(case, first)
    for strand in first[idle].tolist():
        near, far = case.plug(strand), case.plug(int(case.home[strand]))
        level = float(case.cubes.reflection[strand // case.strands])
        case.found(
            "high-reflection",
            case.cable(strand),
            f"{' port '.join(near)} has a return loss of only {-level:.0f} dB: a connector of "
            f"{case.cable(strand)} is dirty",
            [Clean(*near), Clean(*far)],
            hits=[strand],
            places=[near, far],
            cables=[case.cable(strand)],
            evidence={"reflection_db": round(level, 1), "limit_db": case.limits.reflection},
            proof=case.cables_seen(Look.REFLECTION, [strand]),
        )


def _is_its_own(case: Case, first: Column) -> Mask:
    """By cable: what its port sees come back is thrown back there, and not across a switch."""
    joined, levels = case.home[first] >= 0, case.cubes.reflection
    if not case.is_switched:
        return np.asarray(joined & case.observed_strand[first])
    home = np.where(joined, case.home[first], 0)
    to, far = case.meets[home], case.across(first)
    at = np.where(far >= 0, far, 0)
    with np.errstate(invalid="ignore"):
        less = levels[at // case.strands] <= levels[first // case.strands]
    told = case.observed_strand[at] & case.is_open(at)
    nobody = (to < 0) | ((far >= 0) & told & less)
    return np.asarray(~joined | (case.observed_switch[home] & nobody))


def errors(case: Case, paths: Paths) -> None:
    """Bit errors that nothing else explains: over the limit, or many times what they were."""
    limits, good, now = case.limits, case.pictures.baseline.ber, case.cubes.ber
    over = too_many_errors(case, paths)
    rows = paths.asked & (paths.port_level(over, paths.near) | paths.port_level(over, paths.far))
    # A cube that reports no modules may have the one that errs: it is a finding itself.
    rows &= (
        case.cubes.modules[case.cube_of[paths.near]] & case.cubes.modules[case.cube_of[paths.far]]
    )
    by_port: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(rows).tolist():
        for strand in (int(paths.near[row]), int(paths.far[row])):
            if over[strand // case.strands]:
                by_port[strand // case.strands].append(row)
    done: set[int] = set()
    for port, mine in by_port.items():
        if done.issuperset(mine):
            continue
        done.update(mine)
        device, name = case.intended.names.port(port)
        was = float(good[port]) if good is not None else float("nan")
        trend = f", {now[port] / was:.0f} times as many as on a good day" if was > 0 else ""
        fibre = float(paths.fibre_loss[mine].max())
        why = "neither loss nor reflection explains it"
        if fibre >= LONG:
            why = f"its fibres alone lose {fibre:.1f} dB: its modules may not reach so far"
        case.found(
            "high-ber",
            f"{device} {name}",
            f"{device} port {name} corrects {now[port]:.1e} of its bits{trend}, and {why}",
            [Reseat(device, name)],
            hits=paths.ports(mine),
            places=[(device, name)],
            evidence={
                "ber": float(now[port]),
                "good": was if np.isfinite(was) else None,
                "limit": limits.ber,
            },
            harmless=bool(now[port] <= limits.ber),
            proof=[Proof(Look.BER, device, name)],
        )
    paths.settle(rows)


def too_many_errors(case: Case, paths: Paths) -> Mask:
    """Cube ports whose errors are over the limit, or many times what they were on a good day."""
    limits, good, now = case.limits, case.pictures.baseline.ber, case.cubes.ber
    with np.errstate(invalid="ignore"):
        over = now > limits.ber
        if good is not None:
            over |= (now > limits.ber_noise) & (now > limits.ber_times * good)
    # A port tells the errors of its worst strand: one that is dark or idle would speak for all.
    lit = np.zeros(case.cubes_end, np.bool_)
    shining = paths.asked & ~paths.is_dark
    lit[paths.near[shining]] = lit[paths.far[shining]] = True
    over |= ~np.isfinite(now) & ~case.cubes.up
    over &= lit.reshape(-1, case.strands).all(axis=1)
    return np.asarray(over)


def reflections(case: Case, paths: Paths) -> tuple[Levels, Levels]:
    """What both ends of paths see of their own light come back, in dB; NaN where not told."""
    levels = case.cubes.reflection
    return paths.port_level(levels, paths.near), paths.port_level(levels, paths.far)


def _mirror(case: Case, paths: Paths, row: int) -> None:
    """A mirror of a circuit lost its aim; which of the two, one circuit does not tell."""
    a, b = case.mirror(int(paths.a[row])), case.mirror(int(paths.b[row]))
    live, good, whole = (float(c[row]) for c in (paths.live, paths.good, paths.loss))
    if np.isfinite(live):
        said = f"{a[0]} loses {live:.1f} dB between {a[1]} and {b[1]}"
        said += f", where it lost {good:.1f}" if np.isfinite(good) else ""
    else:
        said = (
            f"The path through {a[0]} from {a[1]} to {b[1]} loses {whole:.1f} dB, and no connector "
            "reflects light"
        )
    case.found(
        "high-loss",
        f"{a[0]} {a[1]} {b[1]}",
        f"{said}: the mirror of one of the two ports is misaligned",
        [Replace(*port, "mirror") for port in (a, b)],
        hits=paths.ports([row]),
        places=[a, b],
        evidence=_numbers(paths, row),
        harmless=bool(paths.heard[row]),
        proof=[Proof(Look.AIM, *port) for port in (a, b)],
    )


def _numbers(paths: Paths, row: int) -> dict[str, float | None]:
    told = {"path_db": paths.loss[row]}
    if paths.case.is_switched:
        told |= {"switch_db": paths.live[row], "switch_good_db": paths.good[row]}
    if fibre := float(paths.fibre_loss[row]):
        told |= {"fibre_db": fibre}
    return {what: round(float(db), 2) if np.isfinite(db) else None for what, db in told.items()}


def _connectors(
    case: Case, paths: Paths, rows: Mask, lost: Levels, switch: Levels, code: str
) -> None:
    """One finding for the paths that share a cable: that cable, or whose reflections fit best."""
    by_row = {
        row: suspects_of(
            case, paths, row, float(lost[row]), float(switch[row]), _thrown_back(case, paths, row)
        )
        for row in np.flatnonzero(rows).tolist()
    }
    for members in sharing(by_row):
        suspects = set.intersection(*(set(by_row[row]) for row in members))
        places = sorted(suspects or {place for row in members for place in by_row[row]})
        worst = max(members, key=lambda row: float(lost[row]))
        back = [
            round(float(r[worst]), 1) if np.isfinite(r[worst]) else None
            for r in reflections(case, paths)
        ]
        ends = np.concatenate([paths.near[members], paths.far[members]])
        touched = sorted({case.cable(strand) for strand in ends.tolist()})
        plugs = [case.plug(port) for port in places]
        cables = sorted({case.cable(strand_at(case, port)) for port in places})
        which = "the connector at" if len(plugs) == 1 else "a connector at one of"
        if code == "high-loss":
            cause = f"{some(cables)} lose{'s' * (len(cables) == 1)} {lost[worst]:.1f} dB too much"
        else:
            cause = f"{some(cables)} reflect{'s' * (len(cables) == 1)} light"
        remedy: list[Step] = [Clean(*plug) for plug in plugs]
        case.found(
            code,
            " ".join(touched),
            f"{cause}: {which} {on_panels(plugs)} is dirty",
            remedy,
            hits=paths.ports(members),
            places=plugs,
            cables=cables,
            evidence=_numbers(paths, worst)
            | {"reflection_db": back, "excess_db": round(float(lost[worst]), 2)},
            harmless=bool(paths.heard[members].all()),
            proof=case.cables_seen(Look.LOSS if code == "high-loss" else Look.REFLECTION, places),
        )


def sharing(by_row: dict[int, list[int]]) -> list[list[int]]:
    """Rows that have a suspect in common, one after the other."""
    groups: list[tuple[set[int], list[int]]] = []
    for row, suspects in by_row.items():
        joined = [group for group in groups if group[0] & set(suspects)]
        merged = (
            set(suspects).union(*(group[0] for group in joined)),
            [member for group in joined for member in group[1]] + [row],
        )
        groups = [group for group in groups if group not in joined] + [merged]
    return [members for _, members in groups]


def strand_at(case: Case, port: int) -> int:
    return port if port < case.cubes_end else int(case.plant.mate[port])


def _thrown_back(case: Case, paths: Paths, row: int) -> tuple[float, float]:
    one, other = (float(level[row]) for level in reflections(case, paths))
    return one, other


def suspects_of(
    case: Case, paths: Paths, row: int, lost: float, switch: float, back: tuple[float, float]
) -> list[int]:
    """Ports of connectors whose dirt would throw `back` about what both ends see.

    A connector throws back what reached it; on its way back the light is weakened once more. The
    first strand of each port stands for it.
    """
    one, other = back
    ports = [int(column[row]) for column in (paths.near, paths.a, paths.b, paths.far)]
    ports = [_first(case, port) for port in ports]
    if not case.is_switched:
        ports = [ports[0], ports[-1]]
    if not (np.isfinite(one) and np.isfinite(other)) or max(one, other) < CLEAN + DOUBT:
        return ports
    here, there = (float(case.cable_loss[max(int(e[row]), 0)]) for e in (paths.near, paths.far))
    lost = max(lost, 0.0)
    whole = 2 * (here + switch + there + lost)
    #: dB on the way to each connector and back, seen from both ends.
    ways = [
        (0.0, whole),
        (2 * (here + lost), 2 * (there + switch)),
        (2 * (here + switch), 2 * (there + lost)),
        (whole, 0.0),
    ]
    if not case.is_switched:
        ways = [(0.0, 2 * (here + lost)), (2 * (here + lost), 0.0)]
    off = [_off((one, other), way) for way in ways]
    least = min(off)
    return [port for port, by in zip(ports, off, strict=True) if by <= least + DOUBT]


def _off(seen: Sequence[float], way: Sequence[float]) -> float:
    """How far a reading is from what a connector would make of it, in dB."""
    strong = 0 if seen[0] >= seen[1] else 1
    thrown = seen[strong] + way[strong]
    weak = 10 * np.log10(10 ** ((thrown - way[1 - strong]) / 10) + 10 ** (CLEAN / 10))
    # What is hardly more than clean connectors throw back tells nothing but that.
    least = CLEAN + 1.5 * DOUBT
    return float(abs(max(weak, least) - max(seen[1 - strong], least)))


def _first(case: Case, port: int) -> int:
    """The first strand of a port, or its A side."""
    if case.strands == 1:
        return port
    if port < case.cubes_end:
        return port - port % 2
    half = case.layout.radix
    on_b = (port - case.cubes_end) % case.layout.ports_per_switch >= half
    return port - half if on_b else port
