"""Hands on live fibre: a port is read before each step, dark while hands are there, lit after."""

from unittest import mock

from test_orders_of_fabric import OrderOnFabricCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import TOUCHES, Do
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.repositories import order_fabric
from fabric_twin.repositories.audit_runs import How, run_audit
from fabric_twin.repositories.observing import observe_scope
from fabric_twin.repositories.order_advance import advance
from fabric_twin.repositories.order_fabric import still_dark
from fabric_twin.repositories.order_reports import take_reports
from fabric_twin.repositories.orders import pause_order, start_order, withdraw_order
from fabric_twin.services.keep_dark import keep_dark, see_ports
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets


class WorkerKilled(BaseException):
    """Nothing after this happens in the worker; no code of ours catches it."""


class HandsTest(OrderOnFabricCase):
    """The cube of slot 3 is taken away; its cables leave the switches."""

    def at_the_switch(self) -> tuple[WorkOrder, OrderStep]:
        """The crew stands at a switch, its first ports are blocked; and the step before it."""
        order = self.begun(Kind.DECOMMISSION, slots=(3,))
        while True:
            ahead = self.ahead(order)
            step = order.steps.get(number=ahead.step)
            if step.facts.get("guarded"):
                self.assertEqual(ahead.why, "")
                return order, step
            take_reports(order, self.admin, [self.report(step)])

    def fabric(self, switch: str) -> Fabric:
        targets = shared_targets(self.said["gnmi"], [switch])
        return open_fabric(targets, (), Access.from_environment())

    def is_dark(self, step: OrderStep) -> bool:
        switch, port = step.facts["device"], step.facts["port"]
        with self.fabric(switch) as fabric:
            return see_ports(fabric, [switch]).ports[switch, port].blocked

    def say_done(self, order: WorkOrder, step: OrderStep) -> str:
        self.messages += 1
        [answer] = take_reports(order, self.admin, [self.report(step)])
        return answer.why

    def test_a_port_that_somebody_lights_meanwhile_is_locked_until_it_is_dark_again(self) -> None:
        order, step = self.at_the_switch()
        switch, port = step.facts["device"], step.facts["port"]
        self.assertIn(step.do, TOUCHES)
        self.assertTrue(self.is_dark(step))
        other = ("100B", "100A")[port.endswith("B")]
        pair = (port, other) if port.endswith("A") else (other, port)
        with self.fabric(switch) as fabric:
            [made] = fabric.apply({switch: Change(add=frozenset({pair}))}).all().values()
        self.assertEqual([one.why for one in made.bad], [f"{port} is blocked"])
        self.assertEqual(self.ahead(order).why, f"{switch} port {port} is in a circuit")
        self.assertIn("Read the port again", self.say_done(order, step))
        self.set_circuits(set(), switch)
        with self.fabric(switch) as fabric:
            keep_dark(fabric, release=[(switch, port)])
        self.assertEqual(self.ahead(order).why, f"{switch} port {port} is not blocked")
        self.assertIn("Read the port again", self.say_done(order, step))
        with self.fabric(switch) as fabric:
            keep_dark(fabric, block=[(switch, port)])
        self.assertEqual(self.ahead(order).why, "")
        self.assertEqual(self.say_done(order, step), "")

    def test_a_port_stays_dark_while_the_order_is_paused_and_is_lit_when_hands_have_gone(
        self,
    ) -> None:
        order, step = self.at_the_switch()
        pause_order(order, self.admin, "lunch")
        self.assertEqual(advance(order), f"{order} is paused")
        self.assertTrue(self.is_dark(step), "hands may be there still")
        self.assertEqual(self.ahead(order).why, "the order is paused")
        start_order(order, self.admin)
        device, port = step.facts["device"], step.facts["port"]
        release = order.steps.get(do=Do.RELEASE, facts__device=device, facts__port=port)
        while order.steps.get(pk=release.pk).state != "done":
            ahead = self.ahead(order)
            self.assertEqual(ahead.why, "")
            if order.steps.get(pk=release.pk).state != "done":
                self.assertEqual(self.say_done(order, order.steps.get(number=ahead.step)), "")
        self.assertFalse(self.is_dark(step))

    def test_a_worker_that_was_killed_after_it_blocked_leaves_no_port_dark(self) -> None:
        for withdrawn in (False, True):
            with self.subTest(withdrawn=withdrawn):
                order = self.begun(Kind.DECOMMISSION, slots=(3,))
                killed = mock.patch.object(
                    order_fabric._Reading,
                    "_keep",
                    side_effect=WorkerKilled,
                )
                with killed, self.assertRaises(WorkerKilled):
                    while True:
                        step = order.steps.get(number=self.ahead(order).step)
                        take_reports(order, self.admin, [self.report(step)])
                block = order.steps.filter(do=Do.BLOCK).order_by("number").first()
                self.assertEqual((block.state, self.is_dark(block)), ("waiting", True))
                if not withdrawn:
                    self.assertEqual(self.ahead(order).why, "")
                    self.assertEqual(order.steps.get(pk=block.pk).state, "done")
                gone = withdraw_order(order, self.admin, "another day")
                self.assertRegex(advance(gone), r"^[1-9]\d* ports released$")
                self.assertFalse(self.is_dark(block))

    def test_an_audit_lets_go_of_ports_whose_worker_was_killed_when_its_order_was_withdrawn(
        self,
    ) -> None:
        order, step = self.at_the_switch()
        withdraw_order(order, self.admin, "another day")
        self.assertEqual(still_dark(self.pod.pk), [order])
        with self.captureOnCommitCallbacks() as calls:
            run_audit(self.pod, how=How(look=observe_scope))
        due = [call.keywords for call in calls if "order" in getattr(call, "keywords", {})]
        self.assertEqual(due, [{"order": order.pk}])
        self.assertTrue(self.is_dark(step))
        advance(order)
        self.assertFalse(self.is_dark(step))
        self.assertEqual(still_dark(self.pod.pk), [])
