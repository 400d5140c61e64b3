"""A worker has a job: it says so every few seconds, and nobody runs the job twice.

called for --> taken --> says so, again and again --> ended, and how is kept
                 '--> says nothing for a while: `lost_jobs` ends it

A message can come twice: a broker gives out again what a dead worker had, and who calls again may
have been too early. Who comes second finds the job taken or ended, and leaves it as it is.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from nautobot.extras.models import JobResult

from fabric_twin.models import JobLease

log = logging.getLogger("fabric_twin.jobs")
#: How long a worker may be silent, and how often it says that it is there, in seconds.
LEASE = timedelta(seconds=60)
BEAT = 15.0
#: Jobs that nobody has: none took them, or the last one was silent for too long.
ALONE = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())


def take_job(job: JobResult) -> bool:
    """Be the one who runs a job; False where somebody does, or did."""
    with transaction.atomic():
        row, _ = JobLease.objects.get_or_create(job_result=job, defaults={"called": Now()})
        row = JobLease.objects.select_for_update().get(pk=row.pk)
        if row.ended:
            _as_it_ended(row)
            return False
        taken = JobLease.objects.filter(ALONE, pk=row.pk).update(lease_until=Now() + LEASE)
        return bool(taken)


@contextmanager
def held_job(job: JobResult) -> Iterator[None]:
    """Say every few seconds that the job goes on, until it ends."""
    over = threading.Event()
    beating = threading.Thread(target=_beat, args=(job.pk, over), name="job lease", daemon=True)
    beating.start()
    try:
        yield
    finally:
        over.set()


def end_job(job: JobResult, status: str, result: Any, *, is_lost: bool = False) -> None:
    """Keep how a job ended."""
    ended: dict[str, Any] = {"ended": Now(), "status": status, "result": result}
    ended |= {"lease_until": None, "is_lost": is_lost}
    JobLease.objects.update_or_create(
        job_result=job, defaults=ended, create_defaults={**ended, "called": Now()}
    )


def _beat(job: UUID, over: threading.Event) -> None:
    while not over.wait(BEAT):
        try:
            JobLease.objects.filter(job_result=job, ended=None).update(lease_until=Now() + LEASE)
        except Exception as error:  # noqa: BLE001 - database away: it comes back, or the lease ends
            log.warning("job %s: its lease is not renewed yet: %s", job, error)
        finally:
            connection.close()


def _as_it_ended(row: JobLease) -> None:
    """Celery wrote "started" over how it ended before anybody could ask."""
    JobResult.objects.filter(pk=row.job_result_id).update(
        status=row.status, date_done=row.ended, result=row.result
    )
