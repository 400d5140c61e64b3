"""Pods with something wrong, a run that found it, and what people said of it."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from nautobot.dcim.models import Cable

from fabric_twin.models import AuditRun, Finding, Pod, Silence, Substitution
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import add_ports, status_of


def small_pod(name: str = "s", slots: Any = None) -> Pod:
    """A small pod as the rule wants it."""
    load_pod(name, "small", hall(f"Hall of {name}"), slots=slots)
    return Pod.objects.get(name=name)


def cable_at(pod: Pod, number: int) -> Cable:
    """The cable on a port."""
    return pod.ports.get(number=number).interface.cable


def fade(pod: Pod, number: int) -> Cable:
    """The record of a cable says that it is to be taken out: to an audit it is missing."""
    cable = cable_at(pod, number)
    return set_status(cable, "Decommissioning")


def mend(cable: Cable) -> Cable:
    """It is connected again."""
    return set_status(cable, "Connected")


def set_status(cable: Cable, name: str) -> Cable:
    """Change the status of a cable as a set, which is quick."""
    Cable.objects.filter(pk=cable.pk).update(status=status_of(Cable, name))
    return cable


def audit(pod: Pod, scope: Scope = WHOLE_POD, **how: Any) -> AuditRun:
    """One run."""
    return run_audit(pod, scope, How(**how))


def life(pod: Pod) -> dict[str, str]:
    """The state of each finding, by code and cable."""
    return {
        f"{one.code} {one.places.exclude(cable_name='').get().cable_name}": one.state
        for one in pod.findings.prefetch_related("places")
    }


def silence(pod: Pod, **rule: Any) -> Silence:
    """A rule that holds for an hour."""
    until = rule.pop("until", timezone.now() + timedelta(hours=1))
    return Silence.objects.create(pod=pod, until=until, reason="hands at work", **rule)


def substitute(pod: Pod, number: int = 0) -> Substitution:
    """The spare of a switch in place of one of its ports, by place on the A side."""
    layout = pod.to_core().layout
    first = layout.cube_ports
    spare = first + layout.radix - 1
    ports = {port.number: port for port in pod.ports.filter(number__in=(first + number, spare))}
    return Substitution.objects.create(port=ports[first + number], spare=ports[spare])


def substitute_one(pod: Pod) -> Substitution:
    """The first spare of the first switch in place of its first port; both ports are made."""
    layout = pod.to_core().layout
    first = layout.cube_ports
    spare = next(n for n in range(first, first + layout.radix) if layout.spare[n])
    port, other = add_ports(pod, [first, spare])
    return Substitution.objects.create(port=port, spare=other)


def add_findings(name: str = "s", many: int = 3) -> Pod:
    """A small pod with findings, and with one of everything that is said of them."""
    pod = pod_with_findings(name, many)
    substitute(pod)
    silence(pod, finding=pod.findings.order_by("key").first())
    return pod


def pod_with_findings(name: str = "s", many: int = 3) -> Pod:
    """A small pod with some missing cables, found by a run."""
    pod = small_pod(name)
    for number in range(many):
        fade(pod, number * 24)
    audit(pod)
    assert Finding.objects.filter(pod=pod).count() == many
    return pod
