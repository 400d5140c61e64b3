"""Cables that were exchanged are called by the ends that stayed: so their plugs are labelled.

seen       c1 X+ ---- s2,  c2 X+ ---- s1       who is in which port, and no label
s1, s2 exchanged: the plug in s2 is that of the cable at c1 X+      called by near ends
c1, c2 exchanged: the plug in c1 X+ is that of the cable at s2      called by far ends
"""

from dataclasses import replace
from typing import Any

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import Stray
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.diagnosis.case import Case


def called_by_fixed_ends(case: Case, finding: Finding) -> Finding:
    """The same finding; where its cables exchanged near ends, by the names of their far ends."""
    called = {stray.cable: _name(case, stray) for stray in finding.strays}
    if set(called) != set(called.values()):
        return finding  # no cables exchanged places: which is which, nobody can tell
    return replace(
        finding,
        strays=tuple(replace(one, cable=called[one.cable]) for one in finding.strays),
        remedy=tuple(_renamed(step, called) for step in finding.remedy),
    )


def _name(case: Case, stray: Stray) -> str:
    """The cable of the rule at the end that stays."""
    names = case.intended.names
    port = int(names.find([stray.stays[0]], [stray.stays[1]])[0])
    if port < 0 or stray.stands is None or stray.wanted is None:
        return stray.cable
    near = case.intended.fabric.near_first((port, int(case.intended.mate[port])))[0]
    return case.cable(near * case.strands) if near >= 0 else stray.cable


def _renamed(step: Step, called: dict[str, str]) -> Step:
    changed: Any = step
    name = getattr(step, "cable", None)
    return replace(changed, cable=called[name]) if name in called else step
