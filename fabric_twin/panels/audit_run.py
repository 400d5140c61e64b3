"""What the page of a run shows."""

from collections.abc import Mapping
from typing import Any

from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.discovery.against_record import Compared
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.documents.sheet import Table
from fabric_twin.models import AuditRun
from fabric_twin.operations.audits.findings_of import hides_findings, keys_of
from fabric_twin.operations.discovery.kept import acceptable_cables
from fabric_twin.panels.once import once
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.presenters.runs.discovered import discovered_table, left_table, may_see_names


def tell_outcome(run: AuditRun, user: User) -> Mapping[str, Any]:
    """How many findings there are, by code, and what changed; and whether some are not shown."""
    if run.is_discovery:
        return {}
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
    if run.is_discovery:
        return {}
    told: dict[str, Any] = {"Cables": f"{run.cables:,} recorded, {run.expected:,} expected"}
    if run.before and run.fingerprints:
        before = run.before.fingerprints
        changed = [name for name, mark in run.fingerprints.items() if before.get(name) != mark]
        told["Changed since the run before"] = ", ".join(sorted(changed)) or "nothing"
    told |= {f"{name} did not answer": why for name, why in sorted(run.not_reached.items())}
    return told


class DiscoveredPanel(SheetPanel):
    """Cables of one kind; without a kind, those that were not looked at."""

    how: Compared | None = None

    def table(self, context: Any) -> Table:
        """The rows."""
        run = get_obj_from_context(context)
        if self.how is None:
            return once(left_table, run)
        return once(discovered_table, run, self.how)

    def should_render(self, context: Any) -> bool:
        """Only on the page of a discovery, for who may see the names."""
        run, user = get_obj_from_context(context), context["request"].user
        try:
            seen = bool(run.discovered) and once(may_see_names, run, user)
            return seen and super().should_render(context)
        except FabricTwinError:  # the design of its pod is not installed here
            return False


def can_accept(run: AuditRun, user: User) -> bool:
    """Whether somebody could accept what light shows in it."""
    return not run.pod.is_cluster and _can_accept(run, user)


def can_accept_heard(run: AuditRun, user: User) -> bool:
    """The same of what neighbours show."""
    return run.pod.is_cluster and _can_accept(run, user)


def _can_accept(run: AuditRun, user: User) -> bool:
    return run.is_discovery and bool(acceptable_cables(run)) and user.has_perm("dcim.change_cable")


def is_audit(run: AuditRun, _user: User) -> bool:
    """Whether it has a report of findings."""
    return not run.is_discovery
