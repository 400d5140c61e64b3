"""Switches that answer at each other's address: by their serials, or by what cubes hear.

Light cannot tell whether all the cables of two switches were exchanged, or their two addresses.
Nobody exchanges that many cables at once.
"""

from collections import Counter

import numpy as np

from fabric_twin.core.audit.places import some
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.steps import CorrectRecord
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.identity import serial_of

#: The fewest paths that let light say who a switch is.
FEWEST = 2


def exchanged(case: Case) -> None:
    """Find switches that are each other, and go on with each where it really is."""
    told_by = _by_serials(case)
    told = {there for there, by in enumerate(told_by) if by != there and by >= 0}
    for one, other in _by_light(case, told_by):
        told_by[one], told_by[other] = other, one
    moved = [switch for switch, by in enumerate(told_by) if by != switch]
    if not moved:
        return
    groups = DisjointSets(moved)
    for switch in moved:
        if told_by[switch] >= 0:
            groups.join(switch, told_by[switch])
    before = _serials_told(case)
    case.exchange(np.array(told_by, np.int32))
    for members in groups.parted():
        names = [case.switch_names[member] for member in members]
        how = "serials" if told.intersection(members) else "what cubes hear"
        case.found(
            "identity-exchanged",
            " ".join(names),
            f"{some(names)} answer at each other's address: {how} "
            f"{'say' if how == 'serials' else 'says'} so",
            [
                CorrectRecord(
                    case.switch_names[member],
                    "address",
                    "",
                    f"the address of {case.switch_names[told_by[member]]}",
                )
                for member in members
                if told_by[member] >= 0
            ],
            hits=(
                port for m in members for port in range(case.simplex(m).start, case.simplex(m).stop)
            ),
            places=[(name, "") for name in names],
            evidence={"serials": {case.switch_names[member]: before[member] for member in members}},
            proof=[Proof(Look.IDENTITY, name) for name in names],
        )
        # The circuits made for this switch are on the other: that is not a second fault.
        case.confused.update(members)


def _by_serials(case: Case) -> list[int]:
    """By switch: at whose address it answers; -1 where somebody else answers at its own."""
    told_by = list(range(len(case.switch_names)))
    inventory = case.pictures.inventory
    recorded = list(inventory.switch_serials) if inventory else []
    plain = list(map(serial_of, recorded))
    many = Counter(plain)
    # A serial that two have says of neither that it is the other.
    owner = {serial: number for number, serial in enumerate(plain) if many[serial] == 1}
    strangers = {}
    told = list(map(serial_of, _serials_told(case)))
    for at, serial in enumerate(told):
        there = owner.get(serial) if serial else None
        # A switch that answers at home as well as away is none that was exchanged.
        if there is not None and there != at and told[there] != serial:
            strangers[at] = there
    for at in strangers:
        told_by[at] = -1
    for at, there in strangers.items():
        told_by[there] = at
    # Nor is one that answers at two addresses.
    return told_by if len(set(strangers.values())) == len(strangers) else list(range(len(told_by)))


def _serials_told(case: Case) -> list[str]:
    """By switch: the serial of what answers at its address, also where it is left alone for it."""
    refused = case.pictures.shown.refused
    return [
        refused[name].told.serial if name in refused else serial if known else ""
        for name, serial, known in zip(
            case.switch_names, case.switches.serial, case.known_switch.tolist(), strict=True
        )
    ]


def _by_light(case: Case, told_by: list[int]) -> list[tuple[int, int]]:
    """Pairs whose paths are each other's, where serials do not say who they are."""
    inventory = case.pictures.inventory
    recorded = list(inventory.switch_serials) if inventory else []
    sure = {
        switch
        for switch, serial in enumerate(case.switches.serial)
        if serial_of(serial) and switch < len(recorded) and serial_of(recorded[switch])
    }
    seen, meets = paths_heard(case), case.meets
    each, first = case.layout.ports_per_switch, case.cubes_end
    tables = {
        switch: meets[case.simplex(switch)] - case.simplex(switch).start
        for switch in np.flatnonzero(case.known_switch).tolist()
        if switch not in sure and told_by[switch] == switch
    }
    odd = {}
    for switch, table in tables.items():
        mine = seen[case.simplex(switch)]
        heard = np.flatnonzero(mine != NO_PORT)
        if len(heard) < FEWEST:
            continue
        at = mine[heard] - first - switch * each
        if 2 * int((table[heard] == at).sum()) < len(heard):
            odd[switch] = (heard, at)
    pairs = []
    for one, (heard, at) in odd.items():
        for other, (others, there) in odd.items():
            if one < other:
                fits = (tables[other][heard] == at).mean(), (tables[one][others] == there).mean()
                if min(fits) > 0.5:
                    pairs.append((one, other))
    return pairs


def paths_heard(case: Case) -> np.ndarray:
    """By simplex port: the port of its switch that cubes say it is joined to, as the rule plugs."""
    heard = case.heard
    near = np.flatnonzero(heard >= 0)
    one, other = case.home[near], case.home[heard[near]]
    same = (one >= 0) & (other >= 0)
    one, other = one[same], other[same]
    same = case.switch_of(one) == case.switch_of(other)
    seen = np.full(len(case.explained), NO_PORT, np.int32)
    seen[one[same]] = other[same]
    return seen
