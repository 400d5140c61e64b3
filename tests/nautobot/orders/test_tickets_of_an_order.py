"""From an order to the aisle: whom it interrupts, its tickets, who acts next, and it goes on."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.impact import BEAR, INTERRUPT
from fabric_twin.core.orders.life import SETTLED, OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Slice, Ticket, WorkOrder
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.request_tickets import ask_for_tickets, impact_before_asking
from fabric_twin.operations.orders.unmet_needs import waits
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.presenters.my_orders import MyOrder, my_orders
from fabric_twin.presenters.order_needs import impact_note, needs_of
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.tickets.ticket_runs import RunCase

SWITCH, PORT = "iw-ocs-x-3-2", "4.3.2/X+"
COULD = "it could bear that: a join would lack 1 switch, X keeps 0.9375"


class TicketsOfAnOrderTest(OrderOnFabricCase, RunCase):
    """Pod `iw` of three cubes; a connector of cube 1 is dirty, and a slice is on its port."""

    def on_the_pod(self, *names: str, at: tuple[str, str] = ("iw-c001-t08", PORT)) -> WorkOrder:
        """Slices of one cube each, and an order that cleans the connector of the first cube."""
        device, port = at
        for name in names:
            self.done(self.wish(shape="4x4x4", name=name))
        self.finding = write_finding(
            self.pod,
            "high-loss",
            [{"do": "clean", "device": device, "port": port}],
            device=device,
            port=port,
        )
        return make_order(
            self.pod, OrderWish(kind=Kind.REPAIR, findings=(self.finding,)), self.admin
        )

    def page(self, url: str, data: dict[str, Any] | None = None) -> str:
        self.client.force_login(self.admin)
        send = self.client.get if data is None else self.client.post
        answer = send(url, data, follow=True)
        _, main = answer.content.decode().split("<main", 1)
        main, _ = main.split("</main>", 1)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main))

    def rows(self, order: WorkOrder) -> list[tuple[str, ...]]:
        return [
            (row.what, row.state, row.ticket.name if row.ticket else "", row.waits_for, row.who)
            for row in needs_of(order, self.admin)
        ]

    def test_the_page_before_an_order_names_each_slice_where_it_goes_and_for_how_long(self) -> None:
        withdraw_order(self.on_the_pod("train"), self.admin, "it is made on a page")
        url = reverse("plugins:fabric_twin:workorder_add") + "?kind=repair"
        wish = {"pod": self.pod.pk, "findings": [self.finding.pk], "crews": 1, "look": "1"}
        page = self.page(url, wish)
        self.assertIn(
            "train 4x4x4 1: 1 48 not known moves from cube 1 to 2; bears it if you let it: X keeps "
            "0.9375 1 min, while it moves",
            page,
        )
        self.assertIn("Interrupt is not needed: every slice in the way finds other cubes", page)
        self.assertIn("Interrupt slices that cannot move", page)

    def test_a_slice_that_cannot_move_is_refused_before_there_is_a_draft_and_interrupted_if_asked(
        self,
    ) -> None:
        order = self.on_the_pod("one", "two", "three")
        url = reverse("plugins:fabric_twin:workorder_act", args=[order.pk]) + "?do=ask"
        why = f"it needs 1 other cube, and 0 are free of what is out; {COULD}"
        page = self.page(url)
        offer = "bears it if you let it: X keeps 0.9375"
        self.assertIn(f"one 4x4x4 1: 1 1 not known cannot move: {why}; {offer}", page)
        self.assertIn(f"{INTERRUPT}. {BEAR}.", page)
        self.assertIn(f"tickets are refused: slice one cannot move: {why}. Choose interrupt", page)
        before = Ticket.objects.count()
        with self.assertRaisesRegex(NotPossible, f"slice one cannot move: {why}. Choose interrupt"):
            ask_for_tickets(order, self.admin)
        self.assertEqual(Ticket.objects.count(), before, "no draft that holds nothing")

        self.page(url, {"interrupt": "on", "submitted": "on"})
        drain = order.tickets.get()
        self.assertEqual((drain.state, drain.wish["interrupt"]), ("submitted", True))
        self.assertEqual(drain.reason, f"For work order {order}: {order.title}")
        self.assertEqual(len(drain.plan["remove"]), 1)

    def test_a_slice_that_bears_the_work_stays_and_loses_only_the_circuits_there(self) -> None:
        order = self.on_the_pod("one", "two", "three")
        url = reverse("plugins:fabric_twin:workorder_act", args=[order.pk]) + "?do=ask"
        self.assertIn("Let slices bear it and be slower", self.page(url))
        impact = impact_before_asking(order, bear=True)
        self.assertEqual(
            impact_note(self.pod, impact, self.admin, interrupt=False).text,
            "Interrupt is not needed: every slice in the way finds other cubes or bears it.",
        )
        [hit] = impact.hits
        self.assertEqual((hit.name, hit.circuits, hit.keeps), ("one", 1, "X keeps 0.9375"))
        self.page(url, {"bear": "on", "submitted": "on"})
        drain = order.tickets.get()
        self.assertEqual((drain.state, drain.risk, drain.wish["bear"]), ("submitted", "medium", 1))
        self.assertEqual([one["name"] for one in drain.plan["bears"]], ["one"])
        [gone] = drain.plan["remove"]
        self.assertEqual((gone["switch"], gone["a"], gone["b"]), (SWITCH, "1A", "1B"))
        life.approve(drain, self.root)
        waits = "confirmation that the job of one can go on with fewer circuits"
        self.assertTrue(self.rows(order)[0][3].endswith(f"; {waits}"), self.rows(order)[0][3])

    def test_slices_and_tickets_that_a_user_may_not_see_are_not_told(self) -> None:
        order = self.on_the_pod("one", "two", "three")
        guest = get_user_model().objects.create_user("guest")
        see_one_pod(guest, "iw", {WorkOrder: "pod__name"})
        impact = impact_before_asking(order)
        why = f"it needs 1 other cube, and 0 are free of what is out; {COULD}"
        self.assertEqual(
            impact_note(self.pod, impact, guest, interrupt=False).text,
            "Without interrupt tickets are refused: a slice that you may not see cannot move: "
            f"{why}. {INTERRUPT}. {BEAR}.",
        )
        with self.assertRaisesRegex(NotPossible, "slice one cannot move"):
            ask_for_tickets(order, self.admin)
        [drain] = ask_for_tickets(order, self.admin, interrupt=True)
        for state in ("draft", "approved", "held"):
            update_state(Ticket.objects.filter(pk=drain.pk), state)
            [row] = needs_of(order, guest)
            self.assertIn(f"; a ticket that you may not see is {state}", row.waits_for)
            self.assertEqual((row.is_seen, row.who), (False, ""))

    def test_who_acts_next_stands_on_the_order_until_it_goes_on_by_itself(self) -> None:
        order = start_order(
            assign_order(
                self.on_the_pod("train", at=(SWITCH, "1A")), self.admin, assignee=self.admin
            ),
            self.admin,
        )
        what = f"no circuit on {SWITCH} 1A"
        why = f"a circuit of slice train is on {SWITCH} (1A to 1B)"
        nobody = "anyone who may change the order: Tickets for its needs"
        self.assertEqual(self.rows(order), [(what, "not yet", "", why, nobody)])

        [drain] = ask_for_tickets(order, self.admin)
        editor = f"{self.admin}, or anyone who may change it: Submit"
        draft = (what, "not yet", drain.name, f"{why}; the draft is not submitted", editor)
        self.assertEqual(self.rows(order), [draft])
        # A draft of before is submitted with the same button.
        self.assertEqual(ask_for_tickets(order, self.admin, submitted=True), [drain])
        self.assertEqual(self.rows(order)[0][3], f"{why}; approval")
        self.assertRegex(self.rows(order)[0][4], f", but not {self.admin}$")

        drain = life.approve(Ticket.objects.get(pk=drain.pk), self.root)
        self.assertEqual(self.rows(order)[0][3], f"{why}; confirmation that train runs nothing")
        confirm_drained(drain, Slice.objects.get(), self.root)
        start = (f"{why}; a start", "anyone who may run tickets: Start now")
        self.assertEqual(self.rows(order)[0][3:], start)
        drain = life.start(drain, self.root)

        page = self.page(order.get_absolute_url())
        self.assertIn(f"{drain.name} Scheduled", page)
        self.assertIn(f"reserved by ticket {drain.name}", self.go_on(order).why)
        WorkOrder.objects.filter(pk=order.pk).update(advance_asked=None)
        self.run_it(drain)
        order.refresh_from_db()
        self.assertIsNotNone(order.advance_asked, "a worker is called, and nobody had to ask")
        advance(order)
        block = order.steps.filter(do="block").order_by("number").first()
        self.assertEqual((block.state, block.done_by), ("done", None), "the fabric did its part")
        self.assertEqual(self.rows(order)[0][:3], (what, "met", drain.name))

    def test_nothing_is_left_to_ask_once_all_is_asked_and_the_preview_is_empty_then(self) -> None:
        order = self.on_the_pod("train")
        self.assertEqual([hit.name for hit in impact_before_asking(order).hits], ["train"])
        ask_for_tickets(order, self.admin, submitted=True)
        self.assertEqual(impact_before_asking(order).hits, ())
        self.assertNotIn("Tickets for its needs", self.page(order.get_absolute_url()))
        with self.assertRaises(NotPossible):
            ask_for_tickets(order, self.admin, submitted=True)
        self.assertEqual(order.state, OrderIs.DRAFTED)
        self.assertIn("is drafted", advance(order))

    def test_my_orders_say_what_a_ticket_has_to_do_before_anybody_looked(self) -> None:
        order = self.on_the_pod("train")
        assign_order(order, self.admin, assignee=self.admin)
        [drain] = ask_for_tickets(order, self.admin)
        self.assertEqual(set(order.steps.values_list("why", flat=True)), {""})
        left = order.steps.exclude(state__in=SETTLED).count()
        why = waits(order, core_of(order).needs, self.admin)[f"drain {self.finding.key}"]
        self.assertIn("a circuit of slice train is on", why)
        url = reverse("plugins:fabric_twin:workorder_do", args=[order.pk])
        [mine], _ = my_orders(self.admin)
        [start] = mine.starts
        self.assertEqual((start.crew, start.url, start.left, start.waits_for), (0, url, left, why))
        self.assertEqual(
            mine,
            MyOrder(
                name=order.name,
                title=order.title,
                url=url,
                state="Assigned",
                due=None,
                left=left,
                starts=(start,),
                waits_for=f"{why}; ticket {drain.name}: draft",
            ),
        )
        self.assertFalse(mine.is_ready)
