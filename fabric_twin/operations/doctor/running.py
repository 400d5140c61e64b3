"""What should always run: workers for every queue, the scheduler, the watch; and the clocks."""

import time
from collections.abc import Iterator
from datetime import timedelta

from django.core.cache import cache
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError
from nautobot.core.celery import app
from nautobot.extras.choices import JobExecutionType
from nautobot.extras.models import ScheduledJob
from redis.exceptions import RedisError

from fabric_twin.models import Pod
from fabric_twin.operations.calls.heartbeat import START_IT, is_watching, last_seen
from fabric_twin.operations.calls.unheard_calls import OURS
from fabric_twin.operations.doctor.checked import Checked, bad, good

#: Seconds that workers have to say what they listen to.
PATIENCE = 2.0
#: How far two clocks may be apart: leases and windows are told by the database's.
APART = 2.0
#: An hourly schedule that did not run for this long has no scheduler.
LATE = timedelta(hours=2)
#: The queue of whatever names none.
DEFAULT = "default"


def check_running() -> Iterator[Checked]:
    """Every service, as far as one can see it from here."""
    yield _clock()
    yield _cache()
    yield from _queues()
    yield _scheduler()
    yield _watch()


def _clock() -> Checked:
    with connection.cursor() as cursor:
        before = time.time()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        theirs = float(cursor.fetchone()[0])
        after = time.time()
    apart = max(before - theirs, theirs - after, 0.0)
    if apart > APART:
        return bad(
            "clock",
            f"this machine's and the database's are {apart:.0f} s apart",
            "Let both follow one time server",
        )
    return good("clock", "as the database's")


def _cache() -> Checked:
    try:
        cache.set("fabric_twin:doctor", "there", 10)
        if cache.get("fabric_twin:doctor") == "there":
            return good("cache", "answers")
    except (RedisError, OSError) as error:
        return bad("cache", f"it does not answer ({error})", "Start Redis, or correct CACHES")
    return bad("cache", "it keeps nothing", "Use Redis for CACHES")


def _queues() -> Iterator[Checked]:
    """Who listens to each queue that pods name, and to the default."""
    try:
        workers = app.control.inspect(timeout=PATIENCE).active_queues() or {}
    except (BrokerError, RedisError, OSError) as error:
        yield bad("broker", f"it does not answer ({error})", "Start it: no job runs without")
        return
    listening = [queue["name"] for queues in workers.values() for queue in queues]
    named = set(Pod.objects.filter(queue__isnull=False).values_list("queue__name", flat=True))
    for name in sorted({DEFAULT, *named}):
        many = listening.count(name)
        if many:
            yield good(f"queue {name}", f"{many} worker{'s' * (many > 1)}")
        else:
            yield bad(
                f"queue {name}",
                "no worker listens to it",
                f"Start one: nautobot-server celery worker --queues {name}",
            )


def _scheduler() -> Checked:
    hourly = ScheduledJob.objects.filter(
        job_model__module_name__startswith=OURS,
        enabled=True,
        interval=JobExecutionType.TYPE_HOURLY,
    )
    late = timezone.now() - LATE
    missed = hourly.filter(start_time__lt=late).exclude(last_run_at__gt=late)
    if first := missed.order_by("name").first():
        return bad(
            "scheduler",
            f"{first.name} did not run for {LATE.total_seconds() / 3600:.0f} hours",
            "Start the service nautobot-server celery beat",
        )
    return good("scheduler", "nothing is overdue" if hourly.exists() else "nothing is scheduled")


def _watch() -> Checked:
    if is_watching():
        return good("watch_fabric", "runs")
    seen = last_seen()
    since = f"not seen since {seen:%Y-%m-%d %H:%M} UTC" if seen else "it never ran"
    return bad("watch_fabric", since, START_IT[0].upper() + START_IT[1:])
