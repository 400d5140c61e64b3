"""A switch dies under slices that run: they stay, hands mend it, and light has the last word."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from html import unescape
from typing import Any
from unittest import mock

from django.core.cache import cache
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Replace
from django.urls import reverse
from nautobot.dcim.models import Interface
from nautobot.extras.models import Status

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.errors import NoAnswer, NotPossible
from fabric_twin.core.orders.life import Act, OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.orders.steps import Do
from fabric_twin.core.proposals.maintenance import REPAIR_IT, SILENT
from fabric_twin.models import (
    AuditRun,
    Finding,
    OpticalCircuit,
    OrderStep,
    Switch,
    Ticket,
    WorkOrder,
)
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.finding_history import history_of
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How as HowAudit
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.orders import return_to_service
from fabric_twin.operations.orders.fabric import see_dead
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.read_port import Ahead
from fabric_twin.operations.orders.fabric.settle_after_audit import before_looking, settle_orders
from fabric_twin.operations.orders.lifecycle import act_on, start_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.orders.request_tickets import (
    ask_for_tickets,
    can_ask,
    impact_before_asking,
)
from fabric_twin.operations.orders.return_to_service import after_order, bring_back
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket, wish_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket, try_ticket
from fabric_twin.operations.tickets.running.try_again import try_again
from fabric_twin.panels.finding import tell_evidence
from fabric_twin.presenters.order_needs import SILENCE, needs_of
from fabric_twin.presenters.order_wish import looked_at
from fabric_twin.presenters.ticket import ticket_facts
from fabric_twin.repositories.bulk_delete import remove
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.ticketed import TicketedCase

SWITCH = "iw-ocs-x-1-1"
OTHER = "iw-ocs-x-1-2"
ON_IT = f"a circuit of a slice is on {SWITCH} (1A to 1B)"
WORDS = f"maintenance: {SILENT.format(SWITCH)}. {REPAIR_IT}."


class DeadSwitchTest(OrderOnFabricCase, TicketedCase):
    """A slice of two cubes and one of a cube: three circuits are on the switch."""

    slots = range(1, 5)

    def setUp(self) -> None:
        super().setUp()
        self.done("slice", {"shape": "4x4x8", "name": "job-a"})
        self.done("slice", {"shape": "4x4x4", "name": "job-b"})
        self.assertEqual(self.audited(), [])  # and light is remembered
        self.fault = 0

    @contextmanager
    def followed(self) -> Iterator[None]:
        """With what orders do once all is written."""
        with self.captureOnCommitCallbacks() as calls:
            yield
        ours = [call for call in calls if isinstance(call, partial)]
        for call in ours:
            if call.func in (after_order, bring_back):
                call()

    def audited(self) -> list[Finding]:
        with self.followed():
            return super().audited()

    def dies(self) -> Finding:
        """It dies, and one audit says so."""
        self.fault = self.break_it("switch-down", device=SWITCH)
        [finding] = self.audited()
        self.assertEqual(finding.code, "switch-down")
        return finding

    def answers(self, *, empty: bool = False) -> None:
        """It has power again, with its circuits or without."""
        self.control("/mend", number=self.fault)
        if empty:
            self.break_it("boots-empty", device=SWITCH)

    def repaired(self, finding: Finding, *, empty: bool = False) -> WorkOrder:
        """An order for it, whose hands do what they should; then it answers again."""
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertEqual(self.go_on(order).why, "")
        self.answers(empty=empty)
        with self.followed():
            advance(order)
        order.refresh_from_db()
        self.assertEqual(order.state, OrderIs.DONE)
        return order

    def history(self, finding: Finding) -> list[str]:
        return [event.what for event in history_of(finding, self.ada)]

    def lines(self, order: WorkOrder, what: str) -> list[str]:
        rows = order.events.filter(what=what).order_by("number")
        return list(rows.values_list("said", flat=True))

    def test_an_audit_of_one_of_its_ports_finds_it_no_less_dead(self) -> None:
        finding = self.dies()
        port = self.pod.ports.get(interface__device__name=SWITCH, interface__name="3A")
        run_audit(self.pod, Scope(ports=frozenset({port.number})), HowAudit(look=observe_scope))
        finding.refresh_from_db()
        self.assertEqual((finding.code, finding.seen), ("switch-down", True))
        self.assertIs(finding.evidence_now["neighbours_agree"], True)

    def test_its_order_needs_no_drain_and_takes_nothing_more_from_slices(self) -> None:
        finding = self.dies()
        wish = OrderWish(kind=Kind.REPAIR, findings=(finding,))
        told = looked_at(self.pod, wish, self.admin)
        self.assertEqual(
            [(row[0], *row[2:4], *row[5:]) for row in told["impact"].rows],
            [
                (
                    *(name, cubes, "0"),
                    "nothing more: without the dead switch it is at X 1 -> 0.9375",
                    "until the switch is back",
                )
                for name, cubes in (("job-a", "2: 1-2"), ("job-b", "1: 3"))
            ],
        )
        self.assertEqual(
            told["note"].text, "No slice is interrupted: no light passes a dead switch."
        )
        order = self.begun(Kind.REPAIR, findings=(finding,))
        [row] = needs_of(order, self.admin)
        self.assertEqual((row.state, row.waits_for), ("met", ""))
        self.assertTrue(row.what.endswith(f", needed only if {SWITCH} runs again"), row.what)
        with transaction.atomic():
            remove(OpticalCircuit.objects.filter(switch__device__name=SWITCH).order_by())
            [row] = needs_of(order, self.admin)
            self.assertTrue(row.what.endswith(f" runs again; {SILENCE}"), row.what)
            transaction.set_rollback(True)
        self.assertFalse(can_ask(order))
        self.assertEqual(self.go_on(order).why, "")

    def test_it_comes_back_with_its_circuits_and_history_says_how_light_is(self) -> None:
        finding = self.dies()
        order = self.repaired(finding)
        line = "Came back: 3 of 3 circuits of 2 slices are made again; light as expected"
        self.assertIn(line, self.history(finding))
        self.client.force_login(self.ada)
        shown = self.client.get(finding.get_absolute_url()).content.decode()
        self.assertIn(line, shown)
        said = [f"{SWITCH}: every circuit that is wanted there is made"]
        self.assertEqual(self.lines(order, "back"), said)
        self.assertEqual(self.audited(), [])
        self.assertEqual((self.lines(order, "back"), order.tickets.count()), (said, 0))
        self.assertSettled()

    def test_what_came_back_worse_is_named(self) -> None:
        finding = self.dies()
        self.break_it("lossy-mirror", device=SWITCH, port="3A", loss_db=0.6)
        self.answers()
        self.assertEqual([one.code for one in self.audited()], ["worse-than-before"])
        [line] = [what for what in self.history(finding) if what.startswith("Came back")]
        self.assertRegex(
            line,
            rf"^Came back: 3 of 3 circuits of 2 slices are made again; 3A to 3B on {SWITCH} "
            r"passes, worse than before: its path loses 0\.6 dB more than on ",
        )

    def test_it_comes_back_empty_and_what_slices_lack_is_asked_for_once(self) -> None:
        finding = self.dies()
        order = self.repaired(finding, empty=True)
        self.assertIn(
            "Came back: 0 of 3 circuits of 2 slices are made again", self.history(finding)
        )
        [ticket] = order.tickets.all()
        ports = [[SWITCH, port] for port in ("1A", "2A", "3A", "1B", "2B", "3B")]
        self.assertEqual(
            (ticket.kind, ticket.state, ticket.author, ticket.wish),
            ("return", "submitted", self.admin, {"switches": [], "ports": ports}),
        )
        self.assertEqual(len(ticket.plan["add"]), 3)
        self.assertEqual(
            self.lines(order, "back"), [f"{SWITCH}: {ticket} brings back what slices lack"]
        )
        [missing] = self.audited()
        self.assertEqual((missing.code, missing.worked_on), ("circuit-missing", ticket.name))
        self.assertEqual(order.tickets.count(), 1, "it is asked for once")
        # A mirror got worse meanwhile, and not too much.
        self.break_it("lossy-mirror", device=SWITCH, port="3A", loss_db=0.6)
        ticket = self.run_on(life.approve(ticket, self.otto))
        [worse] = ticket_facts(ticket).stages[0].worse
        self.assertTrue(worse.startswith(f"3A to 3B on {SWITCH}: its path loses 0.6 dB"), worse)
        self.assertEqual(self.wanted(), self.shown())
        self.assertEqual([one.code for one in self.audited()], ["worse-than-before"])
        self.assertEqual(order.tickets.count(), 1)

    def test_a_ticket_that_was_withdrawn_is_not_asked_for_again(self) -> None:
        order = self.repaired(self.dies(), empty=True)
        life.withdraw(order.tickets.get(), self.admin, "another time")
        [missing] = self.audited()
        self.assertEqual((missing.code, missing.worked_on), ("circuit-missing", ""))
        self.assertEqual(order.tickets.count(), 1)

    def test_without_an_order_its_finding_and_its_page_lead_to_what_it_lacks(self) -> None:
        self.dies()
        self.answers(empty=True)
        [missing] = self.audited()
        back = propose_ticket(self.pod, "return", {"switches": [SWITCH]})
        drift = mend_by_ticket(missing, self.ada)
        for added in (back.plan_json()["add"], drift.plan["add"]):
            self.assertEqual(
                {(one["switch"], one["owner"]) for one in added},
                {(SWITCH, "job-a"), (SWITCH, "job-b")},
            )
            self.assertEqual(len(added), 3)
        self.run_on(self.decided(drift))
        self.assertSettled()

    def test_a_switch_that_answers_again_is_not_touched_and_its_order_ends(self) -> None:
        order = self.begun(Kind.REPAIR, findings=(self.dies(),))
        self.answers()
        [hands] = self.by_hand(order)
        cache.clear()
        self.arrive(order)
        looks = mock.patch.object(see_dead, "open_fabric", wraps=see_dead.open_fabric)
        with mock.patch.object(see_dead, "touch") as touched, looks as looked:
            ahead = super().ahead(order)
            self.assertEqual(super().ahead(order), ahead)
        looked.assert_called_once()  # phones that wait ask every few seconds
        switch = self.pod.switches.get(device__name=SWITCH)
        touched.assert_called_once_with([self.pod.pk], switch=[switch.pk])
        self.assertEqual(
            (ahead.step, ahead.why),
            (hands.number, f"{ON_IT}; {SWITCH} answers again"),
        )
        self.assertEqual(self.audited(), [])
        self.assertEqual(self.by_hand(order).get().state, "not due")
        order.refresh_from_db()
        self.assertEqual(order.state, OrderIs.DONE)

    def test_silence_is_not_death_while_light_passes_or_nobody_could_ask(self) -> None:
        order = self.begun(Kind.REPAIR, findings=(self.dies(),))
        self.arrive(order)
        self.assertEqual(self.ahead(order).why, "")
        # Its cubes do not answer.
        cubes = self.pod.cubes.exclude(address="")
        with transaction.atomic():
            cubes.update(address="")
            unknown = f"light does not show whether {SWITCH} runs: both cubes answer at 0 of "
            self.assertEqual(
                self.ahead(order).why, f"{ON_IT}; {unknown}3 circuits, and half are needed"
            )
            transaction.set_rollback(True)
        # It was not asked.
        with transaction.atomic():
            self.pod.switches.filter(device__name=SWITCH).update(address="")
            said = self.ahead(order).why
            self.assertEqual(said, f"{ON_IT}; {SWITCH} has no address, and was not asked")
            transaction.set_rollback(True)
        with mock.patch.dict("os.environ", {"FABRIC_TWIN_GNMI_CA": "/no/such"}):
            said = self.ahead(order).why
        self.assertIn(f"{SWITCH} could not be asked: the file /no/such cannot be read", said)
        self.assertEqual(self.ahead(order).why, "")
        # It has power again, and its controller is still silent.
        self.answers()
        self.break_it("silent", device=SWITCH)
        self.assertRegex(self.ahead(order).why, rf"; light passes {SWITCH}: \S+ \S+ hears \S+ \S+$")
        self.assertEqual(self.by_hand(order).get().state, "locked")
        # Circuits that a release has left over are lit as well.
        with transaction.atomic():
            OpticalCircuit.objects.filter(switch__device__name=SWITCH).update(
                wanted=False, seen=True, slice=None
            )
            self.assertRegex(self.ahead(order).why, rf"; light passes {SWITCH}: ")
            transaction.set_rollback(True)
        # Cubes call their ports by the design's names, whatever these are called in Nautobot.
        of_cubes = self.pod.ports.filter(cube__isnull=False).order_by().values("interface")
        other = Replace("name", Value("."), Value("_"))
        Interface.objects.filter(pk__in=of_cubes).update(name=other)
        self.assertRegex(
            self.ahead(order).why, rf"; light passes {SWITCH}: \S+ [1-4]_[1-4]_[1-4]/\S+ hears "
        )

    def ahead(self, order: WorkOrder) -> Ahead:
        """What comes next, by a look of its own."""
        cache.clear()
        return super().ahead(order)

    def arrive(self, order: WorkOrder) -> None:
        """A technician goes to the switch; what hands do there is next."""
        take_reports(order, self.admin, [self.report(order.steps.get(do=Do.GO))])

    def test_an_order_that_nobody_has_walked_ends_and_no_light_test_is_claimed(self) -> None:
        finding = self.dies()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.answers()
        self.assertEqual(self.audited(), [])
        order.refresh_from_db()
        self.assertEqual(order.state, OrderIs.DONE)
        self.assertEqual(set(order.steps.values_list("state", flat=True)), {"not due"})
        self.assertEqual(self.lines(order, "answers again"), [finding.key])
        self.assertEqual(self.lines(order, "light test passed"), [])

    def test_what_is_reported_while_a_run_looks_is_judged_by_the_next(self) -> None:
        order = self.begun(Kind.REPAIR, findings=(self.dies(),))
        act_on(Act.PAUSE, order, self.admin)
        self.answers()
        self.assertEqual(self.audited(), [])
        start_order(order, self.admin)
        before = before_looking(self.pod)
        hands = self.by_hand(order).get()
        take_reports(order, self.admin, [self.report(hands, Told.CANNOT, reason="it is on")])
        run = AuditRun.objects.filter(pod=self.pod).order_by("number").last()
        with self.followed():
            settle_orders(run, Covered(fabric=True), before)
        order.refresh_from_db()
        self.assertEqual((order.state, self.lines(order, "answers again")), ("under way", []))
        self.assertEqual(self.audited(), [])
        order.refresh_from_db()
        self.assertEqual(order.state, OrderIs.DONE)

    def test_an_order_speaks_of_the_death_that_it_mended_and_of_no_later_one(self) -> None:
        first = self.repaired(self.dies())
        [said] = self.lines(first, "back")
        finding = self.dies()
        second = self.repaired(finding, empty=True)
        self.assertEqual((self.lines(first, "back"), first.tickets.count()), ([said], 0))
        self.assertEqual(second.tickets.count(), 1)

    def test_without_a_new_order_nobody_asks_for_a_later_death(self) -> None:
        first = self.repaired(self.dies())
        self.dies()
        self.answers(empty=True)
        [missing] = self.audited()
        self.assertEqual((missing.code, first.tickets.count()), ("circuit-missing", 0))

    def test_a_port_that_is_out_stays_out_and_the_order_speaks_again_when_it_is_back(self) -> None:
        finding = self.dies()
        out = Interface.objects.filter(device__name=SWITCH, name__in=("3", "3A", "3B"))
        self.assertTrue(out.update(status=Status.objects.get(name="Maintenance")))
        order = self.repaired(finding, empty=True)
        [ticket] = order.tickets.all()
        self.assertEqual({one["owner"] for one in ticket.plan["add"]}, {"job-a"})
        self.assertEqual(ticket.plan["effects"], [])
        self.assertEqual(self.lines(order, "back"), [])
        self.audited()
        why = "other work holds the ports of 1 circuit, or they are out of service"
        said = f"{SWITCH} is back, and what slices lack there is not: {why}"
        self.assertEqual(self.lines(order, "return")[1:], [said])
        self.assertEqual(order.tickets.count(), 1)
        with transaction.atomic():  # a day later it leaves that to people, and asks no more
            with mock.patch.object(return_to_service, "_OF_LATE", timedelta()):
                self.audited()
            end = "the order asks no more; make a ticket that returns the switch, on its page"
            self.assertEqual(self.lines(order, "back"), [f"{SWITCH}: {end}"])
            self.assertEqual(self.lines(order, "return")[1:], [said])
            with self.assertNumQueries(2):
                self.assertEqual([*return_to_service._answer_again(self.pod)], [])
            transaction.set_rollback(True)
        with transaction.atomic():  # nothing else is lacking, and its ticket is withdrawn
            life.withdraw(ticket, self.admin, "another time")
            OpticalCircuit.objects.filter(switch__device__name=SWITCH, a=3).update(
                wanted=False, seen=True, slice=None
            )
            bring_back(self.pod.pk)
            self.assertEqual(self.lines(order, "back"), [f"{SWITCH}: {ticket} is withdrawn; {end}"])
            transaction.set_rollback(True)
        out.update(status=Status.objects.get(name="Active"))
        self.audited()
        _, later = order.tickets.order_by("number")
        self.assertEqual({one["owner"] for one in later.plan["add"]}, {"job-b"})

    def test_light_that_is_back_before_its_controller_answers_hides_no_return(self) -> None:
        finding = self.dies()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.answers()
        silent = self.break_it("silent", device=SWITCH)
        [stale] = self.audited()
        self.assertEqual((stale.pk, stale.code), (finding.pk, "stale"))
        self.assertIs(stale.evidence_now["was_dead"], True)
        self.assertNotIn("Was dead", tell_evidence(stale, self.ada), "its history says so")
        self.control("/mend", number=silent)
        self.break_it("boots-empty", device=SWITCH)
        [missing] = self.audited()
        [ticket] = order.tickets.all()
        self.assertEqual(missing.code, "circuit-missing")
        came_back = "Came back: 0 of 3 circuits of 2 slices are made again"
        self.assertEqual(self.history(finding).count(came_back), 1)
        asked = [f"{SWITCH}: {ticket} brings back what slices lack"]
        self.assertEqual(self.lines(order, "back"), asked)
        # Its circuits are made and only its controller is silent: another finding, and no death.
        self.run_on(life.approve(ticket, self.otto))
        self.break_it("silent", device=SWITCH)
        codes = {one.code: one for one in self.audited()}
        self.assertNotEqual(codes["stale"].pk, finding.pk)
        self.assertNotIn("was_dead", codes["stale"].evidence_now)

    def test_one_set_to_maintenance_by_hand_keeps_its_order_and_its_return(self) -> None:
        finding = self.dies()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        switch = self.pod.switches.filter(device__name=SWITCH)
        switch.update(status=status_of(Switch, "Maintenance"))
        self.done("slice", {"shape": "4x4x4", "name": "job-c", "bear": 1})
        self.audited()  # what is out of service is no fault, and the finding stays as it was
        finding.refresh_from_db()
        self.assertEqual((finding.code, finding.seen), ("switch-down", False))
        self.assertEqual(self.go_on(order).why, "")
        self.answers(empty=True)
        self.assertEqual(self.audited(), [])
        order.refresh_from_db()
        waits = f"{SWITCH} is back, and what slices lack there is not: it is in Maintenance"
        self.assertEqual((order.state, self.lines(order, "return")), (OrderIs.DONE, [waits]))
        switch.update(status=status_of(Switch))
        self.audited()
        [ticket] = order.tickets.all()
        self.assertEqual(
            [(one["a"], one["b"], one["owner"]) for one in ticket.plan["add"]],
            [
                *(("1A", "1B", "job-a"), ("2A", "2B", "job-a")),
                *(("3A", "3B", "job-b"), ("4A", "4B", "job-c")),
            ],
        )

    def test_what_hands_do_is_due_again_where_it_dies_again(self) -> None:
        self.break_it("fan-lost", device=OTHER, unit=1)
        self.fault = self.break_it("switch-down", device=SWITCH)
        fan, dead = self.audited()
        self.assertEqual((fan.code, dead.code), ("fan-lost", "switch-down"))
        order = self.begun(Kind.REPAIR, findings=(fan, dead))
        steps = OrderStep.objects.filter(order=order).order_by("number").values_list("state")
        first = [*steps]
        self.answers()
        self.audited()
        self.assertEqual(self.by_hand(order).get().state, "not due")
        self.dies_beside(fan)
        order.refresh_from_db()
        self.assertEqual((order.state, [*steps]), ("under way", first))
        self.assertEqual(self.lines(order, "dead again"), [dead.key])
        dead.refresh_from_db()
        self.assertEqual(dead.worked_on, order.name)
        self.arrive(order)
        self.answers()
        self.audited()
        self.assertEqual(self.lines(order, "answers again"), [dead.key] * 2)

    def test_a_later_death_is_asked_for_anew(self) -> None:
        self.break_it("fan-lost", device=OTHER, unit=1)
        self.fault = self.break_it("switch-down", device=SWITCH)
        fan, dead = self.audited()
        order = self.begun(Kind.REPAIR, findings=(fan, dead))
        self.answers(empty=True)
        self.audited()
        [first] = order.tickets.all()
        self.fault = self.break_it("switch-down", device=SWITCH)
        self.audited()
        life.withdraw(first, self.admin, "it is dead again")
        self.answers()  # as empty as it was
        out = Interface.objects.filter(device__name=SWITCH, name__in=("3", "3A", "3B"))
        out.update(status=Status.objects.get(name="Maintenance"))
        with mock.patch.object(return_to_service, "_OF_LATE", timedelta()):
            self.audited()
            self.audited()
        _, second = order.tickets.order_by("number")
        ports = [[SWITCH, port] for port in ("1A", "2A", "1B", "2B")]
        self.assertEqual((second.state, second.wish["ports"]), ("submitted", ports))
        said = [f"{SWITCH}: {first} brings back what slices lack"]
        self.assertEqual(self.lines(order, "back"), said, "an open order goes on")

    def test_only_ports_that_were_drained_come_back_with_them(self) -> None:
        drain = self.done("maintenance", {"ports": [[SWITCH, "3A"], [SWITCH, "3B"]], "bear": 1})
        order = self.begun(Kind.REPAIR, findings=(self.dies(),))
        order.tickets.add(drain)
        self.assertEqual(self.go_on(order).why, "")
        self.answers(empty=True)
        with self.followed():
            advance(order)
        _, *asked = order.tickets.order_by("number")
        ports = [[port for _, port in ticket.wish["ports"]] for ticket in asked]
        self.assertEqual(ports, [["3A", "3B"], ["1A", "2A", "1B", "2B"]])

    def test_an_order_from_before_asks_for_no_drain_of_it(self) -> None:
        self.break_it("lossy-mirror", device=SWITCH, port="3A")
        lossy = tuple(self.audited())
        order = self.begun(Kind.REPAIR, findings=lossy)
        self.assertTrue(can_ask(order))
        self.fault = self.break_it("switch-down", device=SWITCH)
        self.audited()
        self.assertFalse(can_ask(order))
        with self.assertRaises(NotPossible) as refused:
            ask_for_tickets(order, self.admin, bear=True)
        self.assertEqual(str(refused.exception), WORDS.replace("maintenance", str(order), 1))

    def dies_beside(self, other: Finding) -> None:
        self.fault = self.break_it("switch-down", device=SWITCH)
        self.assertEqual([one.code for one in self.audited()], [other.code, "switch-down"])

    def test_ports_of_a_dead_switch_keep_no_other_port_from_its_drain(self) -> None:
        other = "iw-ocs-y-1-1"
        for switch in (SWITCH, other):
            self.break_it("lossy-mirror", device=switch, port="3A")
        lossy = tuple(self.audited())
        self.assertEqual([one.code for one in lossy], ["high-loss"] * 2)
        order = self.begun(Kind.REPAIR, findings=lossy)
        self.fault = self.break_it("switch-down", device=SWITCH)
        self.audited()
        drained = {switch for need in core_of(order).needs for switch, _ in need.ports}
        self.assertEqual(drained, {SWITCH, other})
        impact = impact_before_asking(order, bear=True)
        self.assertEqual(
            [(hit.name, hit.keeps, hit.already) for hit in impact.hits],
            [
                ("job-b", "Y keeps 0.9375", False),
                *((name, "X 1 -> 0.9375", True) for name in ("job-a", "job-b")),
            ],
        )
        [ticket] = ask_for_tickets(order, self.admin, bear=True)
        self.assertEqual(ticket.wish["ports"], [[other, "3A"], [other, "3B"]])

    @staticmethod
    def by_hand(order: WorkOrder) -> Any:
        """What hands do at the switch."""
        return OrderStep.objects.filter(order=order, do="reseat")

    def test_no_ticket_takes_circuits_off_it_and_every_door_says_so(self) -> None:
        # Planned before it died, and due after.
        wish = {"switches": [SWITCH], "bear": 1}
        planned = self.approved("maintenance", wish)
        self.drained(planned, ["job-a", "job-b"])
        planned = life.start(planned, self.otto)
        self.fault = self.break_it("switch-down", device=SWITCH)
        with self.assertRaises(NoAnswer) as refused:
            carry_out_ticket(planned, How())
        self.assertNotIn("dead", str(refused.exception))  # only light can say so
        [finding] = self.audited()
        words = WORDS.replace("maintenance", f"ticket {planned}", 1)
        with self.assertRaises(NoAnswer) as refused:
            carry_out_ticket(planned, How())
        self.assertEqual(str(refused.exception), words)
        self.assertEqual(try_ticket(planned, How()), f"{planned}: would not begin: {words}")
        self.assertEqual(try_again(planned), words)
        planned = Ticket.objects.get(pk=planned.pk)
        self.assertEqual((planned.state, planned.message), ("scheduled", words))
        life.withdraw(planned, self.ada)
        # Planned after an audit saw it.
        number = self.pod.switches.get(device__name=SWITCH)
        rack = number.device.rack.name
        for kind in (wish, {"boards": [[SWITCH, 0]], "bear": 1}, {"racks": [rack], "bear": 8}):
            with self.assertRaisesMessage(NotPossible, WORDS):
                wish_ticket(self.pod, "maintenance", kind, self.ada)
        self.client.force_login(self.ada)
        page = reverse("plugins:fabric_twin:finding_ticket", args=[finding.pk])
        shown = self.client.get(finding.get_absolute_url()).content.decode()
        self.assertNotIn(page, shown)
        self.assertIn("Repair order", shown)
        shown = self.client.post(page, follow=True).content.decode()
        self.assertIn(WORDS, unescape(shown))
        tickets = reverse("plugins-api:fabric_twin-api:ticket-list")
        asked = {"pod": str(self.pod.pk), "kind": "maintenance", "wish": wish}
        answer = self.client.post(tickets, asked, content_type="application/json")
        self.assertEqual(answer.status_code, 409)
        self.assertIn(SILENT.format(SWITCH), answer.content.decode())
        # Another one answers.
        self.assertTrue(propose_ticket(self.pod, "maintenance", {"switches": ["x-2-1"], "bear": 2}))
