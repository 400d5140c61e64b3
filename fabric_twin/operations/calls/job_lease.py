"""A worker has a job: it says so every few seconds, and nobody runs the job twice.

called for --> taken --> says so, again and again --> ended, and how is kept
                 '--> says nothing for a while: `lost_jobs` ends it

A message can come twice: a broker gives out again what a dead worker had, and who calls again may
have been too early. Who comes second finds the job taken or ended, and leaves it as it is.
"""

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.models import JobResult

from fabric_twin.core.errors import LeaseLost
from fabric_twin.models import JobLease
from fabric_twin.repositories.lease import SILENCE

log = logging.getLogger("fabric_twin.jobs")
#: How long a worker may be silent, and how often it says that it is there, in seconds.
LEASE = timedelta(seconds=60)
BEAT = 15.0
#: What Celery ends a job with that takes too long.
SOFT_LIMIT = signal.SIGUSR1
#: Jobs that nobody has: none took them, or the last one was silent for too long.
ALONE = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())


def take_job(job: JobResult) -> bool:
    """Be the one who runs a job; False where somebody does, or did."""
    with transaction.atomic():
        row, _ = JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
        row = JobLease.objects.select_for_update().get(pk=row.pk)
        if job.date_canceled and not row.ended:
            row.status, row.ended = JobResultStatusChoices.STATUS_REVOKED, job.date_canceled
            row.save()
        if row.ended:
            as_it_ended(row)
            return False
        taken = JobLease.objects.filter(ALONE, pk=row.pk).update(lease_until=Now() + LEASE)
        return bool(taken)


@contextmanager
def held_job(job: JobResult) -> Iterator[None]:
    """Say every few seconds that the job goes on, until it ends.

    Who is stopped for longer than that while it writes is ended by the database with its lease; who
    is stopped before is interrupted when it goes on.
    """
    over = threading.Event()
    beating = threading.Thread(target=_beat, args=(job.pk, over), name="job lease", daemon=True)
    try:
        if not _renew(job.pk):
            raise LeaseLost(
                "its worker was silent for so long that the job counts as lost",
                where=job.name,
                remedy="It was queued again; if not, run it again",
            )
        beating.start()
        _end_idle_writes(SILENCE)
        yield
    finally:
        over.set()
        with suppress(DatabaseError, InterfaceError):  # then the connection is not used again
            _end_idle_writes(None)


def _end_idle_writes(after: timedelta | None) -> None:
    """How long a transaction may say nothing before the database ends it; None: its default."""
    with connection.cursor() as cursor:
        most = int(after.total_seconds() * 1000) if after else "DEFAULT"
        cursor.execute(f"SET idle_in_transaction_session_timeout = {most}")


def end_job(job: JobResult, status: str, result: Any, *, is_lost: bool = False) -> None:
    """Keep how a job ended."""
    ended: dict[str, Any] = {"ended": Now(), "status": status, "result": result}
    ended |= {"lease_until": None, "is_lost": is_lost}
    JobLease.objects.update_or_create(
        job_result=job, defaults=ended, create_defaults={**ended, "called": Now()}
    )


def _renew(job: UUID) -> bool:
    mine = JobLease.objects.filter(job_result=job, ended=None)
    return bool(mine.update(lease_until=Now() + LEASE))


def _beat(job: UUID, over: threading.Event) -> None:
    while not over.wait(BEAT):
        try:
            if not _renew(job) and not over.is_set():
                _interrupt()
                return
        except Exception as error:  # noqa: BLE001 - database away: it comes back, or the lease ends
            log.warning("job %s: its lease is not renewed yet: %s", job, error)
        finally:
            connection.close()


def _interrupt() -> None:
    """End this process's job as its time limit would: it was found lost, and may be done again."""
    if callable(signal.getsignal(SOFT_LIMIT)):
        signal.raise_signal(SOFT_LIMIT)


def as_it_ended(row: JobLease) -> None:
    """Celery wrote "started" over how it ended, before anybody could ask, or not how it ended."""
    JobResult.objects.filter(pk=row.job_result_id).update(
        status=row.status, date_done=row.ended, result=row.result
    )
