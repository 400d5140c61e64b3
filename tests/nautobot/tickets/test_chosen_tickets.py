"""Tickets chosen in their list: one act with all of them, or with none, and why not."""

import re
from typing import Any

from django.contrib.messages import get_messages
from django.urls import reverse

from fabric_twin.models import Pod, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.actions import MOST_DECIDED
from tests.nautobot.bases.tickets.ticket_case import TicketCase
from tests.nautobot.bases.users import allow

LIST = "plugins:fabric_twin:ticket_list"


class ChosenTicketsTest(TicketCase):
    def setUp(self) -> None:
        super().setUp()
        self.one, self.two = (self.wish("4x4x4", name) for name in ("one", "two"))

    def choose(self, who: Any, act: str, *tickets: Ticket, **more: Any) -> Any:
        """Tick some of the list, and press a button below it."""
        self.client.force_login(who)
        url = f"{reverse('plugins:fabric_twin:ticket_bulk_act')}?do={act}"
        return self.client.post(url, {"pk": [ticket.pk for ticket in tickets], **more})

    def told(self, who: Any, act: str, *tickets: Ticket, **more: Any) -> str:
        """What is said above the list."""
        answer = self.choose(who, act, *tickets, **more)
        self.assertRedirects(answer, reverse(LIST))
        return str(list(get_messages(answer.wsgi_request))[-1])

    def asked(self, who: Any, act: str, *tickets: Ticket, **more: Any) -> tuple[str, list[str]]:
        """The page that asks, without tags, and the tickets that are ticked on it."""
        answer = self.choose(who, act, *tickets, **more)
        self.assertHttpStatus(answer, 200)
        page = answer.content.decode()
        ticked = re.findall(r'aria-label="([^"]+)" checked', page)
        return " ".join(re.sub(r"<[^>]+>", " ", page).split()), ticked

    def states(self) -> list[str]:
        return [str(one.state) for one in Ticket.objects.order_by("number", "revision")]

    def buttons(self, who: Any) -> list[str]:
        """The acts that are offered below the list."""
        self.client.force_login(who)
        page = self.client.get(reverse(LIST)).content.decode()
        return re.findall(r"(\w+) Selected", page)

    def test_several_are_submitted_approved_and_scheduled(self) -> None:
        both = (self.one, self.two)
        self.assertEqual(self.told(self.ada, "submit", *both, sure=1), "Submit: v4-t1, v4-t2.")
        self.assertEqual(self.states(), ["submitted", "submitted"])
        page, ticked = self.asked(self.otto, "approve", *both)
        self.assertEqual(ticked, ["v4-t1", "v4-t2"])
        # Nobody decides about what they have not seen.
        for name, slot in (("one", "v4-t1"), ("two", "v4-t2")):
            self.assertIn(f"What {slot} changes, and who is affected", page)
            self.assertIn(f"the slice {name} (4x4x4", page)
        done = self.told(self.otto, "approve", *both, sure=1, said="free cubes only")
        self.assertEqual(done, "Approve: v4-t1, v4-t2.")
        self.assertEqual(self.history(self.two)[-1], ("approve", "otto"))
        page, _ = self.asked(self.otto, "schedule", *both)
        self.assertIn("It begins by itself in its window.", page)
        self.assertNotIn("Window begins", page)
        self.assertEqual(self.told(self.otto, "schedule", *both, sure=1), "Schedule: v4-t1, v4-t2.")
        self.assertEqual(self.states(), ["scheduled", "scheduled"])

    def test_several_are_denied_and_go_back_to_their_authors(self) -> None:
        both = [life.submit(one, self.ada) for one in (self.one, self.two)]
        _page, ticked = self.asked(self.otto, "deny", *both, sure=1, said=" ")
        self.assertEqual(ticked, ["v4-t1", "v4-t2"])
        self.assertEqual(self.states(), ["submitted", "submitted"])
        self.told(self.otto, "deny", *both, sure=1, said="not this week")
        self.assertEqual(self.states(), ["withdrawn", "draft", "withdrawn", "draft"])

    def test_where_one_is_refused_none_is_done_and_it_is_named_and_not_ticked_any_more(
        self,
    ) -> None:
        life.withdraw(self.two, self.ada)
        page, ticked = self.asked(self.ada, "submit", self.one, self.two, sure=1)
        self.assertIn("Nothing was done: 1 of 2 cannot be.", page)
        self.assertIn(
            "ticket v4-t2: it is withdrawn, and so cannot be submitted. Revise the newest", page
        )
        self.assertEqual((ticked, self.states()), (["v4-t1"], ["draft", "withdrawn"]))
        self.assertEqual(self.history(self.one), [("make", "ada")])

    def test_nobody_approves_their_own_among_others(self) -> None:
        both = [life.submit(one, self.ada) for one in (self.one, self.two)]
        page, _ticked = self.asked(self.ada, "approve", *both, sure=1)
        self.assertIn("Nothing was done: 2 of 2 cannot be.", page)
        self.assertIn("ticket v4-t1: it is of ada, and nobody decides", page)
        self.assertEqual(self.states(), ["submitted", "submitted"])

    def test_all_that_a_filter_finds_are_withdrawn(self) -> None:
        life.submit(self.two, self.ada)
        self.client.force_login(self.ada)
        url = f"{reverse('plugins:fabric_twin:ticket_bulk_act')}?do=withdraw&state=submitted"
        page = self.client.post(url, {"_all": ""}).content.decode()
        self.assertEqual(re.findall(r'aria-label="([^"]+)" checked', page), ["v4-t2"])
        self.client.post(url, {"_all": "", "sure": 1})
        self.assertEqual(self.states(), ["draft", "withdrawn"])

    def test_the_list_offers_what_its_user_may(self) -> None:
        self.assertEqual(
            self.buttons(self.root), ["Submit", "Approve", "Deny", "Schedule", "Stop", "Withdraw"]
        )
        self.assertEqual(self.buttons(self.ada), ["Submit", "Withdraw"])
        self.assertEqual(self.buttons(self.otto), ["Submit", "Approve", "Deny", "Schedule", "Stop"])
        allow(self.user, ["view"], Pod, Ticket)
        self.assertEqual(self.buttons(self.user), [])
        allow(self.user, ["run"], Ticket)
        self.assertEqual(self.buttons(self.user), [])

    def test_each_ticket_asks_for_its_own_permission(self) -> None:
        allow(self.user, ["view"], Pod, Ticket)
        allow(self.user, ["change"], Ticket, number=1)
        page, ticked = self.asked(self.user, "submit", self.one, self.two, sure=1)
        self.assertIn("ticket v4-t2: you may not change it.", page)
        self.assertEqual((ticked, self.states()), (["v4-t1"], ["draft", "draft"]))
        self.told(self.user, "submit", self.one, sure=1)
        self.assertEqual(self.states(), ["submitted", "draft"])

    def test_what_is_done_one_by_one_and_too_many_decisions_are_refused(self) -> None:
        self.assertEqual(
            self.told(self.root, "undo", self.one),
            "tickets: undo is done with one ticket at a time. Open the page of each.",
        )
        self.assertIn("no ticket is chosen", self.told(self.root, "submit"))
        Ticket.objects.bulk_create(
            Ticket(pod=self.pod, author=self.ada, number=n, kind="slice", state="submitted")
            for n in range(100, 101 + MOST_DECIDED)
        )
        many = Ticket.objects.filter(number__gte=100)
        self.assertEqual(
            self.told(self.root, "approve", *many),
            "tickets: 21 are chosen, and this is done with 20 at once. Choose fewer.",
        )
