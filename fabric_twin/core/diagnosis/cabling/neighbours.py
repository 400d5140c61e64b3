"""Cables of a static plant that are elsewhere: each port says whom it hears, and so where it leads.

c004 X+ hears c001 X-, as the rule wants it      the cable is where it belongs
c004 X+ hears c002 X-                            a plug of one of their two cables is elsewhere
c004 X+ and c001 X- hear nobody                  nothing was moved: see `light/dark.py`

What is seen is audited like a record: exchanged cables and bundles are told as such. No port tells
a cable from another, so what may have been moved is told both ways.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import Stray
from fabric_twin.core.diagnosis.cabling.by_fixed_end import called_by_fixed_ends
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.discovery.rounds import agreed_sightings
from fabric_twin.core.fabric.columns import NOT_KNOWN, Column
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.findings.proof import Look

#: How many of those who hear each other the evidence names.
MOST = 8
#: How many cables a sentence names where they may be.
FEW = 2
#: A cable that is seen: its name, and the ports of its own near and far ends.
Seen = tuple[str, int, int]


def misplaced_neighbours(case: Case) -> None:
    """Find cables that lead to another port than the rule wants."""
    ends = _ends_seen(case)
    if (ends == case.home).all():
        return
    seen = sorted(_cables_seen(case, ends), key=lambda cable: cable[1:])
    names, near, far = zip(*seen, strict=True)
    plant = Recorded(list(names), np.array(near, np.int32), np.array(far, np.int32))
    for finding in audit_cabling(case.intended, plant).findings:
        plugs = case.plugs_of(finding)
        ports = np.unique(plugs[plugs >= 0])
        across = ends[ports[ends[ports] >= 0]]
        moved = np.unique(np.concatenate([ports, across]))
        moved = moved[ends[moved] != case.home[moved]]
        case.findings.append(_by_neighbours(case, finding, ports, ends, moved))
        case.explain(np.unique(np.concatenate([ports, case.path_of(moved, ends)])))


def _ends_seen(case: Case) -> Column:
    """By port of a cube: the port at the other end of its cable, as far as ports tell another.

    It is enough that one of two ports is heard or hears, also where a cube does not answer. A port
    that cannot be asked, and two ends that both hear nobody, are taken to be where they belong.
    """
    ports = np.arange(case.cubes_end)
    meets = agreed_sightings(case.heard)
    alone = case.left_alone[: case.cubes_end]
    asked = case.is_open(ports)
    heard = (meets >= 0) & ~alone
    heard[heard] = ~alone[meets[heard]] & (asked[heard] | asked[meets[heard]])
    ends = case.home.copy()
    ends[heard] = meets[heard]
    # Who hears nobody while the port at its other end hears somebody else has lost it.
    joined = (case.home >= 0) & ~heard
    away = np.zeros(case.cubes_end, np.bool_)
    away[joined] = ends[case.home[joined]] != ports[joined]
    ends[away] = NOT_KNOWN
    return ends


def _cables_seen(case: Case, ends: Column) -> Iterator[Seen]:
    """A row for each two that hear each other, and for each cable of which only one end is seen.

    Each cable is named once: by its near port, or else by its far one.
    """
    intended = case.intended
    row_of = {port: row for row, port in enumerate(intended.a.tolist())}
    far_of = {port: row for row, port in enumerate(intended.b.tolist())}
    joined = np.flatnonzero(ends >= 0)
    paired = joined[ends[ends[joined]] == joined]
    pairs = [
        tuple(intended.fabric.near_first((port, int(ends[port]))))
        for port in paired[paired < ends[paired]].tolist()
    ]
    in_use = set(paired.tolist())
    ends_of = list(zip(intended.a.tolist(), intended.b.tolist(), strict=True))
    every = range(len(ends_of))
    taken: set[int] = set()
    rest: list[tuple[int, ...]] = []
    for one, other in pairs:
        near = one if one in row_of else other
        if near not in row_of:
            rest.append((one, other))
            continue
        taken.add(row_of[near])
        yield case.cable(near), near, other if near == one else one
    for one, other in rest:
        far = next((p for p in (other, one) if far_of.get(p, -1) not in {-1, *taken}), -1)
        if far >= 0:
            taken.add(far_of[far])
            yield case.cable(int(intended.a[far_of[far]])), one if far == other else other, far
            continue
        # Both its ends are elsewhere: it is one of which both ports have others in them, if any.
        left = (row for row in every if row not in taken and in_use.issuperset(ends_of[row]))
        row = next(left, -1)
        taken.add(row)
        yield case.cable(ends_of[row][0]) if row >= 0 else intended.names.cable(one), one, other
    for row in (row for row in every if row not in taken):
        near, far = ends_of[row]
        if near not in in_use:
            yield case.cable(near), near, NOT_KNOWN if ends[near] < 0 else far
        elif far not in in_use:
            yield case.cable(near), NOT_KNOWN, far


def _by_neighbours(
    case: Case, finding: Finding, ports: Column, ends: Column, moved: Column
) -> Finding:
    called = called_by_fixed_ends(case, finding)
    cause = called.cause
    for words in ("recorded without a far end", "recorded without far ends"):
        cause = cause.replace(words, "joined to nobody")
    pairs = _pairs(case, ends, moved)
    likeliest = [f"{one.cable} is in {' port '.join(one.stands or ())}" for one in _placed(called)]
    ways = [likeliest, *(way for way in _ways(case, pairs) if {*way} != {*likeliest})]
    told = [" and ".join(way[:MOST]) for way in ways if way]
    if len(told) > 1:
        few = len(ways[1]) <= FEW
        cause += f"; or else {told[1] if few else 'at their other ends'}: their labels tell"
    return replace(
        called,
        cause=f"By neighbours: {cause}",
        evidence={
            "light": "shows it",
            "sure": all(case.home[[*pair]].min() < 0 for pair in pairs),
            "explanations": told,
            "heard": [
                [" ".join(case.plug(port)), " ".join(case.plug(int(case.heard[port])))]
                for port in moved.tolist()
                if case.heard[port] >= 0
            ][:MOST],
        },
        owners=case.owners(ports.tolist()),
        looks=tuple(case.cables_seen(Look.LIGHT, ports)),
    )


def _placed(finding: Finding) -> Iterator[Stray]:
    """Cables of which the end that is elsewhere is in a port."""
    return (one for one in finding.strays if one.stands and any(one.stands))


def _pairs(case: Case, ends: Column, moved: Column) -> list[tuple[int, ...]]:
    """Ports that hear each other and should not, the near one first."""
    heard = {frozenset((port, int(ends[port]))) for port in moved.tolist() if ends[port] >= 0}
    return sorted(tuple(case.intended.fabric.near_first(pair)) for pair in heard)


def _ways(case: Case, pairs: list[tuple[int, ...]]) -> Iterator[list[str]]:
    """What was moved: the far plugs of the cables at near ports, or the near plugs of the others.

    None of two ports of one sign: there one plug of each kind was moved.
    """
    a_side, b_side = set(case.intended.a.tolist()), set(case.intended.b.tolist())
    if all(near in a_side for near, _ in pairs):
        yield [f"{case.cable(near)} is in {_at(case, to)}" for near, to in pairs]
    if all(to in b_side for _, to in pairs):
        home = case.home
        yield [f"{case.cable(int(home[to]))} is in {_at(case, near)}" for near, to in pairs]


def _at(case: Case, port: int) -> str:
    return " port ".join(case.plug(port))
