"""What each fault of a cluster costs its jobs: the directions of links that they cannot use."""

from collections.abc import Mapping
from uuid import UUID

from django.db.models import QuerySet

from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.cost import Cost
from fabric_twin.core.rings.audit import OPEN
from fabric_twin.models import Finding, OpticalCircuit, Pod


def costs_of_rings(
    pod: Pod, findings: QuerySet[Finding], ports: Mapping[UUID, set[int]]
) -> dict[UUID, Cost]:
    """By finding; `ports` are those that it names.

    A direction of a link is the port that it begins at and the one where it ends.
    """
    layout = pod.to_core().layout
    rows = OpticalCircuit.objects.filter(switch__pod=pod, wanted=True, slice__isnull=False)
    used = set[tuple[int, int]]()
    for number, into, out in rows.order_by().values_list("switch__number", "a", "b"):
        at = layout.ports_of_switch(number)
        used.add((int(layout.mate[at[into - 1]]), at[into - 1]))
        used.add((at[out - 1], int(layout.mate[at[out - 1]])))
    ends: dict[int, set[tuple[int, int]]] = {}
    begins: dict[int, set[tuple[int, int]]] = {}
    for one in used:
        begins.setdefault(one[0], set()).add(one)
        ends.setdefault(one[1], set()).add(one)
    codes = dict(findings.order_by().values_list("pk", "code"))
    found = {}
    for finding, some in ports.items():
        lost = set[tuple[int, int]]()
        for port in some - {NO_PORT}:
            lost |= ends.get(port, set())
            # A ring that is open lacks what comes in at its ports; cables carry both directions.
            if codes.get(finding) != OPEN:
                lost |= begins.get(port, set())
        found[finding] = Cost(circuits=len(lost))
    return found
