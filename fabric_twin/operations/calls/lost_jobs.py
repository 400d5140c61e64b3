"""Jobs of the App that nobody runs any more, and calls that nobody heard.

    STARTED, its worker silent for a lease  --> ended in words; what must go on is called again
    PENDING, in no queue and with no worker --> called again, each time after longer
    PENDING, in a queue                     --> waits: `operations/stuck.py` tells people

Asked by `watch_fabric` every few seconds, and by a worker that starts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.core.celery import app
from nautobot.extras.choices import JobResultStatusChoices, LogLevelChoices
from nautobot.extras.models import JobResult

from fabric_twin.models import JobLease
from fabric_twin.operations.calls.job_lease import ALONE, LEASE, end_job
from fabric_twin.operations.dispatch import enqueue, send_again

PENDING, STARTED, FAILURE = (
    JobResultStatusChoices.STATUS_PENDING,
    JobResultStatusChoices.STATUS_STARTED,
    JobResultStatusChoices.STATUS_FAILURE,
)
OURS = "fabric_twin.tasks"
#: Jobs that only look, or whose work goes on from where it stands: nobody has to ask again.
#: A ticket calls by itself (`operations/tickets/running/due.py`).
GO_ON = ("AuditPod", "CheckBundle", "SyncPod")
#: How many workers may be lost over one wish: the wish itself may be what kills them.
MOST_LOST = 3
#: How long a call may be on its way, and the longest pause between two calls.
ON_ITS_WAY, LONGEST = timedelta(seconds=30), timedelta(hours=1)
#: How long it is kept how a job ended: no broker gives a message out again after so long.
KEPT = timedelta(days=7)
#: Seconds that workers have to say what they hold.
PATIENCE = 1.0

GONE = (
    "Its worker was gone, or silent for longer than its lease: nobody runs it any more. What it "
    "had not finished was not kept."
)
AGAIN = "It is called for again: {}"
ENOUGH = "It is not called for again: {} workers were lost over it, and it may be what ends them."
NOT_HEARD = "Its call was lost on the way: no queue has it, and no worker. It is called for again."
NEVER_SENT = (
    "It was never sent, and nobody knows what it was to do: whoever asked for it was stopped in "
    "that moment. Run it again."
)


def look_after_jobs() -> int:
    """End what nobody runs, and call again what nobody heard; say for how many."""
    _keep_endings()
    _take_up_unsent_schedules()
    return end_lost_jobs() + call_unheard()


def ours() -> Any:
    """The results of jobs of the App."""
    return JobResult.objects.filter(job_model__module_name__startswith=OURS)


def keep_wish(key: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Keep what a job of the App is to do, as it is called for: by a page, REST or a schedule."""
    if args and str(args[0]).startswith(f"{OURS}."):
        called = JobResult.objects.filter(pk=key, status=PENDING, task_kwargs={})
        called.update(task_name=args[0], task_kwargs=dict(kwargs))


def end_lost_jobs() -> int:
    """End what no worker runs any more, in words."""
    silent = Q(fabric_lease__ended=None, fabric_lease__lease_until__lte=Now())
    never_taken = Q(fabric_lease=None) | Q(fabric_lease__lease_until=None)
    begun_long_ago = never_taken & Q(date_started__lte=Now() - LEASE)
    lost = ours().filter(silent | begun_long_ago, status=STARTED)
    return sum(_end_lost(job) for job in lost.select_related("job_model", "user", "scheduled_job"))


def _end_lost(job: JobResult) -> bool:
    with transaction.atomic():
        JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
        if not JobLease.objects.select_for_update().filter(ALONE, job_result=job, ended=None):
            return False  # its worker came back, or somebody else was quicker
        row = JobResult.objects.filter(pk=job.pk, status=STARTED)
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
    before = JobLease.objects.filter(job_result=job).values_list("lost_before", flat=True).get()
    if before + 1 >= MOST_LOST:
        return ENOUGH.format(before + 1)
    new = enqueue(model, job.user, job.task_kwargs, queue=job.celery_kwargs.get("queue"))
    JobLease.objects.create(job_result=new, called=timezone.now(), lost_before=before + 1)
    return AGAIN.format(new.pk)


def call_unheard(only: Collection[UUID] = (), *, now: bool = False) -> int:
    """Call again for jobs that are in no queue and with no worker; all, or some.

    Each waits longer than before, unless somebody asks for it `now`.
    """
    waiting = ours().filter(status=PENDING, date_created__lte=Now() - ON_ITS_WAY)
    if only:
        waiting = waiting.filter(pk__in=only)
    rows = waiting.select_related("job_model", "user", "scheduled_job", "fabric_lease")
    due = [job for job in rows if now or _is_due(job)]
    if not due:
        return 0
    unheard = _unheard(due)
    for job in unheard:
        _call_again(job)
    return len(unheard)


def _is_due(job: JobResult) -> bool:
    lease = getattr(job, "fabric_lease", None)
    called: datetime = lease.called if lease else job.date_created
    pause = ON_ITS_WAY * 2 ** min(lease.calls - 1 if lease else 0, 10)
    return timezone.now() - called >= min(pause, LONGEST)


def _unheard(jobs: Iterable[JobResult]) -> list[JobResult]:
    """Those that no worker has, and that are in no queue; who is not sure of it says nothing."""
    jobs = list(jobs)
    ids: Any = [str(job.pk) for job in jobs]
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        queues = {_queue_of(job) for job in jobs}
        empty = {queue for queue in queues if not _waiting_in(connection, queue)}
    told = app.control.inspect(timeout=PATIENCE).query_task(ids) or {}
    known = {key for tasks in told.values() for key in tasks}
    return [job for job in jobs if str(job.pk) not in known and _queue_of(job) in empty]


def _queue_of(job: JobResult) -> str:
    return str(job.celery_kwargs.get("queue") or app.conf.task_default_queue)


def _waiting_in(connection: Any, queue: str) -> int:
    """How many messages a queue has; one that is not there has none."""
    try:
        with connection.channel() as channel:
            return int(channel.queue_declare(queue=queue, passive=True).message_count)
    except connection.channel_errors:
        return 0


def _call_again(job: JobResult) -> None:
    """Send the same message again; where nobody knows it any more, say so and end it."""
    if job.task_name is None or job.job_model is None:
        _end_unsent(job)
        return
    wish = job.task_kwargs or (job.scheduled_job.kwargs if job.scheduled_job else {})
    with transaction.atomic():
        if not ours().filter(pk=job.pk, status=PENDING).exists():
            return
        row, _ = JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
        JobLease.objects.filter(pk=row.pk).update(called=Now(), calls=F("calls") + 1)
        job.task_kwargs = wish
        transaction.on_commit(partial(send_again, job, job.celery_kwargs))
    job.log(NOT_HEARD, level_choice=LogLevelChoices.LOG_WARNING)


def _end_unsent(job: JobResult) -> None:
    if ours().filter(pk=job.pk, status=PENDING).update(status=FAILURE, date_done=Now()):
        end_job(job, FAILURE, None, is_lost=True)
        job.log(NEVER_SENT, level_choice=LogLevelChoices.LOG_ERROR)


def _take_up_unsent_schedules() -> None:
    """Beat gives a run up when the broker is away: it is made when that is back."""
    unsent = ours().filter(
        status=FAILURE,
        date_started=None,
        scheduled_job__isnull=False,
        fabric_lease=None,
        date_created__gte=Now() - LONGEST,
    )
    unsent.update(status=PENDING, date_done=None)


def _keep_endings() -> None:
    """What ended without us, such as at its time limit, has ended; what is old is forgotten."""
    over = JobLease.objects.filter(ended=None, lease_until__lte=Now())
    for lease in over.exclude(job_result__status__in=(PENDING, STARTED)).select_related(
        "job_result"
    ):
        end_job(lease.job_result, lease.job_result.status, lease.job_result.result)
    JobLease.objects.filter(ended__lte=Now() - KEPT).delete()
