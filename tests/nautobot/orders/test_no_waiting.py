"""A request waits for no switch: a worker does what takes light, and a port is read in a moment."""

import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from unittest import mock

from django.db import connection, transaction
from django.utils import timezone
from nautobot.core.celery import app
from nautobot.extras.models import JobResult

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.orders.steps import HOLDS, TOUCHES
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.call_worker import call_forgotten_orders
from fabric_twin.operations.orders.fabric import advance as worker
from fabric_twin.operations.orders.fabric import read_port
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.prepare_port import prepare_ports
from fabric_twin.operations.orders.lifecycle import withdraw_order
from fabric_twin.operations.orders.record import progress_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.run_jobs import at_once

ROOT = "/api/plugins/fabric-twin/work-orders"


class NoWaitingTest(OrderOnFabricCase):
    """The cube of slot 3 is taken away; its cables leave the switches."""

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.admin)
        self.order = self.begun(Kind.DECOMMISSION, slots=(3,))
        self.addCleanup(self.release)

    def release(self) -> None:
        """Leave no port of the fabric dark: the next test has the same."""
        advance(withdraw_order(self.order, self.admin, "the test is over"))

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        address = f"{ROOT}/{self.order.pk}/{path}"
        answer = self.client.post(address, body or {}, content_type="application/json")
        self.assertEqual(answer.status_code, status, answer.content)
        return answer.json()

    def until(self, wanted: frozenset[Any]) -> OrderStep:
        """Hands go on until one of these steps is next."""
        while True:
            step = progress_of(self.order).next()
            assert step is not None
            if step.do in wanted and (step.guarded or step.do in HOLDS):
                return self.order.steps.get(number=step.number)
            if step.do in HOLDS:
                prepare_ports(self.order)
            else:
                row = self.order.steps.get(number=step.number)
                take_reports(self.order, self.admin, [self.report(row)])

    def test_a_port_is_blocked_by_a_worker_and_not_by_who_asks(self) -> None:
        block = self.until(HOLDS)
        with (
            mock.patch("fabric_twin.operations.dispatch.advance_soon") as advance_soon,
            mock.patch.object(read_port, "open_fabric", side_effect=AssertionError("it was asked")),
        ):
            told = [self.post("next/") for _phone in range(3)]
        advance_soon.assert_called_once_with(self.order.pk, expires=60)
        self.assertEqual(
            {(one["next"], one["why"], one["called"]) for one in told},
            {
                (block.number, "a worker is about to block its port", True),
            },
        )
        prepare_ports(self.order)
        after = self.post("next/")
        self.assertEqual((after["why"], after["called"]), ("", False))
        self.assertEqual(after["by_fabric"][str(block.number)], {"state": "done", "why": ""})

    def test_why_a_worker_could_not_block_a_port_is_told_to_who_asks(self) -> None:
        block = self.until(HOLDS)
        switch, port = block.facts["device"], block.facts["port"]
        pair = ("100A", port) if port.endswith("B") else (port, "100B")
        self.set_circuits({pair}, switch)
        prepare_ports(self.order)
        self.assertEqual(self.post("next/")["why"], f"{switch} port {port} is in a circuit")
        self.set_circuits(set(), switch)
        prepare_ports(self.order)
        self.assertEqual(self.post("next/")["why"], "")

    def test_a_switch_that_hangs_is_not_waited_for_and_its_port_stays_locked(self) -> None:
        step = self.until(TOUCHES)
        switch = step.facts["device"]
        with (
            socket.create_server(("127.0.0.1", 0)) as deaf,
            mock.patch.object(read_port, "AT_ONCE", 0.3),
        ):
            address = f"127.0.0.1:{deaf.getsockname()[1]}"
            self.pod.switches.filter(device__name=switch).update(address=address)
            said = self.post(f"steps/{step.number}/done/", {"id": "x"}, 409)
            told = self.post("next/")
            self.pod.switches.filter(device__name=switch).update(address=self.said["gnmi"])
        self.assertRegex(told["why"], "^it did not answer within 0.3 s")
        self.assertRegex(said["why"], "could not be read: it did not answer within 0.3 s")
        step.refresh_from_db()
        self.assertEqual(step.state, "locked")

    def test_light_is_asked_by_a_job_that_the_answer_names(self) -> None:
        answer = self.post("check/", {"bundles": ["no such"]}, 400)
        self.assertEqual(answer["what"], "the order has no bundle 'no such'")
        self.assertFalse(JobResult.objects.filter(name="Check bundle").exists())
        at_once(self)
        asked = self.post("check/", status=202)["job_result"]
        done = JobResult.objects.get(pk=asked["id"])
        nothing = "Nothing is ready to be looked at."
        self.assertEqual((done.user, done.result), (self.admin, nothing))
        self.assertTrue(asked["url"].endswith(f"/api/extras/job-results/{asked['id']}/"))

    def test_no_record_is_wrong_and_no_worker_is_called(self) -> None:
        refused = self.post("records/", status=409)
        self.assertEqual(refused["what"], "no record is to be corrected")
        self.assertFalse(WorkOrder.objects.get(pk=self.order.pk).events.filter(what="record"))

    def test_a_step_taken_back_opens_an_order_again_also_where_its_worker_was_lost(self) -> None:
        plug = self.order.steps.filter(do="unplug").first()
        for name, go_on in (
            ("worker", lambda: advance(self.order)),
            ("audit", lambda: run_audit(self.pod, how=How(look=observe_scope))),
        ):
            with self.subTest(name), transaction.atomic():
                update_state(self.order.steps.exclude(do="check"), "done")
                update_state(WorkOrder.objects.filter(pk=self.order.pk), "awaiting light")
                with mock.patch("fabric_twin.operations.dispatch.advance_soon") as advance_soon:
                    said = self.report(plug, Told.UNDONE, id=name)
                    take_reports(self.order, self.admin, [said])
                advance_soon.assert_called_once_with(self.order.pk)
                go_on()
                self.order.refresh_from_db()
                self.assertEqual(
                    (self.order.state, self.order.message),
                    ("reopened", f"again: step {plug.number}"),
                )

    def test_what_a_crew_waits_for_is_asked_of_a_worker_again_where_its_call_was_lost(self) -> None:
        update_state(self.order.steps.exclude(do="check"), "cannot")
        update_state(self.order.steps.filter(do="check"), "cannot")
        with mock.patch("fabric_twin.operations.dispatch.advance_soon") as advance_soon:
            told = self.post("next/")
        advance_soon.assert_called_once_with(self.order.pk, expires=60)
        self.assertEqual((told["next"], told["called"]), (0, True))
        advance(self.order)
        told = self.post("next/")
        self.assertEqual((told["state"], told["called"]), ("awaiting light", False))

    def test_a_worker_that_died_or_was_never_called_is_called_again_by_the_watch(self) -> None:
        advance(self.order)
        self.order.refresh_from_db()
        self.assertIsNone(self.order.advance_asked, "it has been done")
        sent: list[Any] = []
        keep = mock.patch.object(app, "send_task", lambda *given, **_: sent.append(given[1]))
        with keep, self.captureOnCommitCallbacks(execute=True):
            with transaction.atomic():
                dispatch.advance_soon(self.order.pk)
            self.assertEqual(call_forgotten_orders(), 0, "it was called a moment ago")
            long_ago = timezone.now() - timedelta(minutes=2)
            WorkOrder.objects.update(advance_asked=long_ago)
            self.assertEqual((call_forgotten_orders(), call_forgotten_orders()), (1, 0))
        self.assertEqual(sent, [(str(self.order.pk),)] * 2)
        self.order.refresh_from_db()
        self.assertEqual(self.order.advance_asked, long_ago, "since when it waits is kept")
        advance(self.order)
        self.order.refresh_from_db()
        self.assertIsNone(self.order.advance_asked)

    def test_who_calls_while_a_worker_is_at_it_is_not_forgotten(self) -> None:
        with mock.patch.object(
            worker, "_advance", lambda order: (dispatch.advance_soon(order.pk) or "done", True)
        ):
            advance(self.order)
        self.order.refresh_from_db()
        self.assertIsNotNone(self.order.advance_asked)

    def test_a_secret_that_cannot_be_read_loses_no_report_and_is_said(self) -> None:
        step = self.until(TOUCHES)
        unreadable = {"FABRIC_TWIN_GNMI_CA": "/no/such"}
        with mock.patch.dict("os.environ", unreadable):
            [said] = self.post("reports/", {"reports": [{"id": "x", "step": 1, "told": "done"}]})[
                "answers"
            ]
            with transaction.atomic():
                late = self.post(f"steps/{step.number}/done/", {"id": "z", "at": 1.0})
                transaction.set_rollback(True)
            now = self.post(f"steps/{step.number}/done/", {"id": "y"}, 409)
        self.assertTrue(said["taken"])
        self.assertIn("the file /no/such cannot be read", now["why"])
        self.assertTrue(late["taken"])

    def test_what_hinders_a_worker_is_told_to_who_waits(self) -> None:
        self.until(HOLDS)
        with mock.patch.dict("os.environ", {"FABRIC_TWIN_GNMI_CA": "/no/such"}):
            advance(self.order)
        self.assertIn("the file /no/such cannot be read", self.post("next/")["why"])
        self.order.refresh_from_db()
        self.assertIsNotNone(self.order.advance_asked, "it is tried again, and people are told")

    def test_of_two_workers_one_does_an_order_and_goes_round_for_the_other(self) -> None:
        rounds: list[str] = []

        def go_round(order: WorkOrder) -> tuple[str, bool]:
            rounds.append("round")
            if len(rounds) == 1:
                with ThreadPoolExecutor(1) as other:
                    self.assertEqual(other.submit(come_too).result(), "another worker does it")
            return f"{order}: round {len(rounds)}", True

        def come_too() -> str:
            try:
                return advance(self.order)
            finally:
                connection.close()

        with mock.patch.object(worker, "_advance", go_round):
            self.assertEqual(advance(self.order), f"{self.order}: round 2")
