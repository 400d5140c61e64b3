"""A clock was set back: moments that were are still to come, and what counts from them would wait.

a lease of two hours ahead       nobody would find before that its worker is gone
a change noted two hours ahead   no audit of it would be called for
a reading of two hours ahead     no sync would write over what is later than its own look
a call that Redis is to forget   it would remember it, and nobody would call again
that no worker answered          Nautobot keeps that for 5 s, and would refuse jobs for two hours

`watch_fabric` compares the clocks of the database and of Redis with one that nobody sets. Once one
was set back, and at its own start, such moments become now. A worker that holds a lease renews it.
"""

import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models.functions import Now
from django_redis import get_redis_connection
from nautobot.core.utils.cache import construct_cache_key
from nautobot.extras.models import JobResult
from nautobot.extras.utils import get_celery_queues

from fabric_twin.models import (
    AuditRun,
    HandOver,
    Heartbeat,
    JobLease,
    Reading,
    Ticket,
    TicketStage,
    Touch,
    WorkOrder,
)
from fabric_twin.operations.calls.unheard_calls import PENDING, STARTED, ours

#: Clocks of workers, and of looks at them, differ by less.
AHEAD = timedelta(minutes=1)
#: No lease is longer: an audit that waits for its turn has the longest.
LONGEST_LEASE = timedelta(minutes=10)
#: What others count from.
PAST: Mapping[Any, tuple[str, ...]] = {
    Touch: ("since", "last"),
    Reading: ("asked", "answered"),
    TicketStage: ("started", "ended", "drained_at"),
    Ticket: ("started", "ended"),
    WorkOrder: ("started", "ended", "under_way_since", "advance_asked"),
    JobLease: ("called", "ended"),
    Heartbeat: ("at",),
    HandOver: ("at",),
}
LEASED: tuple[Any, ...] = (JobLease, AuditRun, Ticket)


class ClockWatch:
    """Called again and again, it finds that a clock was set back since it looked last."""

    def __init__(self) -> None:
        #: Seconds by which each clock was before the one that nobody sets.
        self._before: dict[str, float] = {}

    def __call__(self) -> int:
        """Take back what lies ahead, where that may be so; say how much it was."""
        now = {"database": _database_clock() - time.monotonic()}
        now["Redis"] = _redis_clock() - time.monotonic()
        slack = AHEAD.total_seconds()
        is_back = any(now[name] < self._before.get(name, float("inf")) - slack for name in now)
        changed = take_back_times() if is_back else 0
        self._before = now
        return changed


def take_back_times() -> int:
    """Set what lies ahead to now, and leases to the longest that there are; say how many."""
    cache.delete_pattern("fabric_twin*")  # type: ignore[attr-defined]  # who was called, and when
    cache.delete(construct_cache_key(get_celery_queues, branch_aware=False))
    changed = 0
    for model, names in PAST.items():
        for name in names:
            ahead = model.objects.filter(**{f"{name}__gt": Now() + AHEAD})
            changed += ahead.update(**{name: Now()})
    for model in LEASED:
        longer = model.objects.filter(lease_until__gt=Now() + LONGEST_LEASE + AHEAD)
        changed += longer.update(lease_until=Now() + LONGEST_LEASE)
    # A call of which nobody heard is made again some time after it was made, and a job that began
    # and has no lease is lost after as long.
    for name, state in (("date_created", PENDING), ("date_started", STARTED)):
        later = ours().filter(**{f"{name}__gt": Now() + AHEAD}, status=state).values("pk")
        changed += JobResult.objects.filter(pk__in=later).update(**{name: Now()})
    return changed


def _database_clock() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0])


def _redis_clock() -> float:
    seconds, micros = get_redis_connection("default").time()
    return float(seconds) + float(micros) / 1_000_000
