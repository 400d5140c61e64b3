"""Findings chosen in a list: acknowledged, or mended by one order, together or not at all."""

from typing import Any

from django.contrib.messages import get_messages
from django.urls import reverse

from fabric_twin.models import (
    Finding,
)
from tests.nautobot.bases.audits.finding_pages import FindingPagesCase


class ChosenFindingsTest(FindingPagesCase):
    def choose(self, what: str, *findings: Finding, **more: Any) -> Any:
        """Choose some of the list, and press a button below it."""
        url = reverse(f"plugins:fabric_twin:finding_bulk_{what}")
        data = {"pk": [finding.pk for finding in findings], **more}
        return self.client.post(url, data)

    def told(self, what: str, *findings: Finding, **more: Any) -> str:
        """What is told of it above the list."""
        answer = self.choose(what, *findings, **more)
        self.assertRedirects(answer, reverse("plugins:fabric_twin:finding_list"))
        return " ".join(str(message) for message in get_messages(answer.wsgi_request))

    def test_several_are_acknowledged_together_or_none(self) -> None:
        # They are written by key: below, one is written before another one is refused.
        first, *some = Finding.objects.filter(state="open").order_by("pk")[:3]
        self.assertIn(
            "Acknowledge Selected", self.page(reverse("plugins:fabric_twin:finding_list"))
        )
        asked = self.choose("acknowledge", *some).content.decode()
        self.assertIn("Acknowledge 2 findings?", asked)
        done = self.told("acknowledge", *some, why="Next week")
        self.assertEqual(done, "Acknowledged 2 findings.")
        for finding in some:
            finding.refresh_from_db()
            self.assertEqual(
                (finding.state, finding.acknowledged_why, finding.acknowledged_by),
                ("acknowledged", "Next week", self.user),
            )
        refused = self.told("acknowledge", some[0], first, why="No")
        self.assertIn("it is acknowledged", refused)
        first.refresh_from_db()
        self.assertEqual(first.state, "open")
        self.assertIn("no finding is chosen", self.told("acknowledge", why="No"))

    def test_all_that_a_filter_finds_are_acknowledged(self) -> None:
        url = reverse("plugins:fabric_twin:finding_bulk_acknowledge")
        self.client.post(f"{url}?pod=mine&state=open", {"_all": "1", "why": "Known"})
        states = Finding.objects.values_list("pod__name", "state").distinct()
        self.assertEqual(
            {state for pod, state in states if pod == "mine"}, {"acknowledged", "mended"}
        )
        self.assertIn(("theirs", "open"), states)

    def test_one_order_mends_several_findings(self) -> None:
        some = list(Finding.objects.filter(pod=self.theirs, state="open")[:2])
        page = self.choose("repair", *some).content.decode()
        self.assertIn(f'action="{reverse("plugins:fabric_twin:workorder_add")}?kind=repair"', page)
        # What it would take stands below at once.
        self.assertIn("What it would take: Repair 2 findings of theirs", page)
        self.assertIn("No slice is interrupted.", page)
        for finding in some:
            self.assertInHTML(f'<option value="{finding.pk}" selected>{finding}</option>', page)
        form = {"pod": self.theirs.pk, "findings": [one.pk for one in some], "crews": 1, "make": 1}
        add = f"{reverse('plugins:fabric_twin:workorder_add')}?kind=repair"
        made = self.client.post(add, form, follow=True).content.decode()
        self.assertIn("Made theirs-w1: Repair 2 findings of theirs.", made)
        for finding in some:
            finding.refresh_from_db()
            self.assertEqual((finding.state, finding.worked_on), ("working", "theirs-w1"))

    def test_what_hands_cannot_mend_is_named_in_the_refusal(self) -> None:
        other = Finding.objects.filter(pod=self.theirs, state="open").first()
        self.assertIn(
            "they are of the pods mine, theirs",
            self.told("repair", self.finding, other),
        )
        gone = Finding.objects.get(pod=self.mine, state="mended")
        self.assertIn(
            f"mended already: {gone} ({gone.key})",
            self.told("repair", self.finding, gone),
        )
        record = [{"do": "correct-record", "object": "x", "field": "serial", "from": "", "to": "y"}]
        Finding.objects.filter(pk=self.finding.pk).update(remedy=record)
        self.assertIn(
            f"no manual work: {self.finding} ({self.finding.key})",
            self.told("repair", self.finding),
        )

    def test_who_may_not_gets_neither_button_nor_deed(self) -> None:
        self.become_a_user_of("mine")
        page = self.page(reverse("plugins:fabric_twin:finding_list"))
        self.assertNotIn("Acknowledge Selected", page)
        self.assertNotIn("Make a Repair Order", page)
        for what in ("acknowledge", "repair"):
            self.assertHttpStatus(self.choose(what, self.finding, why="Sly"), 403)
        self.become_a_user_of("mine", "change")
        page = self.page(reverse("plugins:fabric_twin:finding_list"))
        self.assertIn("Acknowledge Selected", page)
        self.assertNotIn("Make a Repair Order", page)
        theirs = Finding.objects.filter(pod=self.theirs, state="open").first()
        refused = self.told("acknowledge", self.finding, theirs, why="Sly")
        self.assertIn("not all of them are there for you", refused)
        self.assertFalse(Finding.objects.filter(acknowledged_why="Sly").exists())
