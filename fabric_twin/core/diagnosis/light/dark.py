"""Paths on which no light gets through, though their switch says that they are joined.

Light goes both ways over a path, so it does not tell which of the two cables is out; only a cable
whose strands are dark towards different cables is found out.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from fabric_twin.core.audit.remedy import Move, Step, Unplug
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.light.earlier_looks import suspected
from fabric_twin.core.diagnosis.paths import Paths, Rows
from fabric_twin.core.diagnosis.steps import Replace
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.findings.proof import Look, Proof

#: So many paths of a switch, all that it has, are no coincidence of cables.
FEWEST_OF_A_SWITCH = 4


def dark_paths(case: Case, paths: Paths, weak: Column) -> None:
    """Find cables that are out, and switches that tell of circuits that are not.

    Where a module is known to send too little (`weak`), no cable is to blame.
    """
    dark = paths.asked & ~paths.heard & (paths.is_dark | paths.one_way)
    dark &= ~np.isin(paths.near, weak) & ~np.isin(paths.far, weak)
    if not dark.any():
        return
    switch = case.switch_of(paths.a)
    for number in np.unique(switch[dark]).tolist() if case.is_switched else ():
        mine = (switch == number) & paths.asked
        if mine.sum() >= FEWEST_OF_A_SWITCH and dark[mine].all():
            _dark_switch(case, number, paths.ports(mine))
            dark &= ~mine
            paths.settle(mine)
    rows = np.flatnonzero(dark)
    far = paths.far if case.is_switched else paths.near
    cables = np.stack([paths.near[rows], far[rows]], axis=1) // case.strands
    known = suspected(case)
    for members, suspects in _groups([(int(a), int(b)) for a, b in cables.tolist()]):
        mine = rows[members]
        _dark_cables(case, suspects, paths, mine, known)
        paths.settle(mine)


def _groups(cables: list[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """Paths that share cables, and the cables that can be to blame for all of them."""
    partners: dict[int, set[int]] = defaultdict(set)
    for one, other in cables:
        partners[one].add(other)
        partners[other].add(one)
    left = dict(enumerate(cables))
    groups = []
    # The cable with the most dark partners explains the most.
    for cable in sorted(partners, key=lambda c: (-len(partners[c]), c)):
        members = [number for number, pair in left.items() if cable in pair]
        if not members:
            continue
        others = {end for number in members for end in left[number]} - {cable}
        suspects = [cable] if len(others) > 1 else sorted({cable, *others})
        groups.append((members, suspects))
        for number in members:
            del left[number]
    return groups


def _dark_cables(
    case: Case,
    suspects: list[int],
    paths: Paths,
    mine: Rows,
    known: Sequence[frozenset[int]],
) -> None:
    every = [cable * case.strands for cable in suspects]
    strands = _before(every, known)
    beside = [strand for strand in every if strand not in strands]
    names = [case.cable(strand) for strand in strands]
    plugs = [(case.plug(strand), case.plug(int(case.home[strand]))) for strand in strands]
    # Out, broken, or in a port that no circuit uses: whichever it is, it belongs there.
    steps: list[Step] = [
        step
        for name, (_, far) in zip(names, plugs, strict=True)
        for step in (Unplug(name, "b", far, lost=True), Move(name, "b", far))
    ]
    steps += [Replace(*far, "cable") for _, far in plugs]
    if beside:
        cause = (
            f"{names[0]} lets no light through, nor did it over another circuit: it is "
            "unplugged or broken"
        )
    elif len(names) == 1:
        what = "lets no light through" if case.is_switched else "joins nobody"
        cause = f"{names[0]} {what}: it is unplugged or broken"
    else:
        cause = (
            f"No light passes {' and '.join(names)}: one of the two cables is unplugged or "
            "broken, and light does not show which"
        )
    ports = paths.ports(mine)
    case.found(
        "dark",
        " ".join(names),
        cause,
        steps,
        hits=ports,
        places=[place for pair in plugs for place in pair],
        cables=names,
        evidence={
            "received_dbm": paths.received(mine),
            **paths.over_circuits(mine),
            "sure": len(every) == 1,
            "explanations": [f"{name} gives no light" for name in names],
        },
        proof=[*case.cables_seen(Look.LIGHT, strands), *case.cables_seen(Look.BESIDE, beside)],
    )


def _before(strands: list[int], known: Sequence[frozenset[int]]) -> list[int]:
    """The one of two cables that was dark over another circuit too, by what is left to be seen."""
    for cables in known:
        both = [strand for strand in strands if strand in cables]
        if both:
            return both
    return strands


def _dark_switch(case: Case, switch: int, ports: list[int]) -> None:
    name = case.switch_names[switch]
    mine = [port for port in ports if port >= case.cubes_end and case.plant.mate[port] != NO_PORT]
    case.found(
        "switch-down",
        f"{name} dark",
        f"{name} tells of {len(mine) // 2} circuits, and no light passes any of them",
        [Replace(name, "", "controller")],
        hits=ports,
        places=[(name, "")],
        proof=[Proof(Look.SHINES, name)],
    )
