"""Nobody takes the App out under services that still run; stopped ones are in nobody's way."""

import signal
from datetime import timedelta
from unittest import mock

from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from fabric_twin.core.errors import NotPossible
from fabric_twin.management.commands import watch_fabric
from fabric_twin.models import AuditRun, Heartbeat, JobLease
from fabric_twin.operations.audits.run_lease import queue_run, take_lease
from fabric_twin.operations.audits.watch_switches import Watch
from fabric_twin.operations.calls.heartbeat import (
    is_watching,
    last_seen,
    say_alive,
    say_stopped,
)
from fabric_twin.operations.calls.job_lease import end_job, take_job
from fabric_twin.operations.leave import refuse_while_running
from tests.nautobot.bases.called_jobs import JobCase

STOP = (
    "Stop web server, workers, scheduler and watch_fabric on every host, and say it again; what "
    "was killed counts as running for two minutes more."
)


class LeavingTest(JobCase):
    def assertRefused(self, running: str) -> None:
        with self.assertRaises(NotPossible) as refused:
            refuse_while_running()
        self.assertEqual(str(refused.exception), f"fabric_twin: these still run: {running}. {STOP}")

    def test_nothing_is_dropped_while_the_watch_runs(self) -> None:
        say_alive()
        with self.assertRaises(CommandError) as refused:
            call_command("leave_fabric_twin", drop_data=True)
        words = f"fabric_twin: these still run: watch_fabric. {STOP}"
        self.assertEqual(str(refused.exception), words)
        self.pod.refresh_from_db()

    def test_a_watch_that_was_stopped_is_gone_at_once_and_one_that_was_killed_later(self) -> None:
        say_alive()
        say_stopped()
        refuse_while_running()
        say_alive()
        self.assertRefused("watch_fabric")
        Heartbeat.objects.update(at=timezone.now() - timedelta(seconds=46))
        refuse_while_running()

    def test_jobs_that_a_worker_has_are_named_until_they_end(self) -> None:
        job = self.job(status="STARTED")
        self.assertTrue(take_job(job))
        self.assertRefused("job Audit pod")
        end_job(job, "SUCCESS", None)
        refuse_while_running()

    def test_a_job_whose_worker_was_lost_holds_nobody_for_ever(self) -> None:
        self.assertTrue(take_job(self.job(status="STARTED")))
        JobLease.objects.update(lease_until=timezone.now())
        refuse_while_running()

    def test_an_audit_after_a_change_is_no_job_and_is_named_too(self) -> None:
        run = queue_run(self.pod)
        refuse_while_running()
        take_lease(run)
        self.assertRefused("s audit 1")
        AuditRun.objects.update(lease_until=timezone.now())
        refuse_while_running()

    def test_of_many_some_are_named(self) -> None:
        for _ in range(7):
            take_job(self.job(status="STARTED"))
        self.assertRefused(", ".join(["job Audit pod"] * 5) + " and 2 more")

    def test_who_has_dropped_the_tables_may_say_it_again(self) -> None:
        say_alive()
        with connection.cursor() as cursor:  # undone with the test
            cursor.execute("ALTER TABLE fabric_twin_heartbeat RENAME TO gone")
        refuse_while_running()


class StoppedWatchTest(JobCase):
    def test_it_says_so_and_when_that_was(self) -> None:
        self.assertIsNone(last_seen())
        say_stopped()
        self.assertIsNone(last_seen(), "it never ran")
        for _ in range(2):  # each time anew
            say_alive()
            self.assertTrue(is_watching())
            say_stopped()
            self.assertFalse(is_watching())
            self.assertLess(timezone.now() - last_seen(), timedelta(seconds=10))

    def test_the_command_says_it_at_its_end(self) -> None:
        handlers = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
        say_alive()
        try:
            # They would close this test's own connection, with its transaction.
            keep = mock.patch.object(watch_fabric, "close_old_connections")
            with keep, mock.patch.object(Watch, "run"):
                call_command("watch_fabric")
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        self.assertFalse(is_watching())
