"""Switches whose circuits join other cubes than those of the other indices of their axis."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import Join, agreed, joins_of
from fabric_twin.core.diagnosis.case import Case, chosen
from fabric_twin.core.diagnosis.steps import Connect, Disconnect
from fabric_twin.core.diagnosis.switching import MOST, named
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.kinds import Kind
from fabric_twin.core.rule import Plant

Pair = tuple[str, str]


def odd_siblings(case: Case) -> None:
    """Find them: among each owner's circuits, or among all where nobody says what is wanted.

    One finding a switch, however many owners it fails.
    """
    if case.intended.design.kind is Kind.NETWORK:
        return  # links of blocks make no torus: each circuit is for itself
    wanted, shown = case.pictures.wanted, case.switches.configured
    if wanted is None:
        groups = [chosen(shown, case.known_switch[shown.switch])]
    else:
        groups = [
            chosen(wanted.circuits, wanted.owner == owner) for owner in range(len(wanted.owners))
        ]
    odd: dict[int, list[Pair]] = {}
    lacking: dict[int, list[Pair]] = {}
    for circuits in groups:
        for switch, pairs, lacks in _odd_among(case, circuits):
            odd.setdefault(switch, []).extend(pairs)
            lacking.setdefault(switch, []).extend(lacks)
    for switch in sorted(odd):
        _odd(case, switch, odd[switch], lacking[switch])


def _odd_among(case: Case, circuits: Circuits) -> Iterator[tuple[int, list[Pair], list[Pair]]]:
    """The switches that differ for one owner: what they join oddly, and what they lack."""
    if not len(circuits):
        return
    joins = joins_of(case.intended, circuits)
    seen = Counter(join for join in joins if join)
    layout, design = case.layout, case.intended.design
    most = agreed(layout.cube.dimensions, seen)
    paired = 1 + (design.plant is Plant.PAIRED)
    whole = len(layout.cube.indices(0)) * design.lanes * paired
    pairs = [
        (f"{a}A", f"{b}B") for a, b in zip(circuits.a.tolist(), circuits.b.tolist(), strict=True)
    ]
    odd: dict[int, list[Pair]] = {}
    there: dict[Join, Counter[int]] = {}
    may_lack = case.pictures.wanted is not None and case.pictures.wanted.may_lack
    for switch, pair, join in zip(circuits.switch.tolist(), pairs, joins, strict=True):
        if join and most[join[0]].get(join[1]) != join[2]:
            odd.setdefault(switch, []).append(pair)
        elif join and not may_lack and whole < 2 * seen[join] < 2 * whole:
            there.setdefault(join, Counter())[switch] += 1
    had = set(zip(circuits.switch.tolist(), pairs, strict=True)) if there else set()
    lacking: dict[int, list[Pair]] = {}
    for join, counted in there.items():
        for switch in _switches_of_axis(case, join[0]):
            if counted[switch] < max(counted.values()):
                lacks = [p for p in _circuits_of(case, switch, join) if (switch, p) not in had]
                lacking.setdefault(switch, []).extend(lacks)
    case.odd |= odd.keys() | lacking.keys()
    for switch in sorted(odd.keys() | lacking.keys()):
        pairs, lacks = odd.get(switch, []), lacking.get(switch, [])
        known = case.known_switch[switch] and switch not in case.confused
        if known and case.is_open(_ports(case, switch, [*pairs, *lacks])).all():
            yield switch, pairs, lacks


def _switches_of_axis(case: Case, axis: int) -> list[int]:
    return [number for number, (its, _) in enumerate(case.layout.switches) if its == axis]


def _circuits_of(case: Case, switch: int, join: Join) -> list[Pair]:
    """The circuits of one switch that make a join: each `+` of one cube to the `-` of the other."""
    axis, slot, to = join
    mine = case.simplex(switch)
    behind = case.plant.mate[mine]
    local = behind % case.layout.ports_per_cube
    there = (behind >= 0) & (case.layout.axis[local] == axis)
    index = case.layout.index[local] * 64 + case.layout.lane[local] // case.strands
    sign, of = case.layout.sign[local], case.layout.slot[behind]
    half = len(behind) // 2
    pairs: list[Pair] = []
    for (one, its), (other, others) in (((slot, 0), (to, 1)), ((to, 1), (slot, 0))):
        a = np.flatnonzero(there[:half] & (of[:half] == one) & (sign[:half] == its))
        b = half + np.flatnonzero(there[half:] & (of[half:] == other) & (sign[half:] == others))
        at = {int(index[port]): int(port) for port in b}
        pairs += [
            (f"{port + 1}A", f"{at[int(index[port])] - half + 1}B")
            for port in a.tolist()
            if int(index[port]) in at
        ]
    return pairs


def _ports(case: Case, switch: int, pairs: Sequence[Pair]) -> Column:
    names = list(chain.from_iterable(pairs))
    return case.plant.names.find([case.switch_names[switch]] * len(names), names)


def _odd(case: Case, switch: int, pairs: Sequence[Pair], lacking: Sequence[Pair]) -> None:
    name = case.switch_names[switch]
    said = []
    if pairs:
        said.append(f"joins other cubes than its siblings by {named(pairs)}")
    if lacking:
        said.append(f"lacks {named(lacking)}, which its siblings have")
    both = [*pairs, *lacking]
    case.found(
        "odd-sibling",
        name,
        f"{name} {' and '.join(said)}",
        [*(Disconnect(name, *pair) for pair in pairs), *(Connect(name, *pair) for pair in lacking)],
        hits=_ports(case, switch, both).tolist(),
        places=[(name, port) for port in chain.from_iterable(both)],
        evidence={
            "odd": [list(p) for p in pairs[:MOST]],
            "lacking": [list(p) for p in lacking[:MOST]],
        },
        proof=[Proof(Look.SIBLING, name)],
    )
