"""What each finding of a pod costs, by its circuits, slices and cubes as they are now.

Every audit writes it when it has written what it found, for all findings that are there: a slice
that is made or released changes what the fault of another day costs.
"""

from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import F, Q, QuerySet

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.findings.cost import Cost, Costs
from fabric_twin.core.pods.layout import Layout
from fabric_twin.models import Finding, FindingPlace, OpticalCircuit, Pod, Substitution
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices
from fabric_twin.operations.audits.rings.costs import costs_of_rings
from fabric_twin.operations.slices.occupancy import read_standing
from fabric_twin.repositories.pod_record import PodRecord

_BATCH = 1000
_COLUMNS = ("circuits_lost", "cubes_lost", "is_spared")


def write_costs(pod: Pod) -> int:
    """Write what changed of it, and say how many rows did."""
    rows = Finding.objects.filter(pod=pod).order_by("pk")
    there = costly_of(pod)
    costly = set(there.values_list("pk", flat=True))
    now = _costs_of(pod, there) if costly else {}
    worth_a_look = rows.filter(
        Q(pk__in=costly) | ~Q(circuits_lost=0, cubes_lost=0, is_spared=False)
    )
    with transaction.atomic():
        # As all who write several: by key, so that nobody locks another out.
        held = worth_a_look.select_for_update(no_key=True, of=("self",))
        changed = []
        for one in held.only("pk", "state", "circuits_lost", "cubes_lost", "is_spared"):
            is_there = one.state in FindingStateChoices.THERE
            cost = now.get(one.pk, Cost()) if is_there else Cost()
            if one.cost != cost:
                one.circuits_lost, one.cubes_lost = cost.circuits, cost.cubes
                one.is_spared = cost.is_spared
                changed.append(one)
        Finding.objects.bulk_update(changed, _COLUMNS, batch_size=_BATCH)
    return len(changed)


def costly_of(pod: Pod) -> QuerySet[Finding]:
    """The findings of a pod that take something from it now."""
    there: QuerySet[Finding] = Finding.objects.filter(
        pod=pod, state__in=FindingStateChoices.THERE, severity=SeverityChoices.ERROR
    )
    return there


def _costs_of(pod: Pod, findings: QuerySet[Finding]) -> dict[UUID, Cost]:
    """What each of some findings costs, by the ports that it names."""
    if pod.is_network:
        return _costs_of_links(pod, findings)
    if pod.is_cluster:
        return costs_of_rings(pod, findings, ports_of(findings, pod.to_core().layout))
    standing = read_standing(pod)
    layout = standing.record.design.layout
    costs = Costs(
        layout,
        standing.intended.mate,
        circuits=_of_slices(pod),
        idle=standing.occupancy.free | standing.occupancy.parts_only,
        slices=() if layout.medium.is_switched else standing.occupancy.slices.values(),
        replaced=Substitution.objects.filter(port__pod=pod).values_list("port__number", flat=True),
    )
    named = ports_of(findings, layout)
    copper = {} if layout.medium.is_switched else _copper_of(findings)
    return {
        finding: costs.of(named.get(finding, ()), copper.get(finding, ()))
        for finding in {**named, **copper}
    }


def _costs_of_links(pod: Pod, findings: QuerySet[Finding]) -> dict[UUID, Cost]:
    """The same in a network, whose links are of no slice."""
    record = PodRecord(pod)
    replaced = Substitution.objects.filter(port__pod=pod).values_list("port__number", flat=True)
    costs = Costs(
        record.design.layout,
        record.intended().mate,
        circuits=record.circuits[0],
        idle=(),
        slices=(),
        replaced=replaced,
    )
    named = ports_of(findings, record.design.layout)
    return {finding: costs.of(ports, ()) for finding, ports in named.items()}


def _copper_of(findings: QuerySet[Finding]) -> dict[UUID, list[tuple[int, str]]]:
    """The copper links within cubes that some findings name, by their slots."""
    links: dict[UUID, list[tuple[int, str]]] = defaultdict(list)
    places = FindingPlace.objects.filter(
        finding__in=findings.filter(code="copper-down").order_by().values("pk"),
        rack__fabric_cube__pod=F("finding__pod"),
    )
    for finding, *link in places.order_by().values_list(
        "finding", "rack__fabric_cube__slot", "port_name"
    ):
        links[finding].append(tuple(link))
    return links


def _of_slices(pod: Pod) -> Circuits:
    """The circuits that slices want."""
    rows = OpticalCircuit.objects.filter(switch__pod=pod, wanted=True, slice__isnull=False)
    found = list(rows.order_by().values_list("switch__number", "a", "b"))
    return Circuits(*np.array(found, dtype=np.int32).reshape(-1, 3).T)


def ports_of(findings: QuerySet[Finding], layout: Layout) -> dict[UUID, set[int]]:
    """The ports that some findings name; of a device without one, all of the switch or the cube."""
    ports: dict[UUID, set[int]] = defaultdict(set)
    for finding, some in _ports_of(findings, layout):
        ports[finding].update(some)
    return ports


def _ports_of(findings: QuerySet[Finding], layout: Layout) -> Iterator[tuple[UUID, range]]:
    places = FindingPlace.objects.filter(finding__in=findings.order_by().values("pk")).order_by()
    for finding, port in places.filter(port__isnull=False).values_list("finding", "port__number"):
        yield finding, range(port, port + 1)
    whole = places.filter(port__isnull=True, port_name="", cable_name="")
    of_switches = whole.filter(device__fabric_switch__pod=F("finding__pod"))
    for finding, number in of_switches.values_list("finding", "device__fabric_switch__number"):
        first = layout.cube_ports + number * layout.ports_per_switch
        yield finding, range(first, first + layout.ports_per_switch)
    of_cubes = whole.filter(rack__fabric_cube__pod=F("finding__pod"))
    for finding, slot in of_cubes.values_list("finding", "rack__fabric_cube__slot"):
        yield finding, range((slot - 1) * layout.ports_per_cube, slot * layout.ports_per_cube)
