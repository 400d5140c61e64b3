"""What is asked of workers, and what is refused before they are asked."""

from typing import Any
from unittest import mock
from uuid import uuid4

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase
from nautobot.core.celery import app
from nautobot.extras.models import Job

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.operations.dispatch import advance_soon, ask_for_job, audit_soon, run_job

JOB = "fabric_twin.tasks.carry_out_ticket.CarryOutTicket"


class DispatchTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.root = get_user_model().objects.create_superuser("root")
        self.job = Job.objects.filter(job_class_name="CarryOutTicket")

    def test_a_worker_is_asked_once_the_transaction_is_over_and_answers_nobody(self) -> None:
        sent: list[Any] = []

        def send_task(*given: Any, **named: Any) -> None:
            sent.append((*given, named))

        pod, order = uuid4(), uuid4()
        self.enterContext(mock.patch.object(app, "send_task", send_task))
        with self.captureOnCommitCallbacks(execute=True):
            audit_soon(pod, countdown=2)
            advance_soon(order)
            self.assertEqual(sent, [])
        audit = "fabric_twin.audit_touched", (str(pod),), {"ignore_result": True, "countdown": 2}
        advance = "fabric_twin.advance_order", (str(order),), {"ignore_result": True}
        self.assertEqual(sent, [audit, advance])

    def test_workers_know_what_is_asked_of_them_by_name(self) -> None:
        self.assertLessEqual(
            {"fabric_twin.audit_touched", "fabric_twin.advance_order"}, {*app.tasks}
        )

    def refused(self, ask: Any, user: Any) -> str:
        with self.assertRaises((NotPermitted, NotPossible)) as refusal:
            ask(JOB, user, "ticket iw-t1")
        return str(refusal.exception)

    def test_a_job_that_cannot_run_is_refused_with_what_to_do(self) -> None:
        self.job.update(enabled=False)
        self.assertEqual(
            self.refused(run_job, self.root),
            "ticket iw-t1: the job Carry out ticket is not enabled. "
            "Enable it on the page of the job.",
        )
        self.job.delete()
        self.assertEqual(
            self.refused(run_job, self.root),
            "ticket iw-t1: the job Carry out ticket is not installed. "
            "Run `nautobot-server post_upgrade`, which lists the jobs of the App.",
        )

    def test_who_may_not_run_a_job_is_refused_before_anything_else_is_said(self) -> None:
        self.job.update(enabled=False)
        self.assertEqual(
            self.refused(ask_for_job, get_user_model().objects.create_user("eve")),
            "ticket iw-t1: you may not run the job Carry out ticket. "
            "Ask for the permission to run it.",
        )
