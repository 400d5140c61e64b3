"""Calls for jobs of the App that nobody heard are made again, each time after longer.

PENDING, in no queue and with no worker --> called again
PENDING, in a queue, or with a worker   --> waits: people are told (`operations/stuck/`)
given up by a schedule, broker away     --> called when it is back
"""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.core.celery import app
from nautobot.extras.choices import JobResultStatusChoices, LogLevelChoices
from nautobot.extras.models import JobResult

from fabric_twin.models import JobLease
from fabric_twin.operations.calls.job_lease import LEASE, end_job
from fabric_twin.operations.dispatch import send_again

OURS = "fabric_twin.tasks"
PENDING, STARTED, FAILURE = (
    JobResultStatusChoices.STATUS_PENDING,
    JobResultStatusChoices.STATUS_STARTED,
    JobResultStatusChoices.STATUS_FAILURE,
)
#: How long a call may be on its way, and the longest pause between two calls.
ON_ITS_WAY, LONGEST = timedelta(seconds=30), timedelta(hours=1)
#: Seconds that workers have to say what they hold.
PATIENCE = 1.0

NOT_HEARD = "Its message was lost: neither a queue nor a worker has it. It is queued again."
NEVER_SENT = (
    "It was never sent: the process that asked for it was killed before it could, and its input "
    "was not recorded. Run it again."
)


def ours() -> Any:
    """The results of jobs of the App."""
    return JobResult.objects.filter(job_model__module_name__startswith=OURS)


def keep_wish(key: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Keep what a job of the App is to do, as it is called for: by a page, REST or a schedule."""
    if args and str(args[0]).startswith(f"{OURS}."):
        called = JobResult.objects.filter(pk=key, status=PENDING, task_kwargs={})
        called.update(task_name=args[0], task_kwargs=dict(kwargs))


def is_on_its_way(job: JobResult) -> bool:
    """Whether a job is called for, or begun, and nobody has found it lost: none other is needed."""
    if job.status == PENDING:
        return True
    if job.status != STARTED:
        return False
    lease = JobLease.objects.filter(job_result=job).first()
    if lease and (lease.ended or lease.lease_until):
        return bool(not lease.ended and lease.lease_until > timezone.now())
    return bool(job.date_started and job.date_started > timezone.now() - LEASE)


def call_unheard(only: Collection[UUID] = (), *, now: bool = False) -> int:
    """Call again for jobs that are in no queue and with no worker; all, or some.

    Each waits longer than before, unless somebody asks for it `now`.
    """
    _take_up_unsent_schedules()
    waiting = ours().filter(status=PENDING, date_created__lte=Now() - ON_ITS_WAY)
    if only:
        waiting = waiting.filter(pk__in=only)
    rows = waiting.select_related("job_model", "user", "scheduled_job", "fabric_lease")
    due = [job for job in rows if now or _is_due(job)]
    if not due:
        return 0
    unheard = _unheard(due)
    for job in due:
        if job in unheard:
            _call_again(job)
        else:
            _looked_at(job)
    return len(unheard)


def _is_due(job: JobResult) -> bool:
    lease = getattr(job, "fabric_lease", None)
    called: datetime = lease.called if lease else job.date_created
    pause = ON_ITS_WAY * 2 ** min(lease.calls - 1 if lease else 0, 10)
    return timezone.now() - called >= min(pause, LONGEST)


def _unheard(jobs: Sequence[JobResult]) -> list[JobResult]:
    """Those that no worker has, and that are in no queue; who is not sure of it says nothing."""
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        queued = {queue: _ids_in(connection, queue) for queue in map(_queue_of, jobs)}
    lost = [job for job in jobs if _is_not_in(queued[_queue_of(job)], job)]
    if not lost:
        return []
    ids: Any = [str(job.pk) for job in lost]
    told = app.control.inspect(timeout=PATIENCE).query_task(ids) or {}
    known = {key for tasks in told.values() for key in tasks}
    return [job for job in lost if str(job.pk) not in known]


def _queue_of(job: JobResult) -> str:
    return str(job.celery_kwargs.get("queue") or app.conf.task_default_queue)


def _ids_in(connection: Any, queue: str) -> Collection[str] | None:
    """The messages that wait in a queue; None where a broker says only that there are some."""
    with suppress(*connection.channel_errors), connection.channel() as channel:
        if not channel.queue_declare(queue=queue, passive=True).message_count:
            return ()
        client: Any = getattr(channel, "client", None)
        if not hasattr(client, "lrange"):
            return None
        return {json.loads(one)["headers"]["id"] for one in client.lrange(queue, 0, -1)}
    return ()  # a queue that is not there has none


def _is_not_in(queued: Collection[str] | None, job: JobResult) -> bool:
    """A message that may wait behind others is sent again after long: a second one is left."""
    if queued is None:
        return bool(timezone.now() - job.date_created > LONGEST)
    return str(job.pk) not in queued


def _looked_at(job: JobResult) -> None:
    row, is_new = JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
    if not is_new:
        JobLease.objects.filter(pk=row.pk).update(called=Now())


def _call_again(job: JobResult) -> None:
    """Send the same message again; where nobody knows it any more, say so and end it."""
    if job.task_name is None or job.job_model is None:
        _end_unsent(job)
        return
    job.task_kwargs = job.task_kwargs or (job.scheduled_job.kwargs if job.scheduled_job else {})
    with transaction.atomic():
        if not ours().filter(pk=job.pk, status=PENDING).exists():
            return
        _looked_at(job)
        JobLease.objects.filter(job_result=job).update(calls=F("calls") + 1)
        transaction.on_commit(partial(send_again, job, job.celery_kwargs))
    job.log(NOT_HEARD, level_choice=LogLevelChoices.LOG_WARNING)


def _end_unsent(job: JobResult) -> None:
    if ours().filter(pk=job.pk, status=PENDING).update(status=FAILURE, date_done=Now()):
        end_job(job, FAILURE, None, is_lost=True)
        job.log(NEVER_SENT, level_choice=LogLevelChoices.LOG_ERROR)


def _take_up_unsent_schedules() -> None:
    """Beat gives a run up when the broker is away: the last one of a schedule is made then."""
    unsent = ours().filter(
        status=FAILURE,
        date_started=None,
        scheduled_job__isnull=False,
        fabric_lease=None,
        date_created__gte=Now() - LONGEST,
    )
    newest = unsent.order_by("scheduled_job_id", "-date_created").distinct("scheduled_job_id")
    for job in newest:
        later = JobResult.objects.filter(
            scheduled_job=job.scheduled_job_id, date_created__gt=job.date_created
        )
        if not later.exists():
            unsent.filter(pk=job.pk).update(status=PENDING, date_done=None)
