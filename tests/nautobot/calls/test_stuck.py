"""People are told what does not go on by itself, and have a button that goes on."""

from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError
from nautobot.core.celery import app
from nautobot.extras.models import Job, JobResult

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Heartbeat, JobLease, Pod, Touch, WorkOrder
from fabric_twin.operations.calls.heartbeat import START_IT, is_watching, say_alive
from fabric_twin.operations.calls.lost_jobs import end_lost_jobs
from fabric_twin.operations.stuck.go_on import go_on
from fabric_twin.operations.stuck.seen import stuck
from tests.nautobot.bases.called_jobs import JobCase
from tests.nautobot.bases.users import allow


class StuckTest(JobCase):
    def setUp(self) -> None:
        super().setUp()
        say_alive()

    def kinds(self, user: Any = None) -> list[str]:
        return [one.kind for one in stuck(user or self.root)]

    def test_nothing_is_stuck_where_all_goes_on(self) -> None:
        self.job(minutes=0.5)
        self.assertEqual(stuck(self.root), [])

    def test_the_watch_says_that_it_is_there_and_people_are_told_where_it_is_not(self) -> None:
        self.assertEqual((is_watching(), say_alive()), (True, 0), "once in a while is enough")
        Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=1))
        self.assertFalse(is_watching())
        [one] = stuck(self.root)
        self.assertEqual((one.kind, one.since), ("watch", Heartbeat.objects.get().at))
        self.assertIn(START_IT, one.why)
        Heartbeat.objects.all().delete()
        [one] = stuck(self.root, self.pod)
        self.assertIsNone(one.since)

    def test_a_job_that_no_worker_took_and_one_that_lost_its_worker(self) -> None:
        waiting = self.job(minutes=2)
        lost = self.job("LoadPod", status="STARTED", task_kwargs={"pod": "s", "design": "small"})
        end_lost_jobs()
        found = stuck(self.root)
        self.assertEqual({one.kind: one.record for one in found}, {"job": waiting, "lost": lost})
        self.assertEqual(len(stuck(self.root, self.pod)), 2, "both are about this pod")
        # Somebody ran it again.
        self.job("LoadPod", minutes=0, task_kwargs=lost.task_kwargs)
        self.assertEqual(self.kinds(), ["job"])
        JobLease.objects.all().delete()

    def test_changes_that_no_audit_looked_at_and_an_order_that_waits_for_the_fabric(self) -> None:
        then = timezone.now() - timedelta(minutes=3)
        Touch.objects.create(pod=self.pod, since=then, last=then)
        WorkOrder.objects.create(
            pod=self.pod, number=1, advance_asked=then, kind="repair", author=self.root
        )
        self.assertEqual(sorted(self.kinds()), ["changes", "order"])

    def test_who_sees_no_pod_is_told_of_nothing(self) -> None:
        self.job()
        Heartbeat.objects.all().delete()
        eve = get_user_model().objects.create_user("eve")
        self.assertEqual(stuck(eve), [])

    def test_who_is_shown_other_results_is_not_told_of_this_one(self) -> None:
        job = self.job()
        eve = get_user_model().objects.create_user("eve")
        allow(eve, ["view"], Pod)
        allow(eve, ["view", "run"], Job)
        allow(eve, ["view"], JobResult, user__username="nobody")
        self.assertEqual(self.kinds(eve), [])
        with self.assertRaisesMessage(FabricTwinError, "no such job"):
            go_on("job", job.pk, eve)
        JobResult.objects.update(user=eve)
        self.assertEqual(self.kinds(eve), ["job"])

    def test_before_there_is_a_pod_its_load_can_be_stuck(self) -> None:
        self.job("LoadPod", task_kwargs={"pod": "new"})
        eve = get_user_model().objects.create_user("eve")
        allow(eve, ["view"], Job)
        allow(eve, ["view"], JobResult)
        self.assertEqual(self.kinds(eve), ["job"])

    def test_a_broker_that_is_away_is_said(self) -> None:
        """RabbitMQ hangs up on connections that were open, which kombu leaves as it is."""
        job = self.job(minutes=1)
        called = "fabric_twin.operations.stuck.go_on.call_unheard"
        for away in (BrokerError("away"), ConnectionResetError(104, "reset by peer")):
            with (
                mock.patch(called, side_effect=away),
                self.assertRaisesMessage(FabricTwinError, "the broker does not answer"),
            ):
                go_on("job", job.pk, self.root)

    def test_what_is_not_stuck_is_left_alone(self) -> None:
        order = WorkOrder.objects.create(pod=self.pod, number=1, kind="repair", author=self.root)
        done = self.job(status="SUCCESS")
        for kind, key in (("changes", self.pod.pk), ("order", order.pk), ("ticket", uuid4())):
            with self.subTest(kind), self.assertRaisesMessage(FabricTwinError, "that is stuck"):
                go_on(kind, key, self.root)
        self.assertEqual(
            go_on("job", done.pk, self.root), "Audit pod has gone on: its status is success"
        )

    def test_the_button_calls_again_what_the_user_may_run(self) -> None:
        job = self.job()
        with self.captureOnCommitCallbacks(execute=True):
            said = go_on("job", job.pk, self.root)
        self.assertEqual(said, "Audit pod is queued again")
        self.assertEqual([key for key, _ in self.sent], [str(job.pk)])
        eve = get_user_model().objects.create_user("eve")
        then = timezone.now() - timedelta(minutes=3)
        order = WorkOrder.objects.create(
            pod=self.pod, number=1, advance_asked=then, kind="repair", author=self.root
        )
        for kind, key in (
            ("job", job.pk),
            ("ticket", uuid4()),
            ("changes", self.pod.pk),
            ("order", order.pk),
            ("nonsense", uuid4()),
        ):
            with self.subTest(kind), self.assertRaises(FabricTwinError):
                go_on(kind, key, eve)

    def test_the_button_has_changes_audited_and_orders_advanced_now(self) -> None:
        sent: list[Any] = []
        tell = mock.patch.object(
            app,
            "send_task",
            lambda *given, **_: sent.append(given),
        )
        then = timezone.now() - timedelta(minutes=3)
        Touch.objects.create(pod=self.pod, since=then, last=then)
        order = WorkOrder.objects.create(
            pod=self.pod, number=1, kind="repair", author=self.root, advance_asked=then
        )
        with tell, self.captureOnCommitCallbacks(execute=True):
            go_on("changes", self.pod.pk, self.root)
            go_on("order", order.pk, self.root)
        self.assertEqual(
            sent,
            [
                ("fabric_twin.audit_touched", (str(self.pod.pk),)),
                ("fabric_twin.advance_order", (str(order.pk),)),
            ],
        )

    def test_home_and_pod_page_say_it_and_the_button_brings_one_back(self) -> None:
        then = timezone.now() - timedelta(minutes=3)
        Touch.objects.create(pod=self.pod, since=then, last=then)
        self.job("LoadPod", status="STARTED", task_kwargs={"pod": "s"})
        end_lost_jobs()
        self.client.force_login(self.root)
        button = reverse(
            "plugins:fabric_twin:go_on", kwargs={"kind": "changes", "key": self.pod.pk}
        )
        for page in (reverse("home"), self.pod.get_absolute_url()):
            with self.subTest(page):
                shown = self.client.get(page).content.decode()
                self.assertIn(button, shown)
                self.assertIn("Changes of s", shown)
                self.assertIn("kwargs_from_job_result=", shown)
        pressed = self.client.post(button, {"back": self.pod.get_absolute_url()}, follow=True)
        self.assertContains(pressed, "What changed in s is audited again.")
        self.assertEqual(pressed.redirect_chain[-1][0], self.pod.get_absolute_url())
        away = self.client.post(button, {"back": "https://elsewhere.example/"})
        self.assertEqual(away.url, reverse("home"))
        self.assertEqual(self.client.get(button).status_code, 302, "to load it again does nothing")
        Touch.objects.all().delete()
        JobResult.objects.all().delete()
        self.assertNotIn("Stuck", self.client.get(self.pod.get_absolute_url()).content.decode())
