"""A dead switch answers again: light has the last word, and what slices lack there is asked for."""

from datetime import timedelta
from unittest import mock

from django.db import transaction
from nautobot.dcim.models import Interface
from nautobot.extras.models import Status

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import OpticalCircuit, Switch
from fabric_twin.operations.orders import return_to_service
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.return_to_service import bring_back
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.panels.finding import tell_evidence
from fabric_twin.presenters.ticket import ticket_facts
from tests.nautobot.bases.orders.dead_switch import SWITCH, DeadSwitchCase
from tests.nautobot.bases.pods.small_pod import status_of

OTHER = "iw-ocs-x-1-2"


class SwitchIsBackTest(DeadSwitchCase):
    """With its circuits or without, before its controller or after, once or again."""

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
