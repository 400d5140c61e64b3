"""What Prometheus reads of the App, on Nautobot's own endpoint."""

from collections.abc import Iterator

from django.db.models import Count, F
from prometheus_client.core import GaugeMetricFamily

from fabric_twin.models import AuditRun, Finding, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.calls.heartbeat import last_seen
from fabric_twin.operations.slices.slot_uses import count_uses_of
from fabric_twin.repositories.silences import heard


def findings() -> Iterator[GaugeMetricFamily]:
    """How many findings there are, by pod, severity and state."""
    gauge = GaugeMetricFamily(
        "fabric_twin_findings",
        "Findings that are there and not silenced",
        labels=["pod", "severity", "state"],
    )
    there = heard(Finding.objects.filter(state__in=FindingStateChoices.THERE)).order_by()
    rows = there.values_list("pod__name", "severity", "state").annotate(many=Count("pk"))
    for pod, severity, state, many in rows:
        gauge.add_metric([pod, severity, state], many)
    yield gauge


def audits() -> Iterator[GaugeMetricFamily]:
    """When the last whole audit of each pod ended, how long it took, and its gate."""
    ended = GaugeMetricFamily(
        "fabric_twin_audit_ended_seconds",
        "When the last audit of the pod was done, in seconds since 1970",
        labels=["pod"],
    )
    took = GaugeMetricFamily(
        "fabric_twin_audit_duration_seconds",
        "How long the last audit of the pod took",
        labels=["pod"],
    )
    passed = GaugeMetricFamily(
        "fabric_twin_audit_gate",
        "Whether the last audit of the pod has this gate",
        labels=["pod", "gate"],
    )
    last = AuditRun.objects.filter(state=RunStateChoices.DONE, scope=ScopeChoices.POD)
    rows = last.order_by("pod_id", "-number").distinct("pod_id").annotate(name=F("pod__name"))
    for pod, at, duration, gate in rows.values_list("name", "ended", "duration", "gate"):
        ended.add_metric([pod], at.timestamp())
        took.add_metric([pod], duration or 0)
        passed.add_metric([pod, gate], 1)
    yield from (ended, took, passed)


def pods() -> Iterator[GaugeMetricFamily]:
    """How many pods there are."""
    gauge = GaugeMetricFamily("fabric_twin_pods", "Pods in the inventory", labels=[])
    gauge.add_metric([], Pod.objects.count())
    yield gauge


def slots() -> Iterator[GaugeMetricFamily]:
    """How many slots of each pod are used how; together they are the slots of its design."""
    gauge = GaugeMetricFamily(
        "fabric_twin_slots", "Slots by how they are used", labels=["pod", "use"]
    )
    for pod, counts in count_uses_of(Pod.objects.select_related("status")):
        for use, many in counts.items():
            gauge.add_metric([pod, use], many)
    yield gauge


def watch() -> Iterator[GaugeMetricFamily]:
    """When `watch_fabric` last said that it is there; 0 where it never ran."""
    gauge = GaugeMetricFamily(
        "fabric_twin_watch_seen_seconds",
        "When watch_fabric last said that it runs, in seconds since 1970",
        labels=[],
    )
    at = last_seen()
    gauge.add_metric([], at.timestamp() if at else 0)
    yield gauge


metrics = [pods, slots, findings, audits, watch]
