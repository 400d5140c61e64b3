"""What the page of a run shows."""

from collections.abc import Mapping
from typing import Any

from nautobot.users.models import User

from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.models import AuditRun
from fabric_twin.operations.audits.findings_of import hides_findings, keys_of


def tell_outcome(run: AuditRun, user: User) -> Mapping[str, Any]:
    """How many findings there are, by code, and what changed; and whether some are not shown."""
    hidden = hides_findings(run.pod, user, keys_of(run, "found", "gone", "not_seen"))
    told: dict[str, Any] = {"Not shown": FINDINGS_HIDDEN} if hidden else {}
    told |= {
        "Findings": f"{run.found:,}: {run.new:,} new, {run.still:,} still there",
        "Gone": f"{run.gone:,}",
        "Not seen since": f"{len(keys_of(run, 'not_seen')):,}",
    }
    told |= {f"{severity.capitalize()}s": f"{many:,}" for severity, many in run.by_severity.items()}
    told |= {code: f"{many:,}" for code, many in run.by_code.items()}
    return told


def tell_inputs(run: AuditRun, user: User) -> Mapping[str, Any]:  # noqa: ARG001
    """What it looked at, what of that changed, and what did not answer."""
    told: dict[str, Any] = {"Cables": f"{run.cables:,} recorded, {run.expected:,} expected"}
    if run.before and run.fingerprints:
        before = run.before.fingerprints
        changed = [name for name, mark in run.fingerprints.items() if before.get(name) != mark]
        told["Changed since the run before"] = ", ".join(sorted(changed)) or "nothing"
    told |= {f"{name} did not answer": why for name, why in sorted(run.not_reached.items())}
    return told
