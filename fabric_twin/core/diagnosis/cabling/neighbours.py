"""Cables of a static plant that are elsewhere: each port says whom it hears, and so where it leads.

c004 X+ hears c001 X-, as the rule wants it      the cable is where it belongs
c004 X+ hears c002 X-                            its far plug is in another port
c004 X+ and c001 X- hear nobody                  nothing was moved: see `light/dark.py`

What is seen is audited like a record: exchanged cables and bundles are told as such.
"""

from dataclasses import replace

import numpy as np

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.audit.places import some
from fabric_twin.core.diagnosis.cabling.by_fixed_end import called_by_fixed_ends
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.discovery.rounds import agreed_sightings
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, Column
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.findings.proof import Look

#: How many of those who hear each other the evidence names.
MOST = 8


def misplaced_neighbours(case: Case) -> None:
    """Find cables that lead to another port than the rule wants."""
    ends = _ends_seen(case)
    if (ends == case.home).all():
        return
    for finding in audit_cabling(case.intended, _plant_seen(case, ends)).findings:
        plugs = case.plugs_of(finding)
        ports = np.unique(plugs[plugs >= 0])
        moved = ports[ends[ports] != case.home[ports]]
        called = called_by_fixed_ends(case, finding)
        case.findings.append(_by_neighbours(case, called, ports, moved))
        case.explain(np.unique(np.concatenate([ports, case.path_of(ports, ends)])))


def _ends_seen(case: Case) -> Column:
    """By port of a cube: the port at the other end of its cable, as far as ports tell another.

    Whom nobody can ask, and who hears nobody like the one at its other end, is where it belongs.
    """
    ports = np.arange(case.cubes_end)
    meets = agreed_sightings(case.heard)
    asked = case.is_open(ports)
    heard = asked & (meets >= 0)
    heard[heard] = asked[meets[heard]]
    ends = case.home.copy()
    ends[heard] = meets[heard]
    # A port that hears nobody while the one at its other end hears somebody else has lost it.
    joined = case.home >= 0
    away = np.zeros(case.cubes_end, np.bool_)
    away[joined] = ends[case.home[joined]] != ports[joined]
    ends[asked & away & case.observed_strand & (case.heard == NO_PORT)] = NOT_KNOWN
    return ends


def _plant_seen(case: Case, ends: Column) -> Recorded:
    """The cables that there are: a row for each two that hear each other, or for a near end."""
    fabric = case.intended.fabric
    joined = np.flatnonzero(ends >= 0)
    paired = joined[ends[ends[joined]] == joined]
    far = ends[paired]
    first = ~fabric.is_far(paired, far)
    near, far = paired[first], far[first]
    alone = case.intended.a[~np.isin(case.intended.a, paired) & (ends[case.intended.a] < 0)]
    a = np.concatenate([near, alone]).astype(np.int32)
    b = np.concatenate([far, np.full(len(alone), NOT_KNOWN)]).astype(np.int32)
    return Recorded([case.cable(port) for port in a.tolist()], a, b)


def _by_neighbours(case: Case, finding: Finding, ports: Column, moved: Column) -> Finding:
    cause = finding.cause
    if finding.code == "dark":
        lead = "leads" if len(finding.cables) == 1 else "lead"
        cause = f"{some(finding.cables, 'cables')} {lead} nowhere that a cube hears"
    return replace(
        finding,
        cause=f"By neighbours: {cause}",
        evidence={
            "light": "shows it",
            "sure": True,
            "explanations": [" and ".join(_told(case, moved))],
            "heard": [
                [" ".join(case.plug(port)), " ".join(case.plug(int(case.heard[port])))]
                for port in moved.tolist()
                if case.heard[port] >= 0
            ][:MOST],
        },
        owners=case.owners(ports.tolist()),
        looks=tuple(case.cables_seen(Look.LIGHT, ports)),
    )


def _told(case: Case, moved: Column) -> list[str]:
    """Whom each port hears, in words."""
    return [
        f"{' port '.join(case.plug(port))} hears "
        + (" port ".join(case.plug(int(case.heard[port]))) if case.heard[port] >= 0 else "nobody")
        for port in moved.tolist()
    ][:MOST]
