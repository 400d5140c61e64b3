"""Whoever decides about a ticket, or says that slices run nothing, sees what it is about."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.errors import NotPermitted, UnusableInput
from fabric_twin.documents.tickets.ticket import decided_on
from fabric_twin.models import Slice, Ticket
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.actions import TICKET_DEEDS, TicketGiven
from fabric_twin.operations.tickets.approval import waiting_stage
from fabric_twin.operations.tickets.changes.drains import not_drained
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.presenters.ticket import ticket_facts
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.users import allow


class DecidingCase(TestCase):
    """A pod with cubes in slots 1 to 8, two slices of two cubes, and a part of a fifth."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4")
        cls.ann = get_user_model().objects.create_superuser("ann")
        for name, shape in (("train", "4x4x8"), ("eval", "4x4x8"), ("part", "2x2x2")):
            make_slice(cls.pod, Wish(shape=shape, name=name), cls.ann)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def wish(self, kind: str, **wish: Any) -> Ticket:
        return wish_ticket(self.pod, kind, wish, self.ann)

    def act(self, ticket: Ticket, deed: str) -> str:
        return f"{reverse('plugins:fabric_twin:ticket_act', args=[ticket.pk])}?do={deed}"

    def page(self, url: str) -> str:
        response = self.client.get(url)
        self.assertHttpStatus(response, 200)
        plain = response.content.decode().replace('<td class="text-break">', "<td>")
        return " ".join(unescape(plain).split())


class DrainingTest(DecidingCase):
    """Who says that slices run nothing names each of them."""

    def setUp(self) -> None:
        super().setUp()
        switch = str(self.pod.switches.get(number=0))
        self.ticket = self.wish("maintenance", switches=[switch], interrupt=True)
        self.ticket.refresh_from_db()  # the database has its own order of names

    def test_each_slice_has_a_box_that_nobody_ticked_before(self) -> None:
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])
        page = self.page(self.act(self.ticket, "confirm-drained"))
        boxes = re.findall(r'<input type="checkbox" name="slices" ([^>]*)>', page)
        self.assertEqual(re.findall(r'value="(\w+)"', " ".join(boxes)), ["eval", "train"])
        for box in boxes:
            self.assertIn('class="form-check-input me-8 mb-8"', box)
            self.assertNotIn("checked", box)
        # A list as high as it is long: only its boxes have the look of a box.
        self.assertIn('<div id="id_slices">', page)

    def test_nothing_ticked_confirms_nothing(self) -> None:
        answer = self.client.post(self.act(self.ticket, "confirm-drained"), {"said": "all quiet"})
        self.assertContains(answer, "no slice is named that runs nothing")
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])

    def test_what_is_ticked_is_confirmed_and_no_more(self) -> None:
        ticked = {"said": "ended", "slices": ["eval"]}
        answer = self.client.post(self.act(self.ticket, "confirm-drained"), ticked)
        self.assertRedirects(answer, self.ticket.get_absolute_url())
        self.assertEqual(not_drained(self.ticket), ["train"])

    def test_a_program_that_names_none_is_told_which_are_asked_for(self) -> None:
        with self.assertRaises(UnusableInput) as refused:
            TICKET_DEEDS.named("confirm-drained").do(self.ticket, self.ann, TicketGiven())
        self.assertEqual(
            str(refused.exception),
            f"ticket {self.ticket.name}: no slice is named that runs nothing. "
            "Name each of them: eval, train.",
        )
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])

    def test_of_several_slices_all_are_confirmed_or_none(self) -> None:
        with self.assertRaises(UnusableInput):
            named = TicketGiven(slices=("eval", "nobody"))
            TICKET_DEEDS.named("confirm-drained").do(self.ticket, self.ann, named)
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])

    def test_who_starts_it_is_told_that_it_waits_for_that(self) -> None:
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "approved")
        waits = "It cannot begin yet: nobody has confirmed that 2 slices run nothing. "
        start, schedule = (self.page(self.act(self.ticket, do)) for do in ("start", "schedule"))
        self.assertIn(
            f"{waits}It is scheduled, and begins by itself as soon as that is confirmed.", start
        )
        self.assertIn(
            f"{waits}It begins by itself in its window, once that is confirmed.", schedule
        )


class BearingTest(DecidingCase):
    """A job that bears a ticket need not end: whoever confirms it says that it can go on."""

    def setUp(self) -> None:
        super().setUp()
        switch = str(self.pod.switches.get(number=0))
        self.ticket = self.wish("maintenance", switches=[switch], bear=1)
        self.ticket.refresh_from_db()

    def test_the_page_asks_whether_each_job_can_go_on(self) -> None:
        page = self.page(self.act(self.ticket, "confirm-drained"))
        self.assertIn("The jobs of the slices that bear it can go on with fewer circuits.", page)
        self.assertIn("Slices that run nothing, or can go on with fewer circuits", page)
        for name in ("eval", "train"):
            self.assertIn(f"{name}: its job can go on with fewer circuits", page)
        self.assertNotIn("run nothing.", page)

    def test_a_program_that_names_none_is_told_what_is_asked(self) -> None:
        with self.assertRaises(UnusableInput) as refused:
            TICKET_DEEDS.named("confirm-drained").do(self.ticket, self.ann, TicketGiven())
        self.assertEqual(
            str(refused.exception),
            f"ticket {self.ticket.name}: no slice is named whose job can go on with fewer "
            "circuits. Name each of them: eval, train.",
        )

    def test_who_starts_it_is_told_that_it_waits_for_that(self) -> None:
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "approved")
        self.assertIn(
            "nobody has confirmed that the jobs of 2 slices can go on with fewer circuits. ",
            self.page(self.act(self.ticket, "start")),
        )

    def test_its_documents_say_what_is_to_be_confirmed(self) -> None:
        told = {table.title: table.rows for table in decided_on(ticket_facts(self.ticket))}
        self.assertEqual(
            [row[:2] for row in told["Drained"]],
            [
                (f"{name}: its job can go on with fewer circuits", "not confirmed yet")
                for name in ("eval", "train")
            ],
        )


class OthersTicketTest(DecidingCase):
    """Who only decides, and may change tickets as Nautobot wants it, withdraws none of others."""

    def setUp(self) -> None:
        super().setUp()
        self.ticket = self.wish("slice", shape="4x4x4", name="wished")

    def test_who_may_add_no_tickets_neither_revises_nor_withdraws_those_of_others(self) -> None:
        approver = get_user_model().objects.create_user("only decides")
        allow(approver, ["view", "change"], Ticket)
        offered = {deed.name for deed in TICKET_DEEDS.possible(self.ticket, approver)}
        self.assertEqual(offered & {"revise", "withdraw"}, set())
        for name in ("revise", "withdraw"):
            with self.subTest(name), self.assertRaises(NotPermitted) as refused:
                TICKET_DEEDS.named(name).do(self.ticket, approver, TicketGiven(said="no"))
            self.assertEqual(
                str(refused.exception),
                f"ticket {self.ticket}: it is not of only decides, who may add no tickets. "
                "Deny it, or ask its author or somebody who may add tickets.",
            )
        self.ticket.refresh_from_db()
        self.assertEqual(self.ticket.state, "draft")


class DecidedOnTest(DecidingCase):
    """Who decides reads the same words on the App's page, on Nautobot's, and in the documents."""

    def pages(self, ticket: Ticket) -> Iterator[str]:
        """Where it is decided: the App's pages, and Nautobot's."""
        life.submit(ticket, self.ann)
        stage = waiting_stage(ticket)
        assert stage
        nautobots = reverse("extras:approvalworkflowstage_approve", args=[stage.pk])
        for url in (self.act(ticket, "approve"), self.act(ticket, "deny"), nautobots):
            with self.subTest(url):
                yield self.page(url)

    def assertTold(self, ticket: Ticket, *words: str, without_circuits: bool = True) -> None:
        """Each page has each row of what is decided on; and these words."""
        for page in self.pages(ticket):
            rows = [
                " ".join(cell.split())
                for table in decided_on(ticket_facts(Ticket.objects.get(pk=ticket.pk)))
                for row in table.rows
                for cell in row
            ]
            self.assertEqual([cell for cell in rows if cell not in page], [])
            self.assertEqual([text for text in words if text not in page], [])
            self.assertIs("No circuit is switched." in page, without_circuits)
            self.assertIs('<svg class="drawing"' in page, not without_circuits)

    def test_a_switch_that_no_slice_can_leave(self) -> None:
        switch = str(self.pod.switches.get(number=0))
        ticket = self.wish("maintenance", switches=[switch])
        self.assertTold(
            ticket,
            f"<td>Title</td><td>Maintenance of {switch}</td>",
            "<td>High: 2 slices cannot move: working on what is out of service takes "
            "them down</td>",
            f"<td>{switch} becomes Maintenance (it is Active)</td>",
            "<td>Cannot move: train</td><td>every cube has a cable on what is out",
            "<td>Cannot move: eval</td>",
            "<td>Not touched</td><td>nobody else has circuits</td>",
        )

    def test_slices_under_a_cube_that_move(self) -> None:
        part = Slice.objects.get(name="part").parts.get().cube.slot
        self.assertTold(
            self.wish("maintenance", slots=[part]),
            f"<td>slot {part} becomes Out (it is Active)</td>",
            f"<td>the slice part (2x2x2, 8 chips of slot {part}) moves to 8 chips of slot 6</td>",
        )

    def test_a_slice_of_whole_cubes_that_moves_is_drawn_and_is_to_be_drained(self) -> None:
        slot = Slice.objects.get(name="train").parts.get(place=0).cube.slot
        self.assertTold(
            self.wish("maintenance", slots=[slot]),
            f"<td>slot {slot} becomes Out (it is Active)</td>",
            "<td>the slice train (4x4x8,",
            "<td>train</td><td>not confirmed yet</td>",
            "<td>train (",
            without_circuits=False,
        )

    def test_an_emergency_is_read_before_it_is_hastened(self) -> None:
        switch = str(self.pod.switches.get(number=0))
        ticket = self.wish("maintenance", switches=[switch])
        page = self.page(self.act(ticket, "emergency"))
        self.assertIn(f"<td>{switch} becomes Maintenance (it is Active)</td>", page)

    def test_the_tab_of_the_approval_says_what_else_changes(self) -> None:
        ticket = self.wish("maintenance", slots=[7])
        life.submit(ticket, self.ann)
        page = self.page(reverse("plugins:fabric_twin:ticket_approvalworkflow", args=[ticket.pk]))
        self.assertIn("<td>slot 7 becomes Out (it is Active)</td>", page)
        self.assertIn("No circuit is switched.", page)
