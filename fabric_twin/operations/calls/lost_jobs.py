"""Jobs of the App that nobody runs any more: ended in words, and called for again where they must
go on.

    STARTED, its worker silent for a lease       --> failed: its worker was lost
    FAILURE, its process killed under the worker --> the same, which Celery alone does not say
    STARTED, and it has ended before             --> as it ended

Asked by `watch_fabric` every few seconds, and by a worker that starts.
"""

import logging
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.extras.choices import JobResultStatusChoices, LogLevelChoices
from nautobot.extras.models import JobResult

from fabric_twin.models import JobLease
from fabric_twin.operations.calls.job_lease import ALONE, LEASE, as_it_ended, end_job
from fabric_twin.operations.calls.unheard_calls import call_unheard, ours
from fabric_twin.operations.dispatch import enqueue

log = logging.getLogger("fabric_twin.jobs")
PENDING, STARTED, FAILURE = (
    JobResultStatusChoices.STATUS_PENDING,
    JobResultStatusChoices.STATUS_STARTED,
    JobResultStatusChoices.STATUS_FAILURE,
)
#: Jobs that only look, or whose work goes on from where it stands: nobody has to ask again.
#: A ticket calls by itself (`operations/tickets/running/due.py`).
GO_ON = ("AuditPod", "CheckBundle", "DiscoverCables", "SyncPod")
#: How many workers may be lost over one wish: the wish itself may be what kills them.
MOST_LOST = 3
#: How long it is kept how a job ended: no broker gives a message out again after so long.
KEPT = timedelta(days=7)
#: What Celery calls a process of a worker that was killed.
KILLED = "WorkerLostError"

GONE = (
    "Its worker was gone, or silent for longer than its lease, so the job has ended. What it had "
    "not finished was not kept."
)
AGAIN = "It is queued again: {}"
ENOUGH = "It is not queued again: {} workers were lost while they ran it, and it may be the cause."


def look_after_jobs() -> int:
    """End what nobody runs, and call again what nobody heard; say for how many."""
    _keep_endings()
    return end_lost_jobs() + call_unheard()


def end_lost_jobs() -> int:
    """End what no worker runs any more, in words."""
    open_ = Q(fabric_lease__ended=None)
    silent = open_ & Q(fabric_lease__lease_until__lte=Now())
    never_taken = open_ & Q(fabric_lease__lease_until=None, date_started__lte=Now() - LEASE)
    lost = ours().filter(silent | never_taken, status=STARTED)
    killed = JobLease.objects.filter(ended=None, job_result__result__exc_type=KILLED)
    dead = ours().filter(pk__in=list(killed.values_list("job_result", flat=True)), status=FAILURE)
    ended = 0
    for job in (one for rows in (lost, dead) for one in rows.select_related("job_model", "user")):
        try:
            ended += _end_lost(job)
        except Exception as error:  # noqa: BLE001 - one that cannot be ended holds no other up
            log.warning("job %s is lost, and not ended yet: %s", job.pk, error)
    return ended


def _end_lost(job: JobResult) -> bool:
    with transaction.atomic():
        JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
        lease = JobLease.objects.select_for_update().filter(job_result=job, ended=None)
        if not (lease.exists() if job.status == FAILURE else lease.filter(ALONE).exists()):
            return False  # its worker came back, or somebody else was quicker
        row = JobResult.objects.filter(pk=job.pk, status=job.status)
        if not row.update(status=FAILURE, date_done=Now()):
            return False
        end_job(job, FAILURE, None, is_lost=True)
        again = _again(job)
    job.log(GONE, level_choice=LogLevelChoices.LOG_ERROR)
    if again:
        job.log(again, level_choice=LogLevelChoices.LOG_WARNING)
    return True


def _again(job: JobResult) -> str:
    """Call for the same once more, where it must go on; what is said of that."""
    model = job.job_model
    if not model or model.job_class_name not in GO_ON or not job.user or not model.enabled:
        return ""
    if job.date_canceled:
        return ""
    before = JobLease.objects.filter(job_result=job).values_list("lost_before", flat=True).get()
    if before + 1 >= MOST_LOST:
        return ENOUGH.format(before + 1)
    new = enqueue(model, job.user, job.task_kwargs, queue=job.celery_kwargs.get("queue"))
    JobLease.objects.create(job_result=new, called=timezone.now(), lost_before=before + 1)
    return AGAIN.format(new.pk)


def _keep_endings() -> None:
    """What ended without us, such as at its limit, has ended; what had ended stays so."""
    leases: Any = JobLease.objects.select_related("job_result")
    over = leases.filter(ended=None, lease_until__lte=Now())
    for lease in over.exclude(job_result__status__in=(PENDING, STARTED)):
        job = lease.job_result
        if not (isinstance(job.result, dict) and job.result.get("exc_type") == KILLED):
            end_job(job, job.status, job.result)
    for lease in leases.filter(job_result__status=STARTED, ended__lte=Now() - LEASE):
        as_it_ended(lease)
    JobLease.objects.filter(ended__lte=Now() - KEPT).delete()
