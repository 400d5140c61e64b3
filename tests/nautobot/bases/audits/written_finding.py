"""A finding written as a record, without an audit."""

from typing import Any

from django.utils import timezone

from fabric_twin.models import Finding, FindingPlace, Pod


def write_finding(
    pod: Pod,
    code: str,
    remedy: list[dict[str, Any]],
    *,
    device: str,
    port: str,
    evidence: dict[str, Any] | None = None,
) -> Finding:
    """A finding as a record, at one port."""
    now = timezone.now()
    seen = dict.fromkeys(("first_seen", "opened", "last_seen"), now)
    finding = Finding.objects.create(
        pod=pod,
        key="dirt",
        code=code,
        severity="error",
        cause="it was found",
        remedy=remedy,
        evidence_now=evidence or {},
        **seen,
    )
    FindingPlace.objects.create(finding=finding, number=1, device_name=device, port_name=port)
    return finding
