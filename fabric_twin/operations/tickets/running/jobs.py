"""The jobs that carry out a ticket: the one it names, and those whose worker is gone.

called for --> queued --> begun --> ended
                 |          '--> its worker dies: begun for ever, until another one goes on
                 '--> lost with the queue: the ticket is due as before
"""

from typing import Any

from django.db.models.functions import Now
from nautobot.extras.choices import JobResultStatusChoices, LogLevelChoices
from nautobot.extras.models import JobResult

from fabric_twin.models import Ticket
from fabric_twin.repositories.lease import ALONE

#: What the log of a job says whose worker did not come back.
GONE = "Its worker was gone or stopped for longer than its lease: another one goes on"


def name_job(ticket: Ticket, job: Any) -> None:
    """Let a ticket name the job that was called for, unless a worker has it already."""
    Ticket.objects.filter(ALONE, pk=ticket.pk).update(job_result=job)


def end_lost_jobs(ticket: Ticket, mine: Any) -> None:
    """Say of the others that began this ticket that they failed; who holds its lease asks.

    One that was only stopped ends by itself later, and says how.
    """
    if mine is None:
        return
    begun = JobResult.objects.filter(
        job_model=mine.job_model_id,
        status=JobResultStatusChoices.STATUS_STARTED,
        task_kwargs__ticket=str(ticket.pk),
        date_created__lt=mine.date_created,
    )
    lost: list[Any] = list(begun.exclude(pk=mine.pk))
    for job in lost:
        job.log(GONE, obj=ticket, level_choice=LogLevelChoices.LOG_ERROR)
    JobResult.objects.filter(pk__in=[job.pk for job in lost]).update(
        status=JobResultStatusChoices.STATUS_FAILURE, date_done=Now()
    )
