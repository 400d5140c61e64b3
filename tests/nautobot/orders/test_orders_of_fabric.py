"""A cube is installed and a fault mended, step by step, on a simulated fabric with a technician."""

from dataclasses import replace
from typing import Any
from unittest import mock

from django.db.models import Q
from nautobot.dcim.models import Cable

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.orders.steps import Do, Step
from fabric_twin.models import Cube, Finding, OrderStep, Reservation, WorkOrder
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.bundles import ready
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.fabric.light_test import Looking
from fabric_twin.operations.orders.history import WRONG
from fabric_twin.operations.orders.lifecycle import (
    reopen_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.record import progress_of
from fabric_twin.operations.orders.reports.offline_steps import ahead
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.presenters.work_order import steps_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.keep_dark import keep_dark, see_ports
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

#: Manual steps.
OPEN = ("waiting", "failed by light")


class InstallingTest(OrderOnFabricCase):
    slots, planted = (1, 2), (1, 2, 3)

    def test_a_mistake_is_found_when_its_bundle_is_checked_and_mended_in_the_same_visit(
        self,
    ) -> None:
        order = self.begun(Kind.INSTALL, slots=(3,))
        # The cube of slot 3 stands and is cabled in the fabric, but for two plugs exchanged.
        bundle = order.facts["bundles"][0]
        one, other = bundle["cables"][:2]
        ends = {laid["cable"]: laid["b"] for laid in order.facts["cables"]}
        self.work(
            [
                {"do": "unplug", "cable": one, "end": "b"},
                {"do": "move", "cable": other, "end": "b", "to": ends[one]},
                {"do": "move", "cable": one, "end": "b", "to": ends[other]},
            ]
        )
        checked: list[Any] = []
        while self.go_on(order).step:
            checked += (said := check_bundles(order, self.admin, settle=0))
            self.assertEqual(len(said), 1)
            if said[0].wrong:
                self.work(
                    [
                        {"do": "unplug", "cable": one, "end": "b"},
                        {"do": "move", "cable": other, "end": "b", "to": ends[other]},
                        {"do": "move", "cable": one, "end": "b", "to": ends[one]},
                    ]
                )
        bad = [one for one in checked if not one.agrees]
        self.assertEqual(
            [(said.bundle, set(said.wrong)) for said in bad], [(bundle["name"], {one, other})]
        )
        order.refresh_from_db()
        self.assertEqual(order.state, "awaiting light")
        cube = Cube.objects.get(pod=self.pod, slot=3)
        self.assertEqual(cube.status.name, "Active")
        cables = Cable.objects.filter(label__startswith="iw-c003:", status__name="Connected")
        self.assertEqual(cables.count(), 96)
        run = run_audit(self.pod, how=How(look=observe_scope))
        self.assertEqual((run.found, run.by_code), (0, {}))
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        self.assertFalse(Reservation.objects.filter(order=order).exists())


class RepairingTest(OrderOnFabricCase):
    def test_a_connector_is_cleaned_once_its_circuit_is_gone_and_its_port_dark(self) -> None:
        switch, tray, port = "iw-ocs-x-3-2", "iw-c001-t08", "4.3.2/X+"
        self.set_circuits({("1A", "2B")}, switch)
        self.break_it("dirty", device=tray, port=port)
        run_audit(self.pod, how=How(look=observe_scope))
        finding = Finding.objects.get(places__device_name=tray, places__port_name=port)
        order = self.begun(Kind.REPAIR, findings=(finding,))
        finding.refresh_from_db()
        self.assertEqual((finding.state, finding.worked_on), ("working", "iw-w1"))
        locked = self.go_on(order)
        self.assertIn(f"a circuit is on {switch} (1A to 2B)", locked.why)
        step = order.steps.get(number=locked.step)
        [said] = take_reports(order, self.admin, [self.report(step)])
        self.assertFalse(said.taken)

        self.set_circuits(set(), switch)
        run_audit(self.pod, how=How(look=observe_scope))
        self.work([{"do": "clean", "device": tray, "port": port}])
        check = self.go_on(order)
        self.assertEqual(order.steps.get(number=check.step).do, Do.CHECK)
        told = next(one for one in ahead(order)["steps"] if one["number"] == check.step)
        self.assertEqual(
            (told["words"], told["fabric"]),
            (f"light is tested: high-reflection at {tray} port {port}", True),
        )
        [checked] = check_bundles(order, self.admin)
        self.assertEqual((checked.why, checked.agrees), ("", True))
        finding.refresh_from_db()
        order.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        self.assertGreater(order.worked, 0)

    def test_a_port_is_dark_while_hands_are_there_and_not_before_its_circuit_is_gone(self) -> None:
        order = self.begun(Kind.DECOMMISSION, slots=(3,))
        switch = "iw-ocs-x-3-2"
        first = order.steps.filter(guarded_at(switch)).order_by("number").first()
        access = Access.from_environment()
        with open_fabric(shared_targets(self.said["gnmi"], [switch]), (), access) as fabric:
            seen = see_ports(fabric, [switch])
            self.assertFalse(seen.ports[switch, first.facts["port"]].blocked)
            ports = [(switch, first.facts["port"])]
            self.assertTrue(keep_dark(fabric, block=ports).ports[ports[0]].blocked)
            self.assertFalse(keep_dark(fabric, release=ports).ports[ports[0]].blocked)

    def test_an_order_that_is_withdrawn_leaves_no_port_dark(self) -> None:
        order = self.begun(Kind.DECOMMISSION, slots=(3,))
        while not (blocked := order.steps.filter(do=Do.BLOCK, state="done").first()):
            ahead = self.ahead(order)
            if not order.steps.filter(do=Do.BLOCK, state="done").exists():
                take_reports(order, self.admin, [self.report(order.steps.get(number=ahead.step))])
        switch, port = blocked.facts["device"], blocked.facts["port"]
        access = Access.from_environment()
        with open_fabric(shared_targets(self.said["gnmi"], [switch]), (), access) as fabric:
            self.assertTrue(see_ports(fabric, [switch]).ports[switch, port].blocked)
            gone = withdraw_order(order, self.admin, "Not this year")
            self.assertRegex(advance(gone), r"^[1-9]\d* ports? released$")
            self.assertFalse(see_ports(fabric, [switch]).ports[switch, port].blocked)


class LeavingTest(OrderOnFabricCase):
    """Modules that are not of the design show themselves without any light."""

    trays = ("iw-c001-t02", "iw-c002-t02")

    def two_findings(self) -> WorkOrder:
        for tray in self.trays:
            self.break_it("wrong-transceiver", device=tray, port="4.1.1/X+")
        self.audit()
        findings = Finding.objects.filter(pod=self.pod).order_by("key")
        self.assertEqual({finding.code for finding in findings}, {"wrong-part"})
        return self.begun(Kind.REPAIR, findings=tuple(findings))

    def audit(self) -> None:
        run_audit(self.pod, how=How(look=observe_scope))

    def states(self) -> dict[str, tuple[str, str]]:
        rows = Finding.objects.filter(pod=self.pod, places__device_name__in=self.trays)
        return {
            row.places.first().device_name: (row.state, row.worked_on) for row in rows.distinct()
        }

    def replace_in(self, tray: str) -> None:
        self.work([{"do": "replace", "device": tray, "port": "4.1.1/X+", "part": "module"}])

    def cannot(self, order: WorkOrder, tray: str, why: str) -> OrderStep:
        step = order.steps.get(do=Do.REPLACE, facts__device=tray)
        [said] = take_reports(
            order, self.admin, [self.report(step, Told.CANNOT, reason=why, at=1.0)]
        )
        self.assertTrue(said.taken, said.why)
        return step

    def test_an_order_is_done_but_for_what_cannot_be_done_and_tries_it_again(self) -> None:
        order = self.two_findings()
        one, other = self.trays
        left = self.cannot(order, other, "The cage is bent")
        self.replace_in(one)
        self.through(order)
        self.audit()
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        words = f"done, but for step {left.number} ({Step.from_json(left.facts)}): The cage is bent"
        self.assertEqual(order.message.partition("; ")[2], words)
        self.assertEqual(self.states(), {one: ("mended", "iw-w1"), other: ("open", "")})
        self.assertFalse(Reservation.objects.filter(order=order).exists())

        # The part has come.
        reopen_order(order, self.admin, "The cage is straight")
        self.assertEqual(self.states()[other], ("working", "iw-w1"))
        order = start_order(order, self.admin)
        self.replace_in(other)
        self.through(order)
        self.audit()
        order.refresh_from_db()
        self.assertEqual((order.state, "but" in order.message), ("done", False))
        self.assertEqual({state for state, _ in self.states().values()}, {"mended"})

    def test_what_was_mended_wrongly_comes_back_as_a_step_of_the_same_order(self) -> None:
        order = self.two_findings()
        one, other = self.trays
        self.replace_in(one)
        self.assertIn(f"{other} 4.1.1/X+ hears nobody", self.through(order))
        order.refresh_from_db()
        self.assertEqual(order.state, "under way")
        again = OrderStep.objects.get(pk=self.ahead_of(order).pk)
        self.assertEqual((again.facts["device"], again.do), (other, Do.REPLACE))
        self.replace_in(other)
        self.through(order)
        self.audit()
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def through(self, order: WorkOrder) -> str:
        """Until nothing is left, or light does not agree: what was said last."""
        for _ in self.trays:
            self.go_on(order)
            if "light test passed" not in (said := advance(order)):
                break
        return said

    def ahead_of(self, order: WorkOrder) -> OrderStep:
        """The first step that asks for hands."""
        return order.steps.filter(state__in=OPEN).exclude(do=Do.CHECK).order_by("number").first()


class LookingEarlyTest(OrderOnFabricCase):
    slots, planted = (1, 2), (1, 2, 3)

    def test_an_audit_that_looked_before_a_step_was_done_says_nothing_of_it(self) -> None:
        fan = self.break_it("fan-lost", device="iw-ocs-x-3-2", unit=3)
        run_audit(self.pod, how=How(look=observe_scope))
        order = self.begun(Kind.REPAIR, findings=(Finding.objects.get(pod=self.pod),))

        def before_hands_came(record: PodRecord, scope: Scope) -> Any:
            seen = observe_scope(record, scope)
            self.control("/mend", number=fan)
            self.go_on(order)
            return seen

        run = run_audit(self.pod, how=How(look=before_hands_came))
        self.assertEqual((run.by_code, self.standing(order)), ({"fan-lost": 1}, ("done", [])))
        run_audit(self.pod, how=How(look=observe_scope))
        order.refresh_from_db()
        self.assertEqual((order.state, self.standing(order)), ("done", ("verified", [])))

    def test_a_fan_that_was_not_replaced_comes_again_with_what_the_switch_says(self) -> None:
        self.break_it("fan-lost", device="iw-ocs-x-3-2", unit=3)
        run_audit(self.pod, how=How(look=observe_scope))
        finding = Finding.objects.get(pod=self.pod)
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.go_on(order)
        run_audit(self.pod, how=How(look=observe_scope))
        step, check = ahead(order)["steps"]
        self.assertEqual((step["do"], step["state"]), ("replace", "failed by light"))
        self.assertEqual(
            step["still_wrong"],
            {
                "seen": finding.cause,
                "try": f"Check that the new {step['part']} is the right type and sits all the way "
                "in. If it does, fit another one. If that does not help, say so under Cannot be "
                "done.",
            },
        )
        self.assertEqual(
            check["words"], "the fabric asks iw-ocs-x-3-2 whether it is mended: fan-lost"
        )
        # So does the order's page: light has nothing to do with a fan.
        again, asked = (row for row in steps_of(order).rows if row[3].split()[0] != "go")
        self.assertEqual(again[4], "failed: iw-ocs-x-3-2 still reports it")
        self.assertEqual((asked[3], asked[5]), (check["words"], finding.cause))

    def test_a_look_that_began_before_a_step_was_done_is_taken_again(self) -> None:
        order = self.begun(Kind.INSTALL, slots=(3,))
        self.go_on(order)
        [name] = ready(progress_of(order))
        step = order.steps.filter(bundle=name, do=Do.PLUG).order_by("number").last()
        looked = []

        def hands_go_on(looking: Looking) -> Any:
            looked.append(verdict := look(looking))
            if len(looked) == 1:
                self.messages += 1
                said = [self.report(step, told) for told in (Told.UNDONE, Told.DONE)]
                said = [replace(one, id=f"{one.id} {one.told}") for one in said]
                answers = take_reports(order, self.admin, said)
                self.assertEqual({answer.why for answer in answers}, {""})
            return verdict

        look = Looking.verdict
        with mock.patch.object(Looking, "verdict", hands_go_on):
            [said] = check_bundles(order, self.admin, settle=0)
        self.assertEqual((len(looked), said.bundle, said.agrees), (2, name, True))

    def standing(self, order: WorkOrder) -> tuple[str, list[str]]:
        """Where what hands did stands, and what light refused."""
        step = order.steps.get(do=Do.REPLACE)
        return step.state, list(order.events.filter(what=WRONG).values_list("said", flat=True))


def guarded_at(switch: str) -> Q:
    """Steps at the ports of a switch."""
    return Q(facts__device=switch, facts__guarded=True)
