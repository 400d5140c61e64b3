"""Findings as a short list: of a place, or of a run's comparison."""

from collections.abc import Iterable
from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.models import Finding

#: More are a list of their own.
MOST = 100


class FindingListPanel(Panel):
    """Findings with a way to each, what is not mended first."""

    #: The way from a finding to the record of the page.
    at = ""
    body_content_template_path = "fabric_twin/panels/findings.html"

    def chosen(self, record: Any, findings: Any) -> Any:
        """The findings to list, of those that the user may see."""
        return findings.filter(**{self.at: record}).distinct()

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The findings, and how many more there are."""
        record, user = get_obj_from_context(context), context["request"].user
        findings = self.chosen(record, Finding.objects.restrict(user, "view"))
        rows = list(findings.select_related("pod").order_by("mended_at", "severity", "-opened"))
        shown: Iterable[Finding] = sorted(rows, key=lambda row: row.mended_at is not None)[:MOST]
        more = {"findings": shown, "more": max(0, len(rows) - MOST)}
        return {**super().get_extra_context(context), **more}


class ComparedPanel(FindingListPanel):
    """Findings of a run that are new, or gone, since the run before."""

    #: `new` or `gone`.
    which = "new"

    def chosen(self, record: Any, findings: Any) -> Any:
        """Those whose keys the run has under this heading."""
        return findings.filter(pod=record.pod_id, key__in=record.keys.get(self.which, []))


class FoundPanel(FindingListPanel):
    """Findings of a run that were there before."""

    def chosen(self, record: Any, findings: Any) -> Any:
        """Those that it found, and that are not new."""
        new = set(record.keys.get("new", []))
        keys = [key for key in record.keys.get("found", []) if key not in new]
        return findings.filter(pod=record.pod_id, key__in=keys)
