"""A switch dies under slices that run: they stay, and its order sends hands to no lit port."""

from html import unescape
from unittest import mock

from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Replace
from django.urls import reverse
from nautobot.dcim.models import Interface

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.errors import NoAnswer, NotPossible
from fabric_twin.core.orders.life import Act, OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.proposals.maintenance import REPAIR_IT, SILENT
from fabric_twin.models import (
    AuditRun,
    OpticalCircuit,
    OrderStep,
    Ticket,
)
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How as HowAudit
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.orders.fabric import see_dead
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
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket, try_ticket
from fabric_twin.operations.tickets.running.try_again import try_again
from fabric_twin.presenters.order_needs import SILENCE, needs_of
from fabric_twin.presenters.order_wish import looked_at
from fabric_twin.repositories.bulk_delete import remove
from tests.nautobot.bases.orders.dead_switch import SWITCH, DeadSwitchCase

OTHER = "iw-ocs-x-1-2"
ON_IT = f"a circuit of a slice is on {SWITCH} (1A to 1B)"
WORDS = f"maintenance: {SILENT.format(SWITCH)}. {REPAIR_IT}."


class DeadSwitchTest(DeadSwitchCase):
    """Its order, its steps and the drains beside it."""

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

    def test_a_switch_that_answers_again_is_not_touched_and_its_order_ends(self) -> None:
        order = self.begun(Kind.REPAIR, findings=(self.dies(),))
        self.answers()
        [hands] = self.by_hand(order)
        self.arrive(order)
        looks = mock.patch.object(see_dead, "open_fabric", wraps=see_dead.open_fabric)
        with mock.patch.object(see_dead, "touch") as touched, looks as looked:
            ahead = self.ahead(order)
            self.assertEqual(self.ahead(order, anew=False), ahead)
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
