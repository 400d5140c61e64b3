"""Taking the App out of a Nautobot that goes on: what Nautobot would fail on goes first."""

from collections.abc import Iterator
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models.functions import Now
from nautobot.extras.models import ApprovalWorkflow, ApprovalWorkflowDefinition, ScheduledJob

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import AuditRun, Heartbeat, JobLease
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.operations.calls.heartbeat import is_watching
from fabric_twin.operations.calls.unheard_calls import OURS

APP = "fabric_twin"
#: How many of what runs are named.
NAMED = 5
STOP = (
    "Stop web server, workers, scheduler and watch_fabric on every host, and say it again; what "
    "was killed counts as running for two minutes more"
)


def refuse_while_running() -> None:
    """Leave nobody at work on tables that are dropped under them: services are stopped before."""
    tables = {model._meta.db_table for model in (AuditRun, Heartbeat, JobLease)}
    if not tables <= set(connection.introspection.table_names()):
        return  # they are dropped already, or so old that nobody says that they run
    if running := [*_running()]:
        more = f" and {len(running) - NAMED} more" if len(running) > NAMED else ""
        raise NotPossible(
            f"these still run: {', '.join(running[:NAMED])}{more}", where=APP, remedy=STOP
        )


def _running() -> Iterator[str]:
    """What says that it runs: the watch, jobs that a worker has, and audits after changes."""
    if is_watching():
        yield "watch_fabric"
    jobs = JobLease.objects.filter(ended=None, lease_until__gt=Now())
    for name in jobs.order_by("called").values_list("job_result__name", flat=True):
        yield f"job {name}"
    audits = AuditRun.objects.filter(
        state=RunStateChoices.RUNNING, lease_until__gt=Now(), job_result=None
    )
    for audit in audits.select_related("pod"):
        yield str(audit)


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
