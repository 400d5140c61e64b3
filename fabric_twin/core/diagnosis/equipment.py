"""Switches, cubes and blocks as devices: who answers, whose news is old, what is out."""

from typing import Any

import numpy as np

from fabric_twin.core.audit.places import some
from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.pictures import PortIs, Unit
from fabric_twin.core.diagnosis.steps import Replace, Reseat
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.dead_switch import are_enough
from fabric_twin.core.findings.proof import Look, Proof

#: What a switch calls a part that is gone, by its kind.
UNIT_CODES = {"power": "power-lost", "fan": "fan-lost", "board": "board-out"}


def silent_switches(case: Case) -> None:
    """Switches that were asked and do not answer: down, or only silent while light passes."""
    silent = _silent(case)
    passes = _light_passes(case)
    mute = [switch for switch, name in enumerate(case.switch_names) if name in silent]
    case.unobserved |= {name: silent[name] for name in case.switch_names if name in silent}
    if _nobody_answers(case):
        _nobody(case)
        return
    if len(mute) == len(case.switch_names) > 1:
        _all_switches(case, lit=sum(passes))
        return
    for switch in mute:
        if case.is_out(switch):
            continue
        name = case.switch_names[switch]
        agreed = _is_wanted(case, switch)
        facts = {"why": silent[name], "lit": int(passes[switch]), "neighbours_agree": agreed}
        if passes[switch]:
            what = (
                f"does not answer ({silent[name]}), and light passes: only its controller is "
                "silent; its last known state is kept"
            )
            _whole(case, "stale", name, what, evidence=facts)
            continue
        ports = range(*case.simplex(switch).indices(len(case.explained)))
        # Hands are sent only where its neighbours agree: they should hear each other, and do not.
        doubt = "" if agreed else "; light does not show whether it runs"
        what = f"does not answer ({silent[name]}), and no light passes{doubt}"
        _whole(case, "switch-down", name, what, reseat=agreed, hits=ports, evidence=facts)


def _whole(
    case: Case, code: str, name: str, what: str, *, reseat: bool = False, **more: Any
) -> None:
    """A whole device does not do as it should; to take it out and put it back may mend it."""
    more.setdefault("proof", [Proof(Look.ANSWERS, name)])
    remedy = [Reseat(name)] if reseat else []
    case.found(code, name, f"{name} {what}", remedy, places=[(name, "")], **more)


def _silent(case: Case) -> dict[str, str]:
    """Devices that told nothing at all, and why; who answers and refuses is another matter."""
    shown = case.pictures.shown
    return {name: why for name, why in shown.silent.items() if name not in shown.refused}


def _nobody_answers(case: Case) -> bool:
    """Whether no switch and no cube of the pod does."""
    return _silent(case).keys() >= {*case.switch_names, *case.standing}


def _nobody(case: Case) -> None:
    """Then nothing is known of light either."""
    switches, cubes, names = len(case.switch_names), len(case.standing), case.intended.names
    those = f"{cubes} {names.part}s"
    if case.is_switched:
        those = f"{switches} switches and {those}"
    case.found(
        "stale",
        "all devices",
        f"None of the {those} answers: the network to all of them is interrupted, logins are "
        f"refused, or the {names.noun} has no power",
        [],
        evidence={"switches": switches, "cubes": cubes},
        proof=[Proof(Look.ANSWERS, "")],
    )


def _all_switches(case: Case, lit: int) -> None:
    """Nothing takes every switch at once but what they have in common."""
    many = len(case.switch_names)
    if lit:
        code, cause = "stale", "and light passes: the network to their controllers is interrupted"
    else:
        noun = case.intended.names.noun
        code = "switch-down"
        cause = f"and no light passes: the {noun} has no power, or logins are refused"
    case.found(
        code,
        "all switches",
        f"None of the {many} switches answers, {cause}",
        [],
        hits=range(case.cubes_end, len(case.explained)) if not lit else (),
        evidence={"switches": many, "lit": lit},
        proof=[Proof(Look.ANSWERS, "", "switches")],
    )


def _light_passes(case: Case) -> list[int]:
    """By switch: how many strands hear each other through it, as the rule plugs them."""
    heard = case.heard
    near = np.flatnonzero(heard >= 0) if case.is_switched else np.zeros(0, np.intp)
    one, other = case.home[near], case.home[heard[near]]
    same = (one >= 0) & (other >= 0) & (case.switch_of(one) == case.switch_of(other))
    counted: list[int] = np.bincount(
        case.switch_of(one[same]), minlength=len(case.switch_names)
    ).tolist()
    return counted


def _is_wanted(case: Case, switch: int) -> bool:
    """Whether enough cubes that are known should hear each other through a switch."""
    wanted = case.pictures.wanted
    if wanted is None:
        return False
    mine = wanted.circuits.switch == switch
    a, b = (case.plant.mate[ends[mine]] for ends in case.ends(wanted.circuits))
    there = (a != NO_PORT) & (b != NO_PORT)
    known = case.observed_strand[a[there]] & case.observed_strand[b[there]]
    return are_enough(int(known.sum()), int(there.sum()))


def silent_cubes(case: Case) -> None:
    """Cubes that were asked and do not answer: down, or only silent while others hear them."""
    silent, heard = _silent(case), case.heard
    audible = np.zeros(case.layout.slots, np.bool_)
    audible[case.cube_of[heard[heard >= 0]]] = True
    mute = [name for name in case.standing if name in silent]
    refusing = [name for name in case.standing if name in case.pictures.shown.refused]
    untold = [slot for name in (*mute, *refusing) for slot in case.standing[name]]
    case.explain(np.isin(case.layout.slot, untold))
    if _nobody_answers(case):
        case.unobserved |= {name: silent[name] for name in mute}
        return
    if len(mute) == len(case.standing) > 1:
        _all_cubes(case, mute)
        return
    part = case.intended.names.part
    for name in mute:
        case.unobserved[name] = silent[name]
        if audible[_rows(case.standing[name])].any():
            what = (
                f"does not answer ({silent[name]}), and other {part}s hear it: only its "
                "controller is silent; its last known state is kept"
            )
            _whole(case, "stale", name, what, evidence={"why": silent[name]})
        else:
            agreed = _should_be_heard(case, name)
            doubt = "" if agreed else "; light does not show whether it runs"
            what = f"does not answer ({silent[name]}), and no other {part} hears it{doubt}"
            _cube_down(case, name, what, reseat=agreed)


def _rows(slots: range) -> slice:
    """Slots in a column that begins with slot 1."""
    return slice(slots.start - 1, slots.stop - 1)


def _strands(case: Case, cube: str) -> range:
    each, slots = case.layout.ports_per_cube, case.standing[cube]
    return range((slots.start - 1) * each, (slots.stop - 1) * each)


def _should_be_heard(case: Case, cube: str) -> bool:
    """Whether another cube that is known should hear one, by the circuits that are carried."""
    mine = _strands(case, cube)
    others = case.across(np.array(mine))
    others = others[others >= 0]
    elsewhere = (others < mine.start) | (others >= mine.stop)
    return bool((case.observed_strand[others] & elsewhere).any())


def _all_cubes(case: Case, mute: list[str]) -> None:
    silent, names = case.pictures.shown.silent, case.intended.names
    case.unobserved |= {name: silent[name] for name in mute}
    case.found(
        "stale",
        f"all {names.part}s",
        f"None of the {len(mute)} {names.part}s answers: the network to their controllers is "
        f"interrupted, or the {names.noun} has no power",
        [],
        evidence={"cubes": len(mute)},
        proof=[Proof(Look.ANSWERS, "", "cubes")],
    )


def _cube_down(case: Case, name: str, what: str, *, reseat: bool) -> None:
    proof = [Proof(Look.ANSWERS, name), Proof(Look.RUNS, name)]
    hits, slots = _strands(case, name), list(case.standing[name])
    more: dict[str, Any] = {"hits": hits, "slots": slots, "proof": proof}
    _whole(case, "cube-down", name, what, reseat=reseat, **more)


def old_news(case: Case) -> None:
    """Devices whose answer is long out of date, or that do not report their modules."""
    now, shown = case.pictures.now, case.pictures.shown
    for switch in np.flatnonzero(_is_old(case, case.switches.told_at, case.known_switch)).tolist():
        name = case.switch_names[switch]
        case.known_switch[switch] = False
        if not case.is_out(switch):
            _stale(case, name, now - float(case.switches.told_at[switch]))
    old = _is_old(case, shown.cubes.told_at, case.known_cube) & case.slots
    for name in _named(case, old):
        _stale(case, name, now - float(shown.cubes.told_at[case.standing[name].start - 1]))
    case.forget_cubes(old)
    mute = case.known_cube & ~shown.cubes.modules & case.slots & ~_all_trays_down(case)
    for name in _named(case, mute):
        case.found(
            "stale",
            f"{name} modules",
            f"{name} reports no modules: their serials, parts and light are not known",
            [],
            places=[(name, "")],
            proof=[Proof(Look.MODULES, name)],
        )


def _named(case: Case, cubes: np.ndarray) -> list[str]:
    """Cubes or blocks by a mask of slots."""
    return [name for name, slots in case.standing.items() if cubes[slots.start - 1]]


def _is_old(case: Case, told_at: np.ndarray, known: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(known & (told_at < case.pictures.now - case.limits.stale))


def _stale(case: Case, name: str, age: float) -> None:
    said = f"{age / 3600:.1f} hours" if age >= 7200 else f"{age:.0f} seconds"
    case.unobserved[name] = f"its data is {said} old"
    what = f"answers, but its data is {said} old"
    _whole(case, "stale", name, what, evidence={"age_s": round(age)})


def lost_units(case: Case) -> None:
    """Feeds, fans and driver boards that do not work; a board takes its ports along."""
    for unit in case.switches.lost:
        if not case.known_switch[unit.switch] or case.is_out(unit.switch):
            continue
        name, what = case.switch_names[unit.switch], UNIT_CODES[unit.kind]
        ports: list[int] = []
        said = {"power": "has no power from", "fan": "has lost", "board": "runs without"}[unit.kind]
        cause = f"{name} {said} {unit.name}"
        if unit.kind == "board":
            ports = _ports_of_board(case, unit)
            dark = [port for port in ports if case.plant.want[port] != NO_PORT]
            cause += f": the mirrors of {counted(len(ports), 'port')} have lost their state"
            cause += f", {len(dark)} of them with a cable" if dark else ""
            case.explain(ports)
            if ports and case.out[ports].all():
                continue
        else:
            cause += "; the others carry on"
        case.found(
            what,
            f"{name} {unit.name}",
            cause,
            [Replace(name, "", unit.name)],
            hits=ports,
            places=[(name, ""), *map(case.mirror, ports)],
            proof=[
                Proof(Look.UNIT, name, unit.name),
                *(Proof(Look.POWERED, *case.mirror(port)) for port in ports),
            ],
        )


def _ports_of_board(case: Case, unit: Unit) -> list[int]:
    """Ports that nothing drives, and that are this board's where several are out.

    A board drives a run of ports on both sides [A]; which, counts only where two are out.
    """
    mine = case.simplex(unit.switch)
    status = case.switches.status[mine.start - case.cubes_end : mine.stop - case.cubes_end]
    dead = np.flatnonzero((status == PortIs.NOT_TOLD) | (status == PortIs.POWERED_OFF))
    out = [other.name for other in case.switches.lost if other[:2] == unit[:2]]
    if len(out) > 1 and len(dead):
        run = dead % case.layout.radix * case.limits.boards // case.layout.radix
        runs = np.unique(run)
        dead = dead[run == runs[min(sorted(out).index(unit.name), len(runs) - 1)]]
    return [mine.start + port for port in dead.tolist()]


def _all_trays_down(case: Case) -> np.ndarray:
    trays = case.cubes.trays_down.reshape(case.layout.slots, -1)
    return np.asarray(trays.all(axis=1))


def trays(case: Case) -> None:
    """Trays that do not run, and cubes of which none does; their ports send no light."""
    per_cube, each = case.layout.ports_per_cube, case.layout.cube.trays
    whole = _all_trays_down(case) & case.known_cube & case.slots
    for name in _named(case, whole):
        _cube_down(case, name, "answers, and none of its trays runs", reseat=True)
        case.explain(list(_strands(case, name)))
    there = np.repeat(case.known_cube & case.slots & ~whole, each)
    kind = "optical " if case.is_switched else ""
    for tray in np.flatnonzero(case.cubes.trays_down & there).tolist():
        name = case.intended.names.device(tray)
        slot = tray // each
        mine = np.arange(slot * per_cube, (slot + 1) * per_cube)
        mine = mine[case.layout.device[mine] == tray]
        what = f"does not run: its {len(mine) // case.strands} {kind}ports are dark"
        proof = [Proof(Look.TRAY, name)]
        more: dict[str, Any] = {"hits": mine.tolist(), "slots": [slot + 1], "proof": proof}
        _whole(case, "tray-down", name, what, reseat=True, **more)
        case.explain(mine)


def copper(case: Case) -> None:
    """Copper links that are down between trays that run."""
    each, cube = case.layout.cube.trays, case.layout.cube
    so = (
        "the cube makes no torus"
        if case.is_switched
        else "a slice that has both its chips lacks a link"
    )
    for slot, link in case.cubes.copper_down:
        if not (case.known_cube[slot - 1] and case.slots[slot - 1]):
            continue
        trays = [(slot - 1) * each + cube.tray_of(chip) - 1 for chip in cube.copper_link(link)]
        if case.cubes.trays_down[trays].any():
            continue
        name = case.intended.names.cube(slot)
        devices = sorted({case.intended.names.device(tray) for tray in trays})
        case.found(
            "copper-down",
            f"{name} {link}",
            f"The copper link {link} of {name} is down, and so {so} (it is on {some(devices)})",
            [Replace(name, link, "copper link")],
            hits=range((slot - 1) * case.layout.ports_per_cube, slot * case.layout.ports_per_cube),
            slots=[slot],
            places=[(name, link)],
            proof=[Proof(Look.COPPER, name, link)],
        )
