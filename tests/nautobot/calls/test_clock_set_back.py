"""The clock of a server is set back by hours: nothing waits until it is as late again."""

from datetime import timedelta
from unittest import mock
from uuid import uuid4

from celery.app.control import Inspect
from django.apps import apps
from django.core.cache import cache
from django.db.models import DateTimeField
from django.test import SimpleTestCase
from django.utils import timezone
from nautobot.extras.utils import get_worker_count

from fabric_twin.models import AuditRun, Heartbeat, JobLease, Reading, Touch
from fabric_twin.operations.audits.touches import call_forgotten, note_touched
from fabric_twin.operations.calls import clock_set_back
from fabric_twin.operations.calls.clock_set_back import LEASED, PAST, ClockWatch, take_back_times
from fabric_twin.operations.calls.heartbeat import WATCH, is_watching
from fabric_twin.operations.calls.job_lease import LEASE, take_job
from fabric_twin.operations.calls.lost_jobs import end_lost_jobs
from tests.nautobot.bases.called_jobs import JobCase

LATER = timedelta(hours=2)


class SetBackTest(JobCase):
    def test_a_job_whose_worker_is_gone_is_found_by_its_lease(self) -> None:
        job = self.job("LoadPod", status="STARTED")
        take_job(job)
        JobLease.objects.update(lease_until=timezone.now() + LATER + LEASE)
        self.assertEqual(take_back_times(), 1)
        self.assertEqual(take_back_times(), 0, "a lease that is no longer than it may be is left")
        until = JobLease.objects.get().lease_until
        self.assertLess(until, timezone.now() + timedelta(minutes=11))
        JobLease.objects.update(lease_until=until - timedelta(minutes=11))
        self.assertEqual(end_lost_jobs(), 1)

    def test_an_audit_that_waits_for_its_turn_keeps_its_place(self) -> None:
        until = timezone.now() + timedelta(minutes=7)
        held = {"lease_token": uuid4(), "lease_until": until}
        AuditRun.objects.create(pod=self.pod, number=1, scope="pod", state="running", **held)
        self.assertEqual(take_back_times(), 0)

    def test_what_changed_is_audited_in_a_minute_and_not_in_two_hours(self) -> None:
        note_touched(self.pod.pk)
        Touch.objects.update(since=timezone.now() + LATER, last=timezone.now() + LATER)
        self.assertEqual(take_back_times(), 2)
        self.assertEqual(call_forgotten(), 0)
        Touch.objects.update(last=timezone.now() - timedelta(seconds=61))
        with mock.patch("fabric_twin.operations.dispatch.audit_soon") as called:
            self.assertEqual(call_forgotten(), 1)
        called.assert_called_once()

    def test_a_sync_writes_over_what_was_read_two_hours_ahead(self) -> None:
        switch, ahead = self.pod.switches.first(), timezone.now() + LATER
        Reading.objects.create(pod=self.pod, switch=switch, asked=ahead, answered=ahead)
        self.assertEqual(take_back_times(), 2)
        reading = Reading.objects.get()
        self.assertLess(reading.asked, timezone.now())
        self.assertLess(reading.answered, timezone.now())

    def test_a_watch_that_said_so_two_hours_ahead_is_not_there(self) -> None:
        Heartbeat.objects.create(name=WATCH, at=timezone.now() + LATER)
        self.assertFalse(is_watching())
        self.assertEqual(take_back_times(), 1)
        self.assertTrue(is_watching(), "it is the watch that takes times back")


#: Moments that tell, and from which nothing counts.
TOLD = {
    "auditrun.started", "auditrun.ended", "block.confirmed_at", "cube.confirmed_at",
    "finding.acknowledged_at",
    "finding.first_seen", "finding.last_seen", "finding.mended_at", "finding.opened",
    "lightagreement.at", "lightreading.at", "orderevent.at", "orderstep.done_at",
    "orderstep.verified_at",
    "reading.told_at", "stepreport.at", "stepreport.received", "switch.confirmed_at",
    "ticket.approved_at", "ticket.reviewed_at", "ticket.submitted_at", "ticketdrain.at",
    "ticketevent.at",
}  # fmt: skip
#: Moments to come, as people chose them.
CHOSEN = {
    "finding.due", "silence.until", "ticket.window_end", "ticket.window_start", "workorder.due",
}  # fmt: skip


class EveryMomentTest(SimpleTestCase):
    def test_each_moment_is_taken_back_or_said_to_be_left(self) -> None:
        """One that is added, and from which something counts, has to be taken back."""
        moments = {
            f"{model._meta.model_name}.{field.name}"
            for model in apps.get_app_config("fabric_twin").get_models()
            for field in model._meta.fields
            if isinstance(field, DateTimeField) and field.name not in ("created", "last_updated")
        }
        taken = {f"{m._meta.model_name}.{name}" for m, names in PAST.items() for name in names}
        leases = {f"{model._meta.model_name}.lease_until" for model in LEASED}
        self.assertEqual(moments, taken | leases | TOLD | CHOSEN)


class ClockWatchTest(JobCase):
    def setUp(self) -> None:
        super().setUp()
        self.by = {"database": 0.0, "redis": 0.0}
        for name in self.by:
            real = getattr(clock_set_back, f"_{name}_clock")
            moved = lambda real=real, name=name: real() + self.by[name]  # noqa: E731
            self.enterContext(mock.patch.object(clock_set_back, f"_{name}_clock", moved))
        self.watch = ClockWatch()

    def test_it_takes_back_at_its_start_and_when_a_clock_was_set_back_and_only_then(self) -> None:
        note_touched(self.pod.pk)

        def ahead() -> None:
            Touch.objects.update(since=timezone.now() + LATER)

        for name, by, found in (
            ("database", 0.0, 1),
            ("database", 0.0, 0),
            ("database", -30.0, 0),
            ("database", 7200.0, 0),
            ("database", 0.0, 1),
            ("redis", 7200.0, 0),
            ("redis", 0.0, 1),
        ):
            with self.subTest(f"{name} by {by}"):
                ahead()
                self.by[name] = by
                self.assertEqual(self.watch(), found)

    def test_calls_that_redis_was_to_forget_are_forgotten(self) -> None:
        self.watch()
        touched, asked = f"fabric_twin:touched:{self.pod.pk}", "fabric_twin.ask_worker.x.4"
        note_touched(self.pod.pk)
        cache.set(asked, True, 7204)
        self.watch()
        self.assertEqual((cache.get(touched), cache.get(asked)), (True, True))
        self.by["redis"] = -7200.0
        self.watch()
        self.assertEqual((cache.get(touched), cache.get(asked)), (None, None))

    def test_that_no_worker_answered_is_not_believed_for_two_hours(self) -> None:
        self.watch()
        workers = [{"celery@one": [{"name": "default"}]}]
        asked = self.enterContext(mock.patch.object(Inspect, "active_queues"))
        asked.side_effect = [None, *workers]
        self.assertEqual(get_worker_count(), 0)
        [key] = cache.keys("*get_celery_queues*")
        cache.expire(key, 7205)
        self.assertEqual(get_worker_count(), 0, "Nautobot keeps it")
        self.by["redis"] = -7200.0
        self.watch()
        self.assertEqual(get_worker_count(), 1)

    def test_where_redis_is_away_it_looks_again(self) -> None:
        self.watch()
        Touch.objects.create(
            pod=self.pod, since=timezone.now() + LATER, last=timezone.now() + LATER
        )
        self.by["database"] = -7200.0
        with (
            mock.patch.object(clock_set_back, "_redis_clock", side_effect=OSError),
            self.assertRaises(OSError),
        ):
            self.watch()
        self.assertEqual(self.watch(), 2)
