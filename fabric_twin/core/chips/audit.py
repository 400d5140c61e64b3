"""The audit of a netlist: each cause in one finding, over all rings that have it."""

from collections.abc import Iterable, Sequence

import numpy as np

from fabric_twin.core.audit.findings import Finding, Report, finding_id
from fabric_twin.core.chips.design import ChipDesign
from fabric_twin.core.chips.loops import loop_mistakes
from fabric_twin.core.chips.misplaced import misplaced
from fabric_twin.core.chips.missing import missing, not_needed
from fabric_twin.core.chips.mistake import Mistake
from fabric_twin.core.chips.netlist import Mask, RingNetlist
from fabric_twin.core.chips.ring import Ring


def audit_netlist(design: ChipDesign, netlists: Iterable[RingNetlist]) -> Report:
    """Explain every difference of these rings from the design."""
    found: dict[Mistake, list[Ring]] = {}
    parts = expected = 0
    for netlist in netlists:
        parts, expected = parts + netlist.parts, expected + netlist.ring.parts
        for mistake in mistakes_of(netlist):
            found.setdefault(mistake, []).append(netlist.ring)
    findings = [_finding(design, mistake, rings) for mistake, rings in found.items()]
    findings.sort(key=lambda one: (one.severity, -one.evidence["parts"], one.ports, one.id))
    facts = (design.name, design.title, parts, expected, tuple(findings))
    return Report(*facts, noun=design.kind.noun.capitalize(), part="part")


def mistakes_of(netlist: RingNetlist) -> Iterable[Mistake]:
    """Every mistake of one ring."""
    ring = netlist.ring
    if not netlist.parts:
        lost = f"its {ring.endpoints} endpoints have the mesh alone"
        return [Mistake("ring-missing", "nothing is there", lost, (), ring.parts, ())]
    passed = {at for loop in netlist.loops.values() for at in loop.passes}
    of_parts = (netlist.modulators.there, netlist.filters.there.any(axis=2), netlist.fifos)
    gone: Mask = np.concatenate(of_parts, axis=1).sum(axis=1) == 0
    gone[[at - 1 for at in passed]] = False
    absent = [
        Mistake(
            "endpoint-missing",
            f"endpoint {number} is missing",
            "nobody hears it, and it hears nobody",
            (str(number),),
            ring.data + (ring.endpoints - 1) * (ring.data + 1),
            (str(number),),
        )
        for number in (np.flatnonzero(gone) + 1).tolist()
    ]
    wrong = (*missing(netlist, gone), *misplaced(netlist), *not_needed(netlist))
    return [*absent, *loop_mistakes(netlist, gone), *wrong]


def _finding(design: ChipDesign, mistake: Mistake, rings: Sequence[Ring]) -> Finding:
    names = [ring.name for ring in rings]
    places = tuple((name, place) for name in names for place in mistake.places or ("",))
    return Finding(
        id=finding_id([mistake.code, *mistake.exactly, *names]),
        code=mistake.code,
        cause=f"{_on(names, len(design.chip.rings))}: {mistake.said}; {mistake.cost}",
        strays=(),
        remedy=(),
        places=places,
        evidence={
            "rings": names,
            "parts": mistake.parts * len(rings),
            "exactly": list(mistake.exactly),
            "cost": mistake.cost,
        },
        harmless=mistake.harmless,
    )


def _on(names: Sequence[str], all_rings: int) -> str:
    """`a0-07`, `a0-01 to a0-64`, or all there are."""
    if len(names) == all_rings:
        return f"all {len(names)} rings"
    local = [name for name in names if name != "a1"]
    first, last = (int(local[at][3:]) if local else 0 for at in (0, -1))
    run = [f"{local[0]} to {local[-1]}"] if last - first == len(local) - 1 > 1 else local
    if len(run) > 3:
        run = [*run[:2], f"{len(run) - 2} more"]
    return " and ".join(filter(None, (", ".join(run), "a1" if "a1" in names else "")))
