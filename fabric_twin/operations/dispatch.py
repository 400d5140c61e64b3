"""The one place that asks for jobs: by name, so that nobody who asks imports what runs them.

audit_soon     places of a pod were touched        tasks/audit_touched.py
advance_soon   the fabric has its part to do       tasks/advance_order.py
run_job        what a person, or a ticket, runs    the jobs of Nautobot's own list
"""

import re
from typing import Any
from uuid import UUID

from nautobot.core.celery import app
from nautobot.extras.models import Job, JobResult
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.repositories.transactions import after_commit

AUDIT_TOUCHED = "fabric_twin.audit_touched"
ADVANCE_ORDER = "fabric_twin.advance_order"


def audit_soon(pod: UUID, **when: Any) -> None:
    """Have what was touched audited."""
    _send(AUDIT_TOUCHED, pod, **when)


def advance_soon(order: UUID, **when: Any) -> None:
    """Have the fabric do its part of an order."""
    _send(ADVANCE_ORDER, order, **when)


def ask_for_job(job: str, user: User, where: str, **wish: Any) -> JobResult:
    """Run a job for somebody who may."""
    found = find_job(job)
    if found is None or not Job.objects.restrict(user, "run").filter(pk=found.pk).exists():
        raise NotPermitted(
            f"you may not run the job {_title(job)}",
            where=where,
            remedy="Ask for the permission to run it",
        )
    return run_job(job, user, where, **wish)


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
    kwargs = job_class.serialize_data(wish)
    asked: JobResult = JobResult.enqueue_job(found, user, job_kwargs=kwargs)
    return asked


def find_job(path: str) -> Job | None:
    """The record of a job by the path of its class, as Nautobot lists it."""
    module, _dot, name = path.rpartition(".")
    found: Job | None = Job.objects.filter(module_name=module, job_class_name=name).first()
    return found


def _title(path: str) -> str:
    """What a job is called: `Carry out ticket` for `....CarryOutTicket`."""
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", path.rpartition(".")[2])
    return words.capitalize()


def _send(task: str, key: UUID, **when: Any) -> None:
    # Nobody asks how it ended, and Nautobot would list it among the jobs that people ran.
    after_commit(app.send_task, task, (str(key),), ignore_result=True, **when)
