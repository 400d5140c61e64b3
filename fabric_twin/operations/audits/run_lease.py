"""Whose turn it is to audit a pod, and for how long.

    queued --- our turn ---> running --- written ---> done
                               |  the lease ends
                               '--------------------> lost, found by the next worker

A run that works has a lease, and writes in one transaction that ends by asking for it once more.
"""

import time
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Extract, Now
from nautobot.extras.choices import JobResultStatusChoices

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.repositories.lease import NO_LEASE, Lease
from fabric_twin.repositories.pod_lock import lock_rows

QUEUED, RUNNING = RunStateChoices.QUEUED, RunStateChoices.RUNNING
#: How long a run may work before it has to ask again.
LEASE = timedelta(seconds=120)
#: How long a run waits for the one before it; jobs end a little later.
PATIENCE = timedelta(seconds=300)


@dataclass(frozen=True)
class RunLease(Lease):
    """The right to write what one run found."""

    model = AuditRun
    remedy = "The worker was stopped or too slow: audit again"

    def end(self, state: str, **facts: Any) -> None:
        """Write how the run ended, unless its time was over meanwhile."""
        if not self.mine().update(state=state, ended=Now(), **facts, **NO_LEASE, **_TIMES):
            raise self.lost()


#: How a job ends that does not end its run.
_NOT_WELL = (JobResultStatusChoices.STATUS_FAILURE, JobResultStatusChoices.STATUS_REVOKED)
_TIMES: dict[str, Any] = {
    "duration": Extract(Now() - F("started"), "epoch"),
    "last_updated": Now(),
}


def queue_run(pod: Pod, **facts: Any) -> AuditRun:
    """Write down that a run is wanted; it has its number, and waits for its turn."""
    with transaction.atomic():
        lock_rows(pod.pk)
        last = AuditRun.objects.filter(pod=pod).aggregate(last=Max("number"))["last"]
        run = AuditRun(pod=pod, number=(last or 0) + 1, **facts)
        # As a set of one: the change log has one line of a run, and that when it is over.
        AuditRun.objects.bulk_create([run])
        AuditRun.objects.filter(pk=run.pk).update(lease_until=Now() + PATIENCE + LEASE)
    return run


def take_lease(
    run: AuditRun, length: timedelta = LEASE, patience: timedelta = PATIENCE
) -> RunLease:
    """Wait until no other run of the pod works, then be the one that does."""
    last = time.monotonic() + patience.total_seconds()
    while not (token := _try(run, length)):
        if time.monotonic() > last:
            raise NotPossible(
                "another audit of the pod is under way",
                where=f"pod {run.pod.name}",
                remedy="Wait for it to end: the list of runs shows it",
            )
        time.sleep(0.2)
    return RunLease(run.pk, str(run), token, length)


def mark_lost(pod: Pod) -> None:
    """Runs of a pod that will not end themselves: say so."""
    _end_lost(AuditRun.objects.filter(pod=pod))


def end_lost_runs() -> int:
    """The same of every pod; of how many runs."""
    return _end_lost(AuditRun.objects.all())


def _end_lost(runs: Any) -> int:
    """Their lease is over, or their job has ended: it lost its worker, or was cancelled."""
    over = Q(lease_until__lte=Now()) | Q(job_result__status__in=_NOT_WELL)
    there = runs.filter(over, state__in=RunStateChoices.LIVE).values_list("pk", flat=True)
    if not there.exists():
        return 0
    with transaction.atomic():
        # Who is stopped while it writes is not waited for: the database ends that in a moment.
        keys = list(there.select_for_update(skip_locked=True, no_key=True, of=("self",)))
        return _say_lost(keys) if keys else 0


def _say_lost(keys: list[UUID]) -> int:
    lost: int = AuditRun.objects.filter(pk__in=keys).update(
        state=RunStateChoices.LOST,
        ended=Now(),
        message="The worker did not come back within its lease; nothing was written.",
        **NO_LEASE,
        **_TIMES,
    )
    return lost


def _try(run: AuditRun, length: timedelta) -> UUID | None:
    # Before the lock: a run that was stopped while writing is waited for, and slices are not.
    mark_lost(run.pod)
    with transaction.atomic():
        lock_rows(run.pod_id)
        if AuditRun.objects.filter(pod=run.pod_id, state=RUNNING).exists():
            return None
        token = uuid4()
        taken = AuditRun.objects.filter(pk=run.pk, state=QUEUED).update(
            state=RUNNING, started=Now(), lease_token=token, lease_until=Now() + length
        )
    if not taken:
        raise RunLease(run.pk, str(run), token, length).lost()
    return token
