"""Transceivers: the wrong part, not the recorded one, none at all, or one that is dying."""

import re
from collections import Counter
from functools import lru_cache

import numpy as np

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.pictures import Mask
from fabric_twin.core.diagnosis.steps import CorrectRecord, Replace
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.identity import is_another, serial_of

#: Wavelength grids by what names of parts say (facts, 4): two grids do not meet.
GRIDS = (
    ("4 x 20 nm", re.compile(r"cwdm4|\b4x? ?(x )?20 ?nm", re.IGNORECASE)),
    ("8 x 10 nm", re.compile(r"cwdm8|\b8x? ?(x )?10 ?nm|8 wavelengths", re.IGNORECASE)),
)
#: What a lane carries, in Gbit/s: a link runs at the lower rate of both ends.
_LANE_RATE = re.compile(r"\b(25|50|100|200)G\b")


def grid_of(part: str) -> str:
    """The wavelength grid that a part's name tells; empty where it tells none.

    >>> grid_of("OSFP 2x CWDM4 bidi"), grid_of("OSFP 800G bidi, 8 wavelengths"), grid_of("FTL1")
    ('4 x 20 nm', '8 x 10 nm', '')
    """
    return next((grid for grid, pattern in GRIDS if pattern.search(part)), "")


def lane_rate_of(part: str) -> int:
    """What the name of a part says of the rate of its lanes; 0 where it says nothing."""
    found = _LANE_RATE.search(part)
    return int(found[1]) if found else 0


def wrong_modules(case: Case) -> None:
    """Parts that do not belong, empty cages, and serials that are not the recorded ones."""
    inventory, shown = case.pictures.inventory, case.cubes
    serials = list(inventory.serials) if inventory else []
    parts = list(inventory.parts) if inventory else []
    swapped: list[tuple[int, str, str]] = []
    for port in _modules(case, _told(case)):
        serial, part = shown.serial[port], shown.part[port]
        was = serials[port] if port < len(serials) else ""
        wanted = parts[port] if port < len(parts) else ""
        if not serial:
            if serial_of(was) or wanted:
                _wrong_part(case, port, "", wanted or case.intended.design.transceiver)
        elif part and differs(part, wanted, case.intended.design.transceiver):
            _wrong_part(case, port, part, wanted or case.intended.design.transceiver)
        elif serial != was and is_another(was, serial):
            swapped.append((port, was, serial))
    _wrong_serials(case, swapped)
    _still_wrong(case)


def _still_wrong(case: Case) -> None:
    """A part that was wrong is taken for wrong until its cube tells of it: no cable is to blame."""
    told = _told(case)
    for proof in case.pictures.known:
        parts = [(one.device, one.port) for one in proof if one.look is Look.PART]
        for strand in case.cables_at(parts):
            if not told[strand // case.strands]:
                case.explain(_strands(case, strand // case.strands))


def _told(case: Case) -> Mask:
    """Cube ports of cubes that tell of their modules, on trays that run."""
    first = np.arange(0, case.cubes_end, case.strands)
    cube = case.cube_of[first]
    told = case.known_cube[cube] & case.cubes.modules[cube] & case.slots[cube]
    return np.asarray(told & case.is_open(first))


@lru_cache(maxsize=256)  # thousands of ports have a few kinds of parts
def differs(part: str, wanted: str, of_design: str) -> bool:
    """Whether a part is another than is recorded; or one that cannot work, if none is."""
    if wanted:
        return part != wanted
    # Nobody recorded what is there: only what cannot work is wrong.
    grids = grid_of(part), grid_of(of_design)
    return all(grids) and grids[0] != grids[1]


def _wrong_part(case: Case, port: int, part: str, wanted: str) -> None:
    device, name = case.intended.names.port(port)
    grids, rates = (
        [grid_of(text) for text in (part, wanted)],
        [lane_rate_of(p) for p in (part, wanted)],
    )
    harmless = False
    if not part:
        why = f"is empty, and {wanted} belongs there"
    elif all(grids) and grids[0] != grids[1]:
        why = f"holds {part}, of the grid {grids[0]}; its link needs {wanted}, of {grids[1]}"
    elif all(rates) and rates[0] != rates[1]:
        harmless = rates[0] > rates[1]
        slower = min(rates)
        why = f"holds {part}, and {wanted} is recorded: the link runs at {slower}G a lane"
    else:
        harmless = bool(case.cubes.up[port])
        why = f"holds {part}, and {wanted} is recorded"
    case.found(
        "wrong-part",
        f"{device} {name}",
        f"{device} port {name} {why}",
        [Replace(device, name, wanted)],
        hits=_strands(case, port),
        places=[(device, name)],
        evidence={"part": part, "wanted": wanted, "serial": case.cubes.serial[port]},
        harmless=harmless,
        proof=[Proof(Look.PART, device, name)],
    )
    if not harmless:
        case.explain(_strands(case, port))


def _wrong_serials(case: Case, swapped: list[tuple[int, str, str]]) -> None:
    """Modules that were exchanged among ports are one finding; each other is its own."""
    owner = {serial_of(was): port for port, was, _ in swapped}
    serial = {port: (was, told) for port, was, told in swapped}
    there = {port: serial_of(told) for port, _, told in swapped}
    taken: set[int] = set()
    # A serial that is there twice proves nothing about who was moved.
    once = Counter(there.values())
    for port, _, _ in swapped:
        if port in taken:
            continue
        ring, at = [port], owner.get(there[port])
        while at is not None and at not in ring and at not in taken and once[there[at]] == 1:
            ring.append(at)
            at = owner.get(there[at])
        members = sorted(ring) if at == port and len(ring) > 1 else [port]
        taken.update(members)
        names = [case.intended.names.port(member) for member in members]
        was, told = serial[port]
        if len(members) > 1:
            said = ", ".join(f"{device} port {name}" for device, name in names[:3])
            cause = f"The {len(members)} modules of {said} are in each other's ports"
        else:
            cause = f"{names[0][0]} port {names[0][1]} holds {told}, and {was} is recorded"
        case.found(
            "wrong-serial",
            " ".join(" ".join(name) for name in names),
            cause,
            [
                CorrectRecord(" ".join(name), "serial", *serial[member])
                for name, member in zip(names, members, strict=True)
            ],
            places=names,
            evidence={
                "serials": {" ".join(n): serial[m][1] for n, m in zip(names, members, strict=True)}
            },
            proof=[Proof(Look.SERIAL, *place) for place in names],
        )


def switch_serials(case: Case) -> None:
    """Switches that are not the recorded ones, and no other recorded one either."""
    inventory = case.pictures.inventory
    recorded = inventory.switch_serials if inventory else ()
    others = dict(zip(map(serial_of, recorded), case.switch_names, strict=False))
    for switch, was in enumerate(recorded):
        told = case.switches.serial[switch]
        if not (is_another(was, told) and case.known_switch[switch]):
            continue
        name = case.switch_names[switch]
        if other := others.get(serial_of(told)):
            words = f"{other} answers at the address of {name}"
            remedy = CorrectRecord(name, "address", "", "its own address")
        else:
            words = f"{name} is {told}, and {was} is recorded"
            remedy = CorrectRecord(name, "serial", was, told)
        case.found(
            "wrong-serial",
            name,
            words,
            [remedy],
            places=[(name, "")],
            evidence={"serials": {name: told}},
            proof=[Proof(Look.SERIAL, name)],
        )


def dying_modules(case: Case) -> np.ndarray:
    """Modules that send too little; the cube ports that they are in."""
    shown, limits = case.cubes, case.limits
    sent = shown.sent.reshape(case.cubes_end // case.strands, -1)
    with np.errstate(invalid="ignore"):
        mean, least = sent.mean(axis=1), sent.min(axis=1)
        weak = _told(case) & ((mean < limits.sent) | (least < limits.sent_lane))
    ports: np.ndarray = np.flatnonzero(weak)
    for port in _modules(case, weak):
        device, name = case.intended.names.port(port)
        warmth = float(shown.temperature[port])
        warm = f" and runs at {warmth:.0f} degrees" if warmth > limits.warm else ""
        lit = case.across(np.array([port * case.strands]))[0] != NO_PORT
        case.found(
            "high-loss",
            f"{device} {name} module",
            f"The module in {device} port {name} sends {mean[port]:.1f} dBm{warm}: it is failing",
            [Replace(device, name, case.intended.design.transceiver or "transceiver")],
            hits=_strands(case, port),
            places=[(device, name)],
            evidence={
                "sent_dbm": round(float(mean[port]), 2),
                "weakest_lane_dbm": round(float(least[port]), 2),
                "temperature": round(warmth, 1) if np.isfinite(warmth) else None,
                "limit_dbm": limits.sent,
            },
            harmless=bool(not lit or shown.up[port]),
            proof=[Proof(Look.SENT, device, name)],
        )
    return ports


def _modules(case: Case, ports: Mask) -> list[int]:
    """The first of some cube ports that is of each module."""
    found = np.flatnonzero(ports)
    _, first = np.unique(found // case.intended.names.cables_a_module, return_index=True)
    modules: list[int] = found[first].tolist()
    return modules


def _strands(case: Case, port: int) -> list[int]:
    """The strands of the module in a cube port."""
    each = case.intended.names.cables_a_module
    first = port - port % each
    return list(range(first * case.strands, (first + each) * case.strands))


def strands_of(case: Case, ports: np.ndarray) -> Column:
    """All strands of some cube ports."""
    every = ports[:, None] * case.strands + np.arange(case.strands)
    return every.reshape(-1).astype(np.int32)
