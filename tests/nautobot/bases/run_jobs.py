"""Run the App's jobs as a worker would, and read what they logged."""

from functools import partial
from unittest import mock

from nautobot.apps.testing import TestCase, run_job_for_testing
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.models import Job, JobLogEntry, JobResult

FAILURE, SUCCESS = JobResultStatusChoices.STATUS_FAILURE, JobResultStatusChoices.STATUS_SUCCESS


def log_in_this_transaction(test: TestCase) -> None:
    """Let jobs log where the test sees it, and not on a connection of their own."""
    patch = mock.patch("nautobot.extras.models.jobs.JOB_LOGS", None)
    patch.start()
    test.addCleanup(patch.stop)


def run(name: str, username: str = "admin", **wish: object) -> JobResult:
    """Run a job as a worker would."""
    job = Job.objects.get(job_class_name=name, module_name__startswith="fabric_twin.tasks")
    return run_job_for_testing(job, username=username, job_kwargs=wish)


def at_once(test: TestCase) -> None:
    """Have jobs that are asked for done while they are."""
    log_in_this_transaction(test)
    done = partial(JobResult.enqueue_job, synchronous=True)
    patch = mock.patch.object(JobResult, "enqueue_job", done)
    patch.start()
    test.addCleanup(patch.stop)


def said(result: JobResult) -> str:
    """All that a job logged."""
    entries = JobLogEntry.objects.filter(job_result=result).order_by("created")
    return "\n".join(entries.values_list("message", flat=True))
