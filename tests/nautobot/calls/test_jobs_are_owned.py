"""A worker has a job, or nobody has: that is ended in words, or called for again."""

import threading
from datetime import timedelta
from unittest import mock
from uuid import uuid4

from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError
from nautobot.core.celery import app as celery
from nautobot.extras.models import Job, JobResult

from fabric_twin.models import AuditRun, JobLease
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits.run_lease import end_lost_runs
from fabric_twin.operations.calls import job_lease, unheard_calls
from fabric_twin.operations.calls.job_lease import LEASE, end_job, take_job
from fabric_twin.operations.calls.lost_jobs import GONE, end_lost_jobs, look_after_jobs
from fabric_twin.operations.calls.unheard_calls import (
    NEVER_SENT,
    NOT_HEARD,
    call_unheard,
    keep_wish,
)
from fabric_twin.operations.pods.audit_schedule import schedule_audits
from tests.nautobot.bases.called_jobs import JobCase
from tests.nautobot.bases.run_jobs import run, said

AUDIT, LOAD = "AuditPod", "LoadPod"


class LostTest(JobCase):
    def test_a_job_whose_worker_is_gone_is_ended_in_words(self) -> None:
        job = self.job(LOAD, status="STARTED")
        take_job(job)
        self.assertEqual(end_lost_jobs(), 0, "its lease holds")
        JobLease.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        self.assertEqual((end_lost_jobs(), end_lost_jobs()), (1, 0))
        job.refresh_from_db()
        self.assertEqual((job.status, said(job)), ("FAILURE", GONE))
        self.assertIsNotNone(job.date_done)
        self.assertEqual(self.sent, [], "what was asked by a person is not done behind their back")

    def test_one_that_was_killed_before_it_took_its_job_is_ended_as_well(self) -> None:
        job = self.job(LOAD, status="STARTED", minutes=LEASE.total_seconds() / 60 - 0.5)
        self.assertEqual(end_lost_jobs(), 0)
        JobResult.objects.update(date_started=timezone.now() - LEASE - timedelta(seconds=1))
        self.assertEqual(end_lost_jobs(), 1)
        job.refresh_from_db()
        self.assertEqual(job.status, "FAILURE")

    def test_an_audit_is_called_for_again_and_not_without_end(self) -> None:
        self.job(status="STARTED")
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(end_lost_jobs(), 1)
        self.assertEqual(self.states(), ["FAILURE", "PENDING"])
        self.assertEqual([wish for _, wish in self.sent], [{"pod": str(self.pod.pk)}])
        for _ in range(4):
            long_ago = timezone.now() - timedelta(minutes=5)
            JobResult.objects.filter(status="PENDING").update(
                status="STARTED", date_started=long_ago
            )
            with self.captureOnCommitCallbacks(execute=True):
                end_lost_jobs()
        self.assertEqual(self.states(), ["FAILURE"] * 3)
        last = JobResult.objects.order_by("date_created").last()
        self.assertIn("3 workers were lost while they ran it", said(last))

    def test_a_process_that_was_killed_under_its_worker_is_a_lost_job_too(self) -> None:
        said_by_celery = {"exc_type": "WorkerLostError", "exc_message": ["signal 9 (SIGKILL)"]}
        job = self.job(status="STARTED")
        take_job(job)
        JobResult.objects.update(status="FAILURE", result=said_by_celery)
        held = {"lease_token": uuid4(), "lease_until": timezone.now() + timedelta(minutes=2)}
        run = AuditRun.objects.create(
            pod=self.pod, number=1, scope="pod", state="running", job_result=job, **held
        )
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual((look_after_jobs(), look_after_jobs()), (1, 0))
        self.assertEqual(self.states(), ["FAILURE", "PENDING"])
        self.assertIn(GONE, said(job))
        self.assertEqual((end_lost_runs(), end_lost_runs()), (1, 0))
        run.refresh_from_db()
        self.assertEqual(run.state, "lost")

    def test_one_that_ended_and_is_told_to_have_begun_has_ended(self) -> None:
        job = self.job(status="STARTED")
        end_job(job, "SUCCESS", "done")
        JobLease.objects.update(ended=timezone.now() - LEASE)
        look_after_jobs()
        job.refresh_from_db()
        self.assertEqual((job.status, job.result), ("SUCCESS", "done"))

    def test_jobs_of_others_are_nobody_of_ours(self) -> None:
        other = Job.objects.exclude(module_name__startswith="fabric_twin").first()
        job = self.job(status="STARTED")
        JobResult.objects.filter(pk=job.pk).update(job_model=other)
        self.assertEqual(look_after_jobs(), 0)
        self.assertEqual(self.states(), ["STARTED"])


class CallTest(JobCase):
    def test_a_call_that_nobody_heard_is_made_again_each_time_after_longer(self) -> None:
        job = self.job(minutes=1)
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual((call_unheard(), call_unheard()), (1, 0))
        self.assertEqual(self.sent, [(str(job.pk), {"pod": str(self.pod.pk)})])
        self.assertEqual(said(job), NOT_HEARD)
        lease = JobLease.objects.get()
        self.assertEqual(lease.calls, 2)
        for seconds, times in ((59, 0), (61, 1)):
            JobLease.objects.update(called=timezone.now() - timedelta(seconds=seconds))
            self.assertEqual(call_unheard(), times)

    def test_one_that_waits_in_a_queue_or_with_a_worker_is_left_alone(self) -> None:
        job = self.job()
        self.held(1)
        self.assertEqual((call_unheard(), call_unheard()), (0, 0))
        lease = JobLease.objects.get()
        self.assertEqual(lease.calls, 1, "nobody called: it is looked at again in a while")
        self.held(0, job)
        self.assertEqual(call_unheard([job.pk], now=True), 0)
        self.held(0)
        self.assertEqual(call_unheard([job.pk], now=True), 1)

    def test_behind_messages_of_which_nobody_knows_whose_they_are_it_is_sent_after_an_hour(
        self,
    ) -> None:
        self.held(None)
        young, old = self.job(minutes=59), self.job(minutes=61)
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(call_unheard(), 1)
        self.assertEqual([key for key, _ in self.sent], [str(old.pk)])
        self.assertNotEqual(young, old)

    def test_a_schedule_that_gave_up_while_the_broker_was_away_runs_once(self) -> None:
        [schedule, _] = schedule_audits(self.pod, self.root)
        facts = {"status": "FAILURE", "date_started": None, "scheduled_job": schedule}
        wish = {"pod": str(self.pod.pk), "light": False}
        jobs = [self.job(minutes=m, task_kwargs={}, **facts) for m in (50, 40, 30)]
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(call_unheard(), 1)
        self.assertEqual(self.sent, [(str(jobs[-1].pk), wish)])
        self.assertEqual(self.states(), ["FAILURE", "FAILURE", "PENDING"])

    def test_a_broker_that_is_away_says_nothing_of_what_it_has(self) -> None:
        self.job()
        away = mock.MagicMock()
        away.connection_for_read().__enter__().ensure_connection.side_effect = BrokerError("away")
        with mock.patch.object(unheard_calls, "app", away), self.assertRaises(BrokerError):
            call_unheard()
        self.assertEqual((self.sent, JobLease.objects.count()), ([], 0))

    def test_one_that_was_never_sent_and_of_which_nobody_knows_more_is_ended(self) -> None:
        job = self.job(task_name=None, task_kwargs={})
        self.assertEqual(call_unheard(), 1)
        job.refresh_from_db()
        self.assertEqual((job.status, said(job)), ("FAILURE", NEVER_SENT))

    def test_what_a_job_is_to_do_is_kept_beside_its_call(self) -> None:
        job = self.job(task_name=None, task_kwargs={})
        path = job.job_model.class_path
        keep_wish(str(job.pk), ("another.package.Job",), {"pod": "x"})
        keep_wish(str(uuid4()), (path,), {"pod": "x"})
        job.refresh_from_db()
        self.assertEqual((job.task_name, job.task_kwargs), (None, {}))
        keep_wish(str(job.pk), (path,), {"pod": "x"})
        job.refresh_from_db()
        self.assertEqual((job.task_name, job.task_kwargs), (path, {"pod": "x"}))

    def test_a_broker_that_is_away_when_a_job_is_asked_for_loses_nothing(self) -> None:
        model = Job.objects.get(job_class_name=AUDIT, module_name__startswith="fabric_twin")
        with (
            mock.patch("nautobot.extras.jobs.run_job.apply_async", side_effect=BrokerError("away")),
            self.assertLogs("django.test", "ERROR"),
            self.captureOnCommitCallbacks(execute=True),
        ):
            asked = dispatch.run_job(model.class_path, self.root, "pod s", pod=self.pod)
        JobResult.objects.update(date_created=timezone.now() - timedelta(minutes=1))
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(call_unheard(), 1)
        self.assertEqual(self.sent, [(str(asked.pk), {"pod": str(self.pod.pk)})])


class TwiceTest(JobCase):
    def test_a_message_that_comes_twice_runs_nothing_and_changes_nothing(self) -> None:
        done = run(AUDIT, "root", pod=self.pod.pk)
        self.assertEqual(done.status, "SUCCESS", said(done))
        lease = JobLease.objects.get(job_result=done)
        self.assertEqual((lease.status, lease.result), ("SUCCESS", done.result))
        # Celery says that it began before the job can say no.
        JobResult.objects.filter(pk=done.pk).update(
            status="STARTED", result={"pid": 1}, date_done=None
        )
        self.assertFalse(take_job(done))
        again = JobResult.objects.get(pk=done.pk)
        self.assertEqual(
            (again.status, again.result, again.date_done), ("SUCCESS", done.result, lease.ended)
        )

    def test_one_that_somebody_cancelled_is_not_run_when_its_message_comes(self) -> None:
        job = self.job(status="STARTED", date_canceled=timezone.now())
        self.assertFalse(take_job(job))
        job.refresh_from_db()
        self.assertEqual(job.status, "REVOKED")

    def test_who_goes_on_after_its_job_was_found_lost_is_interrupted(self) -> None:
        job = self.job(status="STARTED")
        take_job(job)
        end_job(job, "FAILURE", None, is_lost=True)
        with (
            mock.patch.object(job_lease, "BEAT", 0),
            mock.patch.object(job_lease, "connection"),
            mock.patch.object(job_lease, "_interrupt") as interrupt,
        ):
            job_lease._beat(job.pk, threading.Event())
        interrupt.assert_called_once_with()

    def test_a_job_that_another_worker_has_is_left_to_it(self) -> None:
        job = self.job(status="STARTED")
        self.assertEqual([take_job(job), take_job(job)], [True, False])
        JobLease.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        self.assertTrue(take_job(job), "nobody has it any more")

    def test_how_one_ended_at_its_limit_is_kept_and_forgotten_in_time(self) -> None:
        job = self.job(status="STARTED")
        take_job(job)
        JobLease.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        JobResult.objects.update(status="FAILURE", result="too long")
        look_after_jobs()
        lease = JobLease.objects.get()
        self.assertEqual((lease.status, lease.result), ("FAILURE", "too long"))
        self.assertIs(lease.is_lost, False)
        JobLease.objects.update(ended=timezone.now() - timedelta(days=8))
        look_after_jobs()
        self.assertEqual(JobLease.objects.count(), 0)

    def test_who_comes_back_after_all_says_how_it_ended(self) -> None:
        job = self.job(LOAD, status="STARTED")
        self.assertEqual(end_lost_jobs(), 1)
        end_job(job, "SUCCESS", "loaded")
        lease = JobLease.objects.get()
        self.assertEqual((lease.status, lease.is_lost), ("SUCCESS", False))


class BrokerTest(JobCase):
    """What a real broker says of a message that waits in it, and of one that it has not."""

    QUEUE = "nobody-listens"

    def setUp(self) -> None:
        super().setUp()
        self.addCleanup(self.purge)

    def held(self, queued: int | None, *known: JobResult) -> None:
        """It is asked itself."""

    def purge(self) -> None:
        with celery.connection_for_write() as connection:
            connection.default_channel.queue_purge(self.QUEUE)

    def test_a_message_that_waits_is_found_and_one_that_was_lost_is_not(self) -> None:
        job = self.job(celery_kwargs={"queue": self.QUEUE})
        celery.send_task("fabric_twin.nobody", task_id=str(job.pk), queue=self.QUEUE)
        self.assertEqual(call_unheard(), 0)
        self.purge()
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(call_unheard([job.pk], now=True), 1)
        self.assertEqual([key for key, _ in self.sent], [str(job.pk)])
