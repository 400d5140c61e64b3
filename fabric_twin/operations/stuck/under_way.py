"""What runs now, and how far it is: audits of a pod, and jobs about it, as far as a user may see.

A job that audits one pod is told as the run that it makes.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models.functions import Now
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.models import JobResult
from nautobot.users.models import User

from fabric_twin.core.how_far import Progress
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.operations.calls.progress import told
from fabric_twin.operations.calls.unheard_calls import STARTED
from fabric_twin.operations.stuck.seen import results_of

#: How many jobs that run are looked through.
MOST = 50


@dataclass(frozen=True)
class UnderWay:
    """A run or a job that has not ended, unless it has meanwhile."""

    record: Any
    #: What it last said; None where it said nothing yet.
    progress: Progress | None = None

    @property
    def key(self) -> UUID:
        """The key of its record."""
        key: UUID = self.record.pk
        return key

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        if isinstance(self.record, AuditRun):
            return self.record.state not in RunStateChoices.LIVE
        return self.record.status in JobResultStatusChoices.READY_STATES

    @property
    def is_waiting(self) -> bool:
        """Whether it has not begun."""
        if isinstance(self.record, AuditRun):
            return bool(self.record.state == RunStateChoices.QUEUED)
        return bool(self.record.status != STARTED)


def under_way(pod: Pod, user: User) -> list[UnderWay]:
    """The audits of a pod and the jobs about it that run now, the oldest first."""
    runs = AuditRun.objects.restrict(user, "view").select_related("pod")
    live = runs.filter(pod=pod, state__in=RunStateChoices.LIVE, lease_until__gt=Now())
    found: list[Any] = list(live.order_by("number"))
    auditing = {run.job_result_id for run in found}
    jobs = results_of(user).filter(status=STARTED, fabric_lease__lease_until__gt=Now())
    about = {str(pod.pk), pod.name}
    found += [
        job
        for job in jobs.order_by("date_created")[:MOST]
        if str(job.task_kwargs.get("pod")) in about and job.pk not in auditing
    ]
    said = told([one.pk for one in found])
    return [UnderWay(one, said.get(one.pk)) for one in found]


def how_far_of(record: AuditRun | JobResult) -> UnderWay:
    """How far one of them is."""
    return UnderWay(record, told([record.pk]).get(record.pk))


def find_under_way(key: UUID, user: User) -> UnderWay | None:
    """The run or job of a key, if the user may see it; it may have ended."""
    run = AuditRun.objects.restrict(user, "view").select_related("pod").filter(pk=key).first()
    record = run or results_of(user).filter(pk=key).first()
    return how_far_of(record) if record else None
