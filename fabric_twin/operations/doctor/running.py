"""What should always run: workers for every queue, the scheduler, the watch; and the clocks."""

import time
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from nautobot.core.celery import app
from nautobot.extras.choices import JobExecutionType
from nautobot.extras.models import ScheduledJob

from fabric_twin.core.counted import counted
from fabric_twin.core.moments import moment
from fabric_twin.models import Pod
from fabric_twin.operations.calls.heartbeat import START_IT, is_watching, last_seen
from fabric_twin.operations.calls.unheard_calls import OURS
from fabric_twin.operations.doctor.checked import Checked, bad, good, look
from fabric_twin.operations.doctor.in_time import in_time, in_words

START_BROKER = "Start it, or correct CELERY_BROKER_URL: no job runs without"
#: Seconds that workers have to say what they listen to.
PATIENCE = 2.0
#: How far two clocks may be apart: leases and windows are told by the database's.
APART = 2.0
#: An hourly schedule that did not run for this long has no scheduler.
LATE = timedelta(hours=2)


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
    def kept() -> bool:
        cache.set("fabric_twin:doctor", "there", 10)
        return bool(cache.get("fabric_twin:doctor") == "there")

    found = in_time(kept)
    if isinstance(found, Exception):
        told = f"it does not answer ({in_words(found)})"
        return bad("cache", told, "Start Redis, or correct CACHES")
    return good("cache", "answers") if found else bad("cache", "it stores nothing", "Use Redis")


def _queues() -> Iterator[Checked]:
    """Who listens to each queue that pods name, and to the default."""
    workers = in_time(lambda: app.control.inspect(timeout=PATIENCE).active_queues() or {})
    if isinstance(workers, Exception):
        yield bad("broker", f"it does not answer ({in_words(workers)})", START_BROKER)
        return
    listening = [queue["name"] for queues in workers.values() for queue in queues]
    named = set(Pod.objects.filter(queue__isnull=False).values_list("queue__name", flat=True))
    default = getattr(settings, "CELERY_TASK_DEFAULT_QUEUE", "default")
    for name in sorted({default, *named}):
        many = listening.count(name)
        if many:
            yield good(f"queue {name}", counted(many, "worker"))
        else:
            yield bad(
                f"queue {name}",
                "no worker listens to it",
                f"Start one: nautobot-server celery worker --queues {name}",
            )


def _scheduler() -> Checked:
    hourly = ScheduledJob.objects.filter(
        Q(interval=JobExecutionType.TYPE_HOURLY)
        | Q(interval=JobExecutionType.TYPE_CUSTOM, crontab__endswith=" * * * *"),
        job_model__module_name__startswith=OURS,
        enabled=True,
    )
    late = timezone.now() - LATE
    missed = hourly.filter(start_time__lt=late).exclude(last_run_at__gt=late)
    if first := missed.order_by("name").first():
        return bad(
            "scheduler",
            f"{first.name} did not run for {LATE.total_seconds() / 3600:.0f} hours",
            "Start the service nautobot-server celery beat",
        )
    if hourly.filter(start_time__lt=late).exists():
        return good("scheduler", "nothing is overdue")
    remedy = "See that the service nautobot-server celery beat runs"
    return look("scheduler", "no hourly schedule is old enough to tell whether it runs", remedy)


def _watch() -> Checked:
    if is_watching():
        return good("watch_fabric", "runs")
    seen = last_seen()
    since = f"not seen since {moment(seen)}" if seen else "it never ran"
    return bad("watch_fabric", since, START_IT[0].upper() + START_IT[1:])
