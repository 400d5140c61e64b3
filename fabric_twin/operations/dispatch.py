"""The one place that asks for jobs: by name, so that nobody who asks imports what runs them.

audit_soon     places of a pod were touched        tasks/background/audit_touched.py
advance_soon   the fabric has its part to do       tasks/background/advance_order.py
try_soon       a ticket waits: could it begin?     tasks/background/try_ticket.py
run_job        what a person, or a ticket, runs    the jobs of Nautobot's own list

What is wanted is in the database before anybody is called, so a call that is lost, with the broker
or in it, is made again: touches, orders and tickets by those who keep them, jobs by
`calls/lost_jobs.py`.
"""

import re
from collections.abc import Mapping
from typing import Any, cast
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Coalesce, Now
from nautobot.core.celery import app
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.jobs import run_console_log_job_and_return_job_result as console_task
from nautobot.extras.jobs import run_job as job_task
from nautobot.extras.models import Job, JobQueue, JobResult
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import Pod, WorkOrder
from fabric_twin.operations.queues import pod_of, queue_of
from fabric_twin.repositories.transactions import after_commit

AUDIT_TOUCHED = "fabric_twin.audit_touched"
ADVANCE_ORDER = "fabric_twin.advance_order"
TRY_TICKET = "fabric_twin.try_ticket"
#: Seconds after which nobody needs a look at a waiting ticket any more: the next one is due.
STALE = 300


def audit_soon(pod: UUID, **when: Any) -> None:
    """Have what was touched audited."""
    _send(AUDIT_TOUCHED, pod, Pod.objects.filter(pk=pod), **when)


def advance_soon(order: UUID, **when: Any) -> None:
    """Have the fabric do its part of an order; it is asked for until a worker has done it."""
    WorkOrder.objects.filter(pk=order).update(
        advance_asked=Coalesce("advance_asked", Now()), advance_calls=F("advance_calls") + 1
    )
    _send(ADVANCE_ORDER, order, Pod.objects.filter(work_orders=order), **when)


def try_soon(ticket: UUID) -> None:
    """Have a worker look whether a ticket that waits could begin."""
    _send(TRY_TICKET, ticket, Pod.objects.filter(tickets=ticket), expires=STALE)


def ask_for_job(job: str, user: User, where: str, **wish: Any) -> JobResult:
    """Run a job for somebody who may."""
    require_job(job, user, where)
    return run_job(job, user, where, **wish)


def require_job(job: str, user: User, where: str) -> None:
    """Refuse who may not run a job."""
    found = find_job(job)
    if found is None or not Job.objects.restrict(user, "run").filter(pk=found.pk).exists():
        raise NotPermitted(
            f"you may not run the job {_title(job)}",
            where=where,
            remedy="Ask for the permission to run it",
        )


def run_job(job: str, user: User, where: str, **wish: Any) -> JobResult:
    """Run a job as a user who asked for it by what it is about, such as a ticket."""
    found = find_job(job)
    job_class = found.job_class if found and found.installed else None
    if found is None or job_class is None or not found.enabled:
        raise NotPossible(
            f"the job {_title(job)} is not {'enabled' if job_class else 'installed'}",
            where=where,
            remedy="Enable it on the page of the job"
            if job_class
            else "Run `nautobot-server post_upgrade`, which lists the jobs of the App",
        )
    pod = pod_of(wish)
    queue = pod.queue.name if pod and pod.queue else None
    return enqueue(found, user, job_class.serialize_data(wish), queue=queue)


def waiting_job(job: str, user: User, wish: Mapping[str, Any]) -> JobResult | None:
    """The same asked for already, as by a button that was pressed twice, and not begun."""
    kept = {name: str(one.pk) if isinstance(one, Model) else one for name, one in wish.items()}
    waiting = JobResult.objects.filter(
        job_model=find_job(job),
        user=user,
        task_kwargs=kept,
        status=JobResultStatusChoices.STATUS_PENDING,
    )
    return cast("JobResult | None", waiting.order_by("date_created").first())


def enqueue(
    job: Job, user: User, wish: Mapping[str, Any], *, queue: str | None = None
) -> JobResult:
    """Call for a job by Nautobot's own way; a broker that is away loses nothing.

    The wish is written beside the call, and the request that asks ends well: the call is made when
    the broker is back.
    """
    named = JobQueue.objects.filter(name=queue).first() if queue else None
    where = {"job_queue": named} if named else {}
    with transaction.atomic():
        waiting = len(connection.run_on_commit)
        asked: JobResult = JobResult.enqueue_job(job, user, job_kwargs=dict(wish), **where)
        JobResult.objects.filter(pk=asked.pk).update(
            task_name=job.class_path, task_kwargs=dict(wish)
        )
        if len(connection.run_on_commit) > waiting:
            after_commit(connection.run_on_commit.pop()[1])
    return asked


def send_again(job: JobResult, celery_kwargs: Mapping[str, Any], **when: Any) -> None:
    """Send the message of a job once more."""
    assert job.job_model is not None  # noqa: S101  # nobody calls for what is not installed
    task = console_task if celery_kwargs.get("nautobot_job_console_log") else job_task
    task.apply_async(
        args=(job.job_model.class_path,),
        kwargs=job.task_kwargs,
        task_id=str(job.pk),
        **celery_kwargs,
        **when,
    )


def find_job(path: str) -> Job | None:
    """The record of a job by the path of its class, as Nautobot lists it."""
    module, _dot, name = path.rpartition(".")
    found: Job | None = Job.objects.filter(module_name=module, job_class_name=name).first()
    return found


def _title(path: str) -> str:
    """What a job is called: `Carry out ticket` for `....CarryOutTicket`."""
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", path.rpartition(".")[2])
    return words.capitalize()


def _send(task: str, key: UUID, pod: QuerySet[Pod], **when: Any) -> None:
    # Nobody asks how it ended, and Nautobot would list it among the jobs that people ran.
    to = queue_of(pod)
    after_commit(app.send_task, task, (str(key),), ignore_result=True, **when, **to)
