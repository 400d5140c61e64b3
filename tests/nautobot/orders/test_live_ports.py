"""Work on live fibre: a port is read before each step, dark while it is worked on, lit after."""

from collections.abc import Collection
from time import time
from typing import Any
from unittest import mock

from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.orders.steps import TOUCHES, Do, End
from fabric_twin.models import OrderStep, Reservation, WorkOrder
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.fabric import prepare_port as order_fabric
from fabric_twin.operations.orders.fabric import read_port
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.release_ports import release_all, still_dark
from fabric_twin.operations.orders.lifecycle import act_on, start_order, withdraw_order
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.repositories.states import update_state
from fabric_twin.services.orders.keep_dark import Seen, keep_dark, see_ports
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase


def block_and_die(*wished: Any, **ports: Any) -> None:
    """Block the ports, and write down nothing of it."""
    keep_dark(*wished, **ports)
    raise WorkerKilled


class WorkerKilled(BaseException):
    """Nothing after this happens in the worker; no code of ours catches it."""


class LivePortsTest(OrderOnFabricCase):
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
        act_on(Act.PAUSE, order, self.admin, "lunch")
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
                killed = mock.patch.object(order_fabric, "keep_dark", block_and_die)
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
                self.assertRegex(advance(gone), r"^[1-9]\d* ports? released$")
                self.assertFalse(self.is_dark(block))

    def test_an_audit_releases_the_ports_of_a_withdrawn_order_whose_worker_was_killed(
        self,
    ) -> None:
        order, step = self.at_the_switch()
        withdraw_order(order, self.admin, "another day")
        self.assertEqual(still_dark(self.pod.pk), [order])
        with mock.patch("fabric_twin.operations.dispatch.advance_soon") as advance_soon:
            run_audit(self.pod, how=How(look=observe_scope))
        advance_soon.assert_called_once_with(order.pk)
        self.assertTrue(self.is_dark(step))
        advance(order)
        self.assertFalse(self.is_dark(step))
        self.assertEqual(still_dark(self.pod.pk), [])

    def test_a_port_that_its_switch_still_blocks_is_not_recorded_as_released(self) -> None:
        order, step = self.at_the_switch()
        withdraw_order(order, self.admin, "another day")

        def ignores_it(fabric: Fabric, *, release: Collection[End]) -> Seen:
            return see_ports(fabric, {switch for switch, _ in release})

        with mock.patch(f"{release_all.__module__}.keep_dark", ignores_it):
            self.assertIn("it is still blocked", advance(order))
        self.assertTrue(self.is_dark(step))
        self.assertEqual(still_dark(self.pod.pk), [order])

    def test_no_person_says_what_the_fabric_does_and_what_one_once_said_keeps_no_port_dark(
        self,
    ) -> None:
        order, step = self.at_the_switch()
        at = {"facts__device": step.facts["device"], "facts__port": step.facts["port"]}
        for do in (Do.BLOCK, Do.RELEASE):
            one = order.steps.get(do=do, **at)
            said = self.report(one, Told.CANNOT, reason="The switch is deaf")
            [answer] = take_reports(order, self.admin, [said])
            self.assertIn(
                f"an automatic step, which the fabric does and reports: {do} ", answer.why
            )
        self.assertEqual(order.steps.filter(state="cannot").count(), 0)

        # Earlier such reports were taken, and orders ended on them.
        for state, told in (("withdrawn", "cannot"), ("done", "done")):
            with self.subTest(state=state):
                mine = {"state": told, "done_by": self.admin}
                update_state(order.steps.filter(do=Do.RELEASE), **mine)
                update_state(WorkOrder.objects.filter(pk=order.pk), state)
                Reservation.objects.filter(order=order).delete()
                with self.fabric(step.facts["device"]) as fabric:
                    keep_dark(fabric, block=[(step.facts["device"], step.facts["port"])])
                self.assertEqual(still_dark(self.pod.pk), [order])
                self.assertRegex(advance(order), r"^[1-9]\d* ports? released$")
                self.assertFalse(self.is_dark(step))
                self.assertEqual(still_dark(self.pod.pk), [])

    def test_what_is_said_to_be_done_is_held_against_the_port_as_it_is_then(self) -> None:
        order, step = self.at_the_switch()
        switch, port = step.facts["device"], step.facts["port"]
        with self.fabric(switch) as fabric:
            keep_dark(fabric, release=[(switch, port)])
        self.assertEqual(
            self.say_done(order, step),
            f"step {step.number}: {switch} port {port} is not blocked. "
            "Do not touch it; ask what comes next, and report it when the port is dark.",
        )
        locked = order.steps.get(pk=step.pk)
        self.assertEqual((locked.state, port in locked.why), ("locked", True))
        with self.fabric(switch) as fabric:
            keep_dark(fabric, block=[(switch, port)])
        self.assertEqual(self.ahead(order).why, "")
        self.assertEqual(self.say_done(order, step), "")

    def test_what_hands_did_without_a_network_is_kept_and_said_and_a_port_is_read_once(
        self,
    ) -> None:
        order, step = self.at_the_switch()
        switch, port = step.facts["device"], step.facts["port"]
        here = order.steps.filter(facts__device=switch, facts__port=port, state="waiting")
        hands = [one for one in here.order_by("number") if one.do in TOUCHES]
        with self.fabric(switch) as fabric:
            keep_dark(fabric, release=[(switch, port)])
        reports = [self.report(one, at=time() - 600) for one in hands]
        with mock.patch.object(read_port, "see_ports", wraps=see_ports) as read:
            answers = take_reports(order, self.admin, reports)
        self.assertEqual([answer.why for answer in answers], [""] * len(hands))
        self.assertEqual(read.call_count, 1)
        said = order.events.filter(what="unguarded").values_list("said", flat=True)
        self.assertEqual(
            list(said.order_by("number")),
            [
                f"step {one.number}, reported late: {switch} port {port} is not blocked"
                for one in hands
            ],
        )
