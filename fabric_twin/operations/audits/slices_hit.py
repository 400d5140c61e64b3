"""The slices that findings hit, by their capacity before and after.

It is worked out when somebody asks, from the slices and the findings as they are then: what is
kept from run to run would be wrong as soon as a slice is made, moved or released. A pod is read
once, however many of its findings are asked for.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import QuerySet
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.slices.hits import Hit, Hits
from fabric_twin.models import Finding, Pod, Slice
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices
from fabric_twin.operations.audits.finding_costs import costly_of, ports_of
from fabric_twin.operations.slices.occupancy import standing_slices
from fabric_twin.operations.slices.without import ON_THE_WAY
from fabric_twin.repositories.pod_record import substitutions_of

#: By finding: the slices that it takes circuits from, in the order of their names.
HitBy = Mapping[UUID, tuple[Hit, ...]]


def may_hit(finding: Finding) -> bool:
    """Whether a finding can take circuits at all: a fault that is there, and no warning."""
    is_there = finding.state in FindingStateChoices.THERE
    return is_there and finding.severity == SeverityChoices.ERROR


def slices_hit(pod: Pod, user: User) -> HitBy:
    """The slices that each finding of a pod hits, of findings and slices that the user may view."""
    visible = Slice.objects.restrict(user, "view").filter(pod=pod)
    findings = Finding.objects.restrict(user, "view").filter(pk__in=costly_of(pod).values("pk"))
    return _hit(pod, visible, findings)


def all_slices_hit(pod: Pod, keys: Collection[str]) -> tuple[Hit, ...]:
    """Every slice that some findings hit together, also those that a user may not see."""
    there = costly_of(pod).filter(key__in=keys)
    hits = _hit(pod, Slice.objects.filter(pod=pod), there).values()
    return tuple({hit.name: hit.together or hit for some in hits for hit in some}.values())


def _hit(pod: Pod, visible: QuerySet[Slice], findings: QuerySet[Finding]) -> HitBy:
    if pod.is_cluster:
        return {}  # a job has its rings or lacks them: the finding names it
    # While a ticket makes or releases a slice, its circuits come or go anyway.
    keys = visible.exclude(status__name__in=ON_THE_WAY).values_list("pk", flat=True)
    if not (slices := set(keys)):
        return {}
    design = pod.to_core()
    ports = ports_of(findings, design.layout)
    intended = intended_plant(design, pod.name, None, substitutions_of(pod))
    hits = Hits(intended, standing_slices(pod, intended, slices), bear=pod.bear)
    together = {hit.name: hit for hit in hits.of(set().union(*ports.values()))}
    return {
        finding: tuple(hit.beside(together[hit.name]) for hit in hits.of(some))
        for finding, some in ports.items()
    }
