"""A worker hands a job on: to the queue of its pod, or to another worker that may reach the pod."""

from django.db import transaction
from django.db.models.functions import Now
from kombu.exceptions import OperationalError as BrokerError
from nautobot.core.celery import app
from nautobot.extras.choices import JobResultStatusChoices, LogLevelChoices
from nautobot.extras.models import JobResult
from redis.exceptions import RedisError

from fabric_twin.models import JobLease
from fabric_twin.operations.dispatch import send_again
from fabric_twin.repositories.transactions import after_commit

PENDING = JobResultStatusChoices.STATUS_PENDING
#: How often a job may be handed on; the next one does it, and says what did not answer.
MOST = 5
#: Seconds that other workers have to say that they are there, and until one of them begins.
PATIENCE, PAUSE = 1.0, 2


def hand_on(job: JobResult, queue: str, why: str, *, worker: str = "") -> None:
    """Call for a job again, on a queue, as if nobody had taken it; its log says why."""
    job.log(why, level_choice=LogLevelChoices.LOG_WARNING)
    kwargs = {**job.celery_kwargs, **_limits(job), "queue": queue}
    with transaction.atomic():
        lease = JobLease.objects.select_for_update().get(job_result=job)
        lease.handed_on = [*lease.handed_on, *filter(None, [worker])]
        lease.lease_until = None
        lease.save()
        JobLease.objects.filter(pk=lease.pk).update(called=Now())
        JobResult.objects.filter(pk=job.pk).update(
            status=PENDING, date_started=None, result=None, celery_kwargs=kwargs
        )
        after_commit(send_again, job, kwargs, countdown=PAUSE if worker else 0)


def _limits(job: JobResult) -> dict[str, int]:
    """How long the job may take: Celery forgets it as soon as the job has begun."""
    limits = {name: getattr(job.job_model, name, 0) for name in ("soft_time_limit", "time_limit")}
    return {name: int(seconds) for name, seconds in limits.items() if seconds}


def others_on(queue: str, job: JobResult, me: str) -> set[str]:
    """Workers of a queue that have not handed this job on; nobody where it went round enough."""
    handed_on = JobLease.objects.get(job_result=job).handed_on
    if len(handed_on) >= MOST:
        return set()
    try:
        there = app.control.inspect(timeout=PATIENCE).active_queues() or {}
    except (BrokerError, RedisError, ConnectionError):  # who cannot ask does it
        return set()
    return {
        worker for worker, queues in there.items() if queue in {one["name"] for one in queues}
    } - {me, *handed_on}
