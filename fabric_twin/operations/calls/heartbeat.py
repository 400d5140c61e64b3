"""`watch_fabric` says that it is there: without it, nobody calls workers for what waits."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils import timezone

from fabric_twin.models import Heartbeat

WATCH = "watch_fabric"
#: What its row is called once it was stopped: when that was is still told.
STOPPED = "watch_fabric, stopped"
#: How often it says so, and from when on it passes for gone.
BEAT, GONE = timedelta(seconds=10), timedelta(seconds=45)
#: What to do where it is gone.
START_IT = (
    "start the service nautobot-server watch_fabric: it starts tickets whose window begins, "
    "and work that was lost"
)


def say_alive() -> int:
    """Say that the watch is there; not more often than anybody has to know."""
    fresh = Heartbeat.objects.filter(name=WATCH, at__gt=Now() - BEAT)
    if fresh.exists():
        return 0
    row = Heartbeat(name=WATCH, at=timezone.now())
    Heartbeat.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["name"], update_fields=["at"]
    )
    # By the database's clock, as it is asked for.
    Heartbeat.objects.filter(name=WATCH).update(at=Now())
    return 1


def say_stopped() -> None:
    """Say that the watch was stopped, so that nobody takes it for running until it passes for gone.

    Where a second one runs, that says a few seconds later that it is there.
    """
    with transaction.atomic():
        Heartbeat.objects.filter(name=STOPPED).delete()
        Heartbeat.objects.filter(name=WATCH).update(name=STOPPED, at=Now())


def is_watching() -> bool:
    """Whether the watch said so a moment ago."""
    # What lies ahead was said before the clock was set back.
    at = Heartbeat.objects.filter(name=WATCH, at__gt=Now() - GONE, at__lt=Now() + GONE)
    return bool(at.exists())


def last_seen() -> datetime | None:
    """When the watch last said so, or was stopped; none where it never ran."""
    rows = Heartbeat.objects.filter(name__in=(WATCH, STOPPED))
    at: datetime | None = rows.aggregate(last=Max("at"))["last"]
    return at
