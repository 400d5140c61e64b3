"""What a light test that passed has shown of findings: it is crossed off what is left to be seen.

The next audit mends a finding of which nothing is left and that it does not find.
"""

from dataclasses import dataclass

from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.proof import Look
from fabric_twin.models import Finding, Pod
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.audits.finding_rows import as_rows, proof_of

#: What a passed test shows where it only heard who is there, and where it measured as well.
_HEARD = frozenset({Look.LIGHT, Look.BESIDE, Look.STEERED})
_MEASURED = frozenset({*_HEARD, Look.LOSS, Look.REFLECTION, Look.BER, Look.AIM, Look.PLACE})


@dataclass(frozen=True)
class Shown:
    """Ports that a light test joined and saw well."""

    ports: frozenset[End] = frozenset()
    #: Whether what the paths lose was measured.
    measured: bool = False


def cross_off(pod: Pod, shown: Shown) -> None:
    """Cross off what was shown; the caller holds a transaction."""
    looks = _MEASURED if shown.measured else _HEARD
    devices = {device for device, _ in shown.ports}
    there = Finding.objects.filter(pod=pod, places__device_name__in=devices)
    rows = Finding.objects.filter(pk__in=there.values("pk")).exclude(
        state=FindingStateChoices.MENDED
    )
    for finding in rows.order_by("pk").select_for_update(no_key=True):
        proof = proof_of(finding.proof)
        left = [
            one
            for one in proof
            if one.look not in looks or (one.device, one.port) not in shown.ports
        ]
        if len(left) < len(proof):
            Finding.objects.filter(pk=finding.pk).update(proof=as_rows(left), digest="")
