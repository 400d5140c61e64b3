"""Findings as a short list: of a place, or of a run's comparison."""

from collections.abc import Iterable
from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.models import AuditRun, Finding
from fabric_twin.operations.audits.findings_of import (
    findings_of,
    hides_findings,
    hides_some,
    keys_of,
)

#: More are a list of their own.
MOST = 100


class FindingListPanel(Panel):
    """Findings with a way to each, what is not mended first."""

    body_content_template_path = "fabric_twin/panels/findings.html"

    def chosen(self, record: Any, user: User) -> Any:
        """The findings to list: those of the record of the page."""
        return findings_of(record, user)

    def hides(self, record: Any, user: User) -> bool:
        """An empty list never says that there are none, where there are some."""
        return hides_some(record, user)

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The findings, and how many more there are."""
        record, user = get_obj_from_context(context), context["request"].user
        findings = self.chosen(record, user)
        rows = list(findings.select_related("pod").order_by("mended_at", "severity", "-opened"))
        shown: Iterable[Finding] = sorted(rows, key=lambda row: row.mended_at is not None)[:MOST]
        hidden = FINDINGS_HIDDEN if self.hides(record, user) else ""
        more = {"findings": shown, "more": max(0, len(rows) - MOST), "hidden": hidden}
        return {**super().get_extra_context(context), **more}


class ComparedPanel(FindingListPanel):
    """Findings of a run that are new, gone, or not seen, since the run before."""

    #: `new`, `gone` or `not_seen`.
    which = "new"

    def should_render(self, context: Any) -> bool:
        """Not of a discovery, which looks for no findings."""
        return not get_obj_from_context(context).is_discovery and super().should_render(context)

    def keys(self, run: AuditRun) -> list[str]:
        """The keys that the run has under this heading."""
        return keys_of(run, self.which)

    def chosen(self, record: Any, user: User) -> Any:
        """Those of these keys."""
        mine = Finding.objects.restrict(user, "view")
        return mine.filter(pod=record.pod_id, key__in=self.keys(record))

    def hides(self, record: Any, user: User) -> bool:
        """Where the user may see no findings at all, there may always be some."""
        return hides_findings(record.pod, user, self.keys(record))


class FoundPanel(ComparedPanel):
    """Findings of a run that were there before."""

    def keys(self, run: AuditRun) -> list[str]:
        """Those that it found, and that are not new."""
        new = set(keys_of(run, "new"))
        return [key for key in keys_of(run, "found") if key not in new]
