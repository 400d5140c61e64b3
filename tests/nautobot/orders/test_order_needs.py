"""What an order needs besides manual work: tickets it asks for, ports that come back, records."""

from functools import partial

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Module
from nautobot.extras.models import JobResult, ObjectChange
from nautobot.users.models import ObjectPermission

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import (
    Finding,
    OpticalCircuit,
    Pod,
    Slice,
    Stock,
    Substitution,
    Ticket,
    WorkOrder,
)
from fabric_twin.operations.orders.actions import ORDER_DEEDS
from fabric_twin.operations.orders.cable_ends import Plugging
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.fabric.read_next import read_next
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    reopen_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.correct_records import correct_records
from fabric_twin.operations.orders.request_tickets import ask_for_tickets, ask_what_follows, unmet
from fabric_twin.operations.orders.return_to_service import after_order, bring_back, still_out
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.running.carry_out import How as Run
from fabric_twin.operations.tickets.running.carry_out import carry_out_ticket
from fabric_twin.presenters.order_needs import needs_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import release_all
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.orders.order_needs import PORT, SWITCH, NeedsCase
from tests.nautobot.bases.pods.small_pod import make_location
from tests.nautobot.bases.run_jobs import at_once
from tests.nautobot.bases.tickets.ticket_runs import CALM

ROOT = "/api/plugins/fabric-twin/work-orders"


class DrainTest(NeedsCase):
    def test_a_slice_is_moved_away_and_its_port_comes_back_when_the_order_has_ended(self) -> None:
        self.done(self.wish(shape="4x4x4", name="train"))
        slot = Slice.objects.get().parts.get().cube.slot
        order, finding, tray = self.dirty_order(slot)
        port = f"{slot}A"
        self.assertIn("a circuit of a slice is on", self.go_on(order).why)
        [drain] = ask_for_tickets(order, self.admin)
        self.assertIn(f"until ticket {drain} is done", unmet(order, f"drain {finding.key}"))
        with self.assertRaises(NotPossible):
            ask_for_tickets(order, self.admin)
        self.carried_out(drain)
        self.assertNotEqual(Slice.objects.get().parts.get().cube.slot, slot)
        self.assertIn((SWITCH, port), still_out(order))
        self.assertEqual(bring_back(self.pod.pk), [], "hands are still to come")

        check = self.go_on(order)
        self.assertEqual(order.steps.get(number=check.step).do, Do.CHECK)
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        with self.captureOnCommitCallbacks() as calls:
            [checked] = check_bundles(order, self.admin)
        self.assertEqual((checked.why, checked.agrees), ("", True))
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        ends = [c for c in calls if isinstance(c, partial) and c.func is after_order]
        self.assertEqual([call.args for call in ends], [(order.pk,)])
        after_order(order.pk)
        back = order.tickets.get(kind="return")
        self.assertEqual((back.state, back.author), ("submitted", order.author))
        self.assertEqual(bring_back(self.pod.pk), [], "it is asked for once")
        with transaction.atomic():
            life.withdraw(back, self.admin, "another day")
            self.assertEqual(bring_back(self.pod.pk), [], "nor again once it is withdrawn")
            transaction.set_rollback(True)
        back.refresh_from_db()
        self.assertIn("out of service", [row.state for row in needs_of(order, self.admin)])
        self.carried_out(back)
        self.assertEqual(still_out(order), [])
        self.assertEqual(PodRecord(self.pod).unhealthy_ports, frozenset())
        self.assertAgree(48)

    def test_a_slice_that_stood_still_gets_its_light_back(self) -> None:
        for name in ("one", "two", "three"):
            self.done(self.wish(shape="4x4x4", name=name))
        order, _, tray = self.dirty_order(1)
        [drain] = ask_for_tickets(order, self.admin, interrupt=True)
        self.carried_out(drain)
        self.assertEqual(len(self.shown()), 3 * 48 - 1)
        self.go_on(order)
        self.work([{"do": "clean", "device": tray, "port": PORT}])
        withdraw_order(order, self.admin, "somebody else does it")
        after_order(order.pk)
        self.carried_out(order.tickets.get(kind="return"))
        self.assertAgree(3 * 48)

    def test_a_drain_that_nobody_needs_any_more_is_withdrawn_with_its_order(self) -> None:
        self.done(self.wish(shape="4x4x4", name="train"))
        slot = Slice.objects.get().parts.get().cube.slot
        order, _, _ = self.dirty_order(slot)
        [drain] = ask_for_tickets(order, self.admin)
        life.submit(drain, self.admin)
        withdraw_order(order, self.admin, "not today")
        after_order(order.pk)
        drain.refresh_from_db()
        self.assertEqual(
            (drain.state, drain.message), ("withdrawn", f"work order {order} is withdrawn")
        )
        self.assertFalse(order.tickets.filter(kind="return").exists())
        self.assertEqual(PodRecord(self.pod).unhealthy_ports, frozenset())


class CircuitsTest(NeedsCase):
    def test_circuits_that_are_missing_are_a_ticket_and_the_order_closes_with_it(self) -> None:
        self.done(self.wish(shape="4x4x4", name="train"))
        slot = Slice.objects.get().parts.get().cube.slot
        self.set_circuits(set(), SWITCH)
        self.audit()
        finding = Finding.objects.get(code="circuit-missing")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertIn("is wanted and not there", unmet(order, f"circuits {finding.key}"))
        self.assertIn("ask", [deed.name for deed in ORDER_DEEDS.possible(order, self.admin)])
        self.audit()
        order.refresh_from_db()
        self.assertEqual(order.state, "awaiting light")
        drift = self.press(order, "ask").tickets.get()
        self.assertEqual(drift.kind, "drift")
        self.carried_out(drift)
        self.assertIn((SWITCH, slot, slot), self.shown())
        self.audit()
        order.refresh_from_db()
        self.assertEqual((order.state, unmet(order, f"circuits {finding.key}")), ("done", ""))


class RecordsTest(NeedsCase):
    def test_a_serial_is_corrected_by_whoever_may_and_the_order_closes(self) -> None:
        module = Module.objects.get(
            parent_module_bay__parent_device__name="iw-c001-t08", parent_module_bay__name=PORT
        )
        Module.objects.filter(pk=module.pk).update(serial="OLD-1")
        self.audit()
        finding = Finding.objects.get(code="wrong-serial")
        [step] = finding.remedy
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertEqual(order.steps.count(), 0)
        clerk = get_user_model().objects.create(username="clerk")
        permission = ObjectPermission.objects.create(name="orders", actions=["view", "change"])
        permission.users.add(clerk)
        permission.object_types.add(ContentType.objects.get_for_model(WorkOrder))
        with self.assertRaisesRegex(NotPermitted, "clerk may not change modules"):
            correct_records(order, clerk)
        module.refresh_from_db()
        self.assertEqual(module.serial, "OLD-1")

        self.client.force_login(self.admin)
        at_once(self)
        asked = self.client.post(f"{ROOT}/{order.pk}/records/", content_type="application/json")
        self.assertEqual(asked.status_code, 202)
        self.assertEqual(
            JobResult.objects.get(pk=asked.json()["job_result"]["id"]).result,
            f"iw-c001-t08 {PORT}: serial OLD-1 -> {step['to']}",
        )
        module.refresh_from_db()
        self.assertEqual(module.serial, step["to"])
        finding.refresh_from_db()
        order.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        self.assertEqual(order.events.filter(what="record").count(), 1)
        changes = ObjectChange.objects.filter(changed_object_id=module.pk)
        self.assertEqual(
            [(change.user, change.change_context_detail) for change in changes],
            [(self.admin, str(order))],
        )

    def test_cables_that_are_recorded_in_each_others_ports_are_corrected_by_light(self) -> None:
        self.set_circuits({("1A", "2B"), ("2A", "1B")}, SWITCH)
        other = make_order(self.pod, OrderWish(kind=Kind.DECOMMISSION, slots=(3,)), self.admin)
        names = [f"iw-c00{slot}:4.3.2/X+" for slot in (1, 2)]
        wrong = {(names[0], "b"): (SWITCH, "2A"), (names[1], "b"): (SWITCH, "1A")}
        Plugging(other).write(dict.fromkeys(wrong), set())
        Plugging(other).write(wrong, set())
        withdraw_order(other, self.admin, "it was for the test")
        self.audit()
        finding = Finding.objects.get(code="record-wrong")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertIn("correct", [deed.name for deed in ORDER_DEEDS.possible(order, self.admin)])
        at_once(self)
        self.press(order, "correct")
        self.assertEqual(order.events.filter(what="record").count(), 2)
        for slot, name in enumerate(names, 1):
            cable = Cable.objects.get(label=name)
            ends = {str(end.interface.name) for end in cable.terminations.all()}
            self.assertEqual((cable.status.name, ends), ("Connected", {PORT, f"{slot}A"}))
        finding.refresh_from_db()
        self.assertEqual(finding.state, "mended")

    def test_what_light_says_no_more_is_not_written(self) -> None:
        module = Module.objects.get(
            parent_module_bay__parent_device__name="iw-c001-t08", parent_module_bay__name=PORT
        )
        right = module.serial
        Module.objects.filter(pk=module.pk).update(serial="OLD-1")
        self.audit()
        order = self.begun(Kind.REPAIR, findings=tuple(Finding.objects.all()))
        Module.objects.filter(pk=module.pk).update(serial=right)
        self.assertEqual(correct_records(order, self.admin), [])


class SpareTest(TestCase):
    """A pod with spares, whose mirror for a port has failed; no other mirror is on the shelf."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("v5", "tpu-v5p", make_location("Hall"), slots=(1, 2))
        cls.pod = Pod.objects.get(name="v5")
        cls.admin = get_user_model().objects.create_superuser("admin of spares")
        cls.root = get_user_model().objects.create_superuser("root of spares")
        Stock.objects.create(part="fan", location=cls.pod.location, on_hand=1)

    def test_a_cable_goes_to_a_spare_and_the_check_waits_for_the_substitution(self) -> None:
        switch = "v5-ocs-x-1-1"
        finding = write_finding(
            self.pod,
            "port-failed",
            [{"do": "replace", "device": switch, "port": "1A", "part": "mirror"}],
            device=switch,
            port="1A",
            evidence={"spare": "141A"},
        )
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin)
        assign_order(order, self.admin, assignee=self.admin)
        order = start_order(order, self.admin)
        update_state(order.steps.exclude(do=Do.CHECK), "done")
        need = f"substitute {finding.key}"
        self.assertEqual(
            read_next(order, self.admin).ahead.why,
            f"141A does not stand in for {switch} port 1A yet",
        )
        self.assertEqual(check_bundles(order, self.admin), [])
        [ticket] = ask_for_tickets(order, self.admin)
        self.assertEqual(
            (ticket.kind, ticket.title), ("spare", f"{switch}: spare 141A in place of port 1A")
        )
        self.assertIn(f"until ticket {ticket} is done", read_next(order, self.admin).ahead.why)
        ticket = life.start(life.approve(life.submit(ticket, self.admin), self.root), self.root)
        ended = carry_out_ticket(ticket, Run(calm=CALM))
        self.assertEqual((ended.state, ended.message), ("done", ""))
        self.assertEqual(str(Substitution.objects.get().spare.interface.name), "141A")
        self.assertEqual((unmet(order, need), read_next(order, self.admin).ahead.why), ("", ""))
        self.assertRaises(NotPossible, ask_for_tickets, order, self.admin)
        self.assertRaises(NotPossible, reopen_order, order, self.admin, "again")

    def test_a_spare_is_asked_for_by_itself_once_its_port_is_drained(self) -> None:
        switch = "v5-ocs-x-1-1"
        finding = write_finding(
            self.pod,
            "port-failed",
            [{"do": "replace", "device": switch, "port": "1A", "part": "mirror"}],
            device=switch,
            port="1A",
            evidence={"spare": "141A"},
        )
        stray = OpticalCircuit.objects.create(
            switch=self.pod.switches.get(device__name=switch), a=1, b=2, wanted=False, seen=True
        )
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin)
        [drain] = ask_for_tickets(order, self.admin)
        self.assertEqual((drain.kind, ask_what_follows(order)), ("maintenance", []))
        release_all(drain)
        stray.delete()
        update_state(Ticket.objects.filter(pk=drain.pk), "done")
        self.assertEqual(advance(order), f"{order} is drafted")
        spare = order.tickets.get(kind="spare")
        self.assertEqual((spare.state, spare.author), ("submitted", order.author))
        self.assertEqual(ask_what_follows(order), [], "it is asked for once")
        life.withdraw(spare, self.admin, "another mirror is on its way")
        self.assertEqual(advance(order), f"{order} is drafted")
        self.assertEqual(order.tickets.filter(kind="spare").count(), 1, "nor asked for again")
        [second] = ask_for_tickets(order, self.admin)
        self.assertEqual((second.kind, second.state), ("spare", "draft"), "a person may")
