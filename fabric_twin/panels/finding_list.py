"""Findings as a short list: of a place, or of a run's comparison."""

from collections.abc import Iterable
from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.models import Finding
from fabric_twin.operations.audits.findings_of import findings_of

#: More are a list of their own.
MOST = 100


class FindingListPanel(Panel):
    """Findings with a way to each, what is not mended first."""

    body_content_template_path = "fabric_twin/panels/findings.html"

    def chosen(self, record: Any, user: User) -> Any:
        """The findings to list: those of the record of the page."""
        return findings_of(record, user)

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The findings, and how many more there are."""
        record, user = get_obj_from_context(context), context["request"].user
        findings = self.chosen(record, user)
        rows = list(findings.select_related("pod").order_by("mended_at", "severity", "-opened"))
        shown: Iterable[Finding] = sorted(rows, key=lambda row: row.mended_at is not None)[:MOST]
        more = {"findings": shown, "more": max(0, len(rows) - MOST)}
        return {**super().get_extra_context(context), **more}


class ComparedPanel(FindingListPanel):
    """Findings of a run that are new, or gone, since the run before."""

    #: `new` or `gone`.
    which = "new"

    def chosen(self, record: Any, user: User) -> Any:
        """Those whose keys the run has under this heading."""
        return _of_run(record, user, record.keys.get(self.which, []))


class FoundPanel(FindingListPanel):
    """Findings of a run that were there before."""

    def chosen(self, record: Any, user: User) -> Any:
        """Those that it found, and that are not new."""
        new = set(record.keys.get("new", []))
        return _of_run(
            record, user, [key for key in record.keys.get("found", []) if key not in new]
        )


def _of_run(run: Any, user: User, keys: list[str]) -> Any:
    return Finding.objects.restrict(user, "view").filter(pod=run.pod_id, key__in=keys)
