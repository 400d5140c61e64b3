"""Ports that hear somebody who is not of this pod."""

import numpy as np

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN
from fabric_twin.core.findings.proof import Look, Proof


def strangers(case: Case) -> None:
    """Somebody who is not of this pod is at the other end of a path."""
    every = np.flatnonzero(case.heard == NOT_OF_DESIGN)
    for strand in every[case.is_open(every.astype(np.int32))].tolist():
        who = " port ".join(case.cubes.strangers.get(strand, ("somebody", "?")))
        device, port = case.plug(strand)
        home = int(case.home[strand])
        to = int(case.meets[home]) if case.is_switched and home >= 0 else NO_PORT
        where = f"in {' port '.join(case.plug(to))}" if to >= 0 else "on the path"
        leads = f"its cable is {where}"
        lost = [home] if home >= 0 and not case.is_switched else []
        if not case.is_switched:
            leads = f"a cable from there is in this port, or {case.cable(strand)} leads there"
        case.found(
            "unexpected",
            f"{device} {port} {who}",
            f"{device} port {port} hears {who}, which is not of this pod: {leads}",
            [],
            hits=[strand],
            places=[(device, port), *map(case.plug, [to] if to >= 0 else lost)],
            evidence={"heard": who},
            proof=[
                *case.cables_seen(Look.LIGHT, [strand, *lost]),
                *([Proof(Look.LIGHT, *case.mirror(to))] if to >= 0 else []),
            ],
        )
        case.explain(case.path_of(np.array([strand], np.int32), case.home))
