"""Whoever decides about a ticket, or says that slices run nothing, sees what it is about."""

import re
from html import unescape
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from nautobot.apps.testing import TestCase
from small_pod import make_pod

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Ticket
from fabric_twin.repositories.slices import Wish, make_slice
from fabric_twin.repositories.ticket_actions import Order, deed_named, not_drained
from fabric_twin.repositories.ticket_wishes import wish_ticket


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
        return " ".join(unescape(response.content.decode()).split())


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
            self.assertIn('class="form-check-input me-8"', box)
            self.assertNotIn("checked", box)
        # A list as high as it is long: only its boxes have the look of a box.
        self.assertIn('<div id="id_slices">', page)

    def test_nothing_ticked_confirms_nothing(self) -> None:
        answer = self.client.post(self.act(self.ticket, "confirm-drained"), {"said": "all quiet"})
        self.assertContains(answer, "none is ticked")
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])

    def test_what_is_ticked_is_confirmed_and_no_more(self) -> None:
        ticked = {"said": "ended", "slices": ["eval"]}
        answer = self.client.post(self.act(self.ticket, "confirm-drained"), ticked)
        self.assertRedirects(answer, self.ticket.get_absolute_url())
        self.assertEqual(not_drained(self.ticket), ["train"])

    def test_a_program_that_names_none_is_told_which_are_asked_for(self) -> None:
        with self.assertRaises(UnusableInput) as refused:
            deed_named("confirm-drained").do(self.ticket, self.ann, Order())
        self.assertEqual(
            str(refused.exception),
            f"ticket {self.ticket.name}: no slice is named that runs nothing. "
            "Name each of them: eval, train.",
        )
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])

    def test_of_several_slices_all_are_confirmed_or_none(self) -> None:
        with self.assertRaises(UnusableInput):
            named = Order(slices=("eval", "nobody"))
            deed_named("confirm-drained").do(self.ticket, self.ann, named)
        self.assertEqual(not_drained(self.ticket), ["eval", "train"])
