"""Filters of runs."""

from nautobot.apps.filters import MultipleChoiceFilter

from fabric_twin.core.record_names import RUN_NAME
from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.filters.named import NameSearch, numbered
from fabric_twin.models import AuditRun
from fabric_twin.models.audit_run import GateChoices, RunStateChoices, ScopeChoices


class AuditRunFilterSet(RecordFilterSet):
    """By pod, by how it went, and by when."""

    q = NameSearch(
        named=numbered(RUN_NAME),
        filter_predicates={"pod__name": "icontains", "places": "icontains"},
    )
    pod = related.pods()
    scope = MultipleChoiceFilter(choices=ScopeChoices)
    state = MultipleChoiceFilter(choices=RunStateChoices)
    gate = MultipleChoiceFilter(choices=GateChoices)

    class Meta:
        model = AuditRun
        fields = [
            "id",
            "pod",
            "number",
            "scope",
            "light",
            "state",
            "gate",
            "started",
            "ended",
            "found",
            "new",
            "gone",
            "job_result",
            "tags",
        ]
