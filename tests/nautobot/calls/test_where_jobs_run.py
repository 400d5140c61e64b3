"""A pod names its queue, and its jobs run there, by a worker that reaches its switches."""

import os
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from nautobot.extras.models import JobQueue, JobResult, ScheduledJob

from fabric_twin.models import Cube, JobLease, Switch, WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.calls import hand_on as handing
from fabric_twin.operations.calls.hand_on import others_on
from fabric_twin.operations.pods.audit_schedule import JOB, schedule_audits
from fabric_twin.operations.pods.reach import why_not_reached
from fabric_twin.operations.queues import pod_of
from fabric_twin.tasks import refusing
from fabric_twin.tasks.audit_pod import AuditPod
from tests.nautobot.bases.called_jobs import JobCase
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.run_jobs import said


class QueueCase(JobCase):
    def setUp(self) -> None:
        super().setUp()
        self.queue = JobQueue.objects.create(name="hall-2", queue_type="celery")
        self.to_queue()

    def to_queue(self) -> None:
        self.pod.queue = self.queue
        self.pod.validated_save()


class CalledThereTest(QueueCase):
    def test_audits_orders_and_tickets_are_called_for_on_the_queue_of_their_pod(self) -> None:
        order = WorkOrder.objects.create(pod=self.pod, number=1, kind="repair", author=self.root)
        sent: list[Any] = []
        keep = mock.patch.object(
            dispatch.app, "send_task", lambda task, _key, **how: sent.append((task, how["queue"]))
        )
        with keep, self.captureOnCommitCallbacks(execute=True):
            dispatch.audit_soon(self.pod.pk)
            dispatch.advance_soon(order.pk)
        self.assertEqual(
            sent, [("fabric_twin.audit_touched", "hall-2"), ("fabric_twin.advance_order", "hall-2")]
        )

    def test_so_are_jobs_by_whatever_of_the_pod_they_are_about(self) -> None:
        asked = dispatch.run_job(JOB, self.root, "pod s", pod=self.pod)
        self.assertEqual(asked.celery_kwargs["queue"], "hall-2")
        switch = Switch.objects.filter(pod=self.pod).first()
        order = WorkOrder.objects.create(pod=self.pod, number=1, kind="repair", author=self.root)
        for wish in ({"switch": switch}, {"order": str(order.pk)}, {"pod": self.pod.pk}):
            self.assertEqual(pod_of(wish), self.pod)
        self.assertIsNone(pod_of({"pod": None, "light": True}))
        self.assertIsNone(pod_of({"pod": "its name, before it is there"}))

    def test_schedules_of_its_audits_go_there(self) -> None:
        schedule_audits(self.pod, self.root)
        self.assertEqual({one.job_queue for one in ScheduledJob.objects.all()}, {self.queue})

    def test_a_queue_that_is_not_celerys_is_refused(self) -> None:
        self.pod.queue = JobQueue.objects.create(name="k8s", queue_type="kubernetes")
        with self.assertRaisesMessage(ValidationError, "It is not a Celery queue"):
            self.pod.validated_save()


class HandedOnTest(QueueCase):
    """What a worker does with a job that came to it."""

    def came(self, queue: str, *others: str) -> tuple[AuditPod, JobResult]:
        """The job as a worker of a queue has it, and who else works for the queue."""
        job = self.job(status="STARTED", celery_kwargs={"queue": queue})
        done = AuditPod()
        done.request = mock.MagicMock(
            id=str(job.pk), hostname="me", delivery_info={"routing_key": queue}
        )
        app = mock.MagicMock()
        listening = {name: [{"name": queue}] for name in ("me", *others)}
        app.control.inspect().active_queues.return_value = listening
        self.enterContext(mock.patch.object(handing, "app", app))
        return done, job

    def begin(self, done: AuditPod, user: Any = None) -> bool:
        """Whether it goes on with the job."""
        wish = {"pod": str(self.pod.pk)}
        whose = mock.patch.object(AuditPod, "user", user or self.root)
        try:
            with whose, self.captureOnCommitCallbacks(execute=True):
                done.before_start("", (), wish)
        except refusing.Ignore:
            return False
        return True

    def test_a_job_that_came_by_another_queue_is_handed_on_and_left(self) -> None:
        done, job = self.came("default")
        self.assertFalse(self.begin(done))
        job.refresh_from_db()
        limits = {"soft_time_limit": 600, "time_limit": 660}
        self.assertEqual(
            (job.status, job.celery_kwargs), ("PENDING", {"queue": "hall-2", **limits})
        )
        self.assertEqual(self.sent, [(str(job.pk), {"pod": str(self.pod.pk)})])
        self.assertEqual(said(job), "Jobs of s run on the queue hall-2: handed on from default")
        self.assertIsNone(JobLease.objects.get().lease_until, "nobody has it")

    def test_who_reaches_no_device_leaves_it_to_another_worker_and_says_so(self) -> None:
        why = mock.patch.object(refusing, "why_not_reached", return_value="no way there")
        done, job = self.came("hall-2", "other")
        with why:
            self.assertFalse(self.begin(done))
            self.assertEqual(said(job), "me hands it on to another worker: no way there")
            self.assertEqual(JobLease.objects.get().handed_on, ["me"])
        self.assertTrue(self.begin(done), "the other worker reaches it")

    def test_of_a_pod_that_its_user_may_not_see_nothing_is_said(self) -> None:
        done, job = self.came("default")
        eve = get_user_model().objects.create_user("eve")
        self.assertTrue(self.begin(done, eve), "the job itself refuses it")
        self.assertEqual((self.sent, said(job)), ([], ""))

    def test_who_is_alone_does_it_and_says_what_it_does_not_reach(self) -> None:
        done, job = self.came("hall-2")
        with mock.patch.object(refusing, "why_not_reached", return_value="no way there"):
            self.assertTrue(self.begin(done))
        self.assertEqual(self.sent, [])
        self.assertIn("me runs it, because there is no other worker: no way there", said(job))

    def test_it_does_not_go_round_for_ever(self) -> None:
        _, job = self.came("hall-2", *(f"w{n}" for n in range(9)))
        lease = JobLease.objects.create(job_result=job, called=job.date_created)
        self.assertEqual(len(others_on("hall-2", job, "me")), 9)
        lease.handed_on = ["w1"] * handing.MOST
        lease.save()
        self.assertEqual(others_on("hall-2", job, "me"), set())

    def test_an_audit_of_all_pods_leaves_those_of_other_queues_to_these(self) -> None:
        done, _ = self.came("default")
        with mock.patch.object(AuditPod, "user", self.root):
            told = done.do()
        self.assertEqual(told, "s: a job of its own audits it, on the queue hall-2")
        asked = JobResult.objects.order_by("date_created").last()
        self.assertEqual(asked.celery_kwargs["queue"], "hall-2")


class ReachTest(FabricTestCase):
    """A few devices are asked, as an audit would ask them."""

    def test_a_worker_that_one_device_answers_reaches_the_pod(self) -> None:
        self.assertEqual(why_not_reached(self.pod), "")
        Switch.objects.filter(pod=self.pod).update(address="127.0.0.1:9")
        self.assertEqual(why_not_reached(self.pod), "", "its cubes answer")
        Cube.objects.filter(pod=self.pod).update(address="")
        self.assertIn("answers here: iw-ocs-x-1-1: it did not answer", why_not_reached(self.pod))
        Switch.objects.filter(pod=self.pod).update(address="")
        self.assertEqual(why_not_reached(self.pod), "", "none has an address: nobody is asked")

    def test_a_worker_without_the_certificate_to_trust_does_not(self) -> None:
        with mock.patch.dict(os.environ):
            for name in ("FABRIC_TWIN_GNMI_CA", "FABRIC_TWIN_GNMI_USER"):
                os.environ.pop(name, None)
            self.assertIn("the TLS handshake failed", why_not_reached(self.pod))
