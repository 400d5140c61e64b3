"""Taking the App out of a Nautobot that goes on: what Nautobot would fail on goes first."""

from collections.abc import Iterator
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from nautobot.extras.models import ApprovalWorkflow, ApprovalWorkflowDefinition, ScheduledJob

from fabric_twin.operations.calls.unheard_calls import OURS

APP = "fabric_twin"


@transaction.atomic
def remove_what_names_us() -> dict[str, int]:
    """Delete schedules of the App's jobs, and approvals of its tickets; say how many of each.

    A schedule would be tried for ever; Nautobot's own pages fail on an approval of what is gone.
    """
    removed = {}
    for what, rows in _named():
        removed[what] = rows.count()
        rows.delete()
    return removed


def forget_types() -> int:
    """Let Nautobot forget the types of the App's models, once its tables are gone."""
    kinds = ContentType.objects.filter(app_label=APP)
    many = int(kinds.count())
    kinds.delete()
    return many


def _named() -> Iterator[tuple[str, Any]]:
    yield "schedules", ScheduledJob.objects.filter(job_model__module_name__startswith=OURS)
    approvals = ApprovalWorkflow.objects.filter(object_under_review_content_type__app_label=APP)
    yield "approvals", approvals
    workflows = ApprovalWorkflowDefinition.objects.filter(model_content_type__app_label=APP)
    yield "approval workflows", workflows
