"""Findings chosen in a list: acknowledged, or mended by one order, together or not at all."""

import re
from datetime import UTC, datetime
from typing import Any

from django.contrib.messages import get_messages
from django.urls import reverse

from fabric_twin.models import Finding, Silence
from fabric_twin.operations.audits.finding_life import acknowledge
from fabric_twin.operations.orders.finding_deeds import MANY
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

    def refused(
        self, what: str, because: dict[Finding, str], *others: Finding, **more: Any
    ) -> set[str]:
        """Each that is refused says why; what is ticked still."""
        page = self.choose(what, *because, *others, sure=1, **more).content.decode()
        rows = {
            name: " ".join(re.sub("<[^>]+>", " ", row).split())
            for row in page.split("<tr>")
            for name in re.findall(r'name="pk"[^>]*aria-label="([^"]+)"', row)
        }
        self.assertIn(f"Nothing was done: {len(because)} of {len(rows)} cannot be.", page)
        for finding, words in because.items():
            self.assertIn(words, rows[str(finding)])
        return set(re.findall(r'aria-label="([^"]+)" checked', page))

    def list_page(self) -> str:
        return self.page(reverse("plugins:fabric_twin:finding_list"))

    def buttons(self) -> list[str]:
        """The acts that are offered below the list."""
        return re.findall(r"(\w+) Selected", self.list_page())

    def test_several_are_acknowledged_together_or_none(self) -> None:
        # They are written by key: below, one is written before another one is refused.
        first, *some = Finding.objects.filter(state="open").order_by("pk")[:3]
        self.assertIn(
            "Acknowledge Selected", self.page(reverse("plugins:fabric_twin:finding_list"))
        )
        asked = self.choose("acknowledge", *some).content.decode()
        self.assertIn("Acknowledge: 2 findings?", asked)
        done = self.told("acknowledge", *some, sure=1, why="Next week")
        self.assertEqual(done, "Acknowledged 2 findings.")
        for finding in some:
            finding.refresh_from_db()
            self.assertEqual(
                (finding.state, finding.acknowledged_why, finding.acknowledged_by),
                ("acknowledged", "Next week", self.user),
            )
        ticked = self.refused("acknowledge", {some[0]: "it is acknowledged"}, first, why="No")
        self.assertEqual(ticked, {str(first)})
        first.refresh_from_db()
        self.assertEqual(first.state, "open")
        self.assertIn("no finding is chosen", self.told("acknowledge", sure=1, why="No"))

    def test_without_a_reason_it_is_asked_again(self) -> None:
        some = Finding.objects.filter(state="open")[:2]
        for act, said in (("acknowledge", {"why": " "}), ("silence", {"reason": " "})):
            until = {"until": "2099-01-01 00:00:00"} if act == "silence" else {}
            page = self.choose(act, *some, sure=1, **said, **until).content.decode()
            self.assertIn("findings: no reason is given. Give one: the history keeps it.", page)
            self.assertEqual(len(re.findall(r'aria-label="[^"]+" checked', page)), 2)

    def test_several_are_silenced_together_or_none(self) -> None:
        gone = Finding.objects.get(pod=self.mine, state="mended")
        some = list(Finding.objects.filter(state="open").order_by("pk")[:2])
        asked = self.choose("silence", *some).content.decode()
        self.assertIn("Silence: 2 findings?", asked)
        given = {"until": "2099-01-01 00:00:00", "reason": "Hands at work"}
        ticked = self.refused("silence", {gone: "it is mended"}, *some, **given)
        self.assertEqual(ticked, {str(one) for one in some})
        self.assertFalse(Silence.objects.exists())
        done = self.told("silence", *some, sure=1, **given)
        self.assertEqual(done, "Silenced 2 findings.")
        made = Silence.objects.values_list("finding", "pod", "until", "reason", "user")
        until = datetime(2099, 1, 1, tzinfo=UTC)
        self.assertEqual(
            set(made),
            {(one.pk, one.pod_id, until, "Hands at work", self.user.pk) for one in some},
        )
        past = {"until": "2001-01-01 00:00:00", "reason": "Late"}
        over = "2001-01-01 00:00 UTC is over"
        # What is wrong with all of them is said otherwise, and done with all of them.
        self.assertEqual(len(self.refused("silence", dict.fromkeys(some, over), **past)), 2)

    def test_several_are_opened_again_together_or_none(self) -> None:
        first, other = Finding.objects.filter(state="open").order_by("pk")[:2]
        gone = Finding.objects.get(pod=self.mine, state="mended")
        acknowledge(first, self.user, "Known")
        ticked = self.refused("reopen", {other: "it is open"}, first, gone)
        self.assertEqual(ticked, {str(first), str(gone)})
        self.assertEqual(self.told("reopen", first, gone, sure=1), "Reopened 2 findings.")
        for finding, often in ((first, 0), (gone, 1)):
            finding.refresh_from_db()
            self.assertEqual(
                (finding.state, finding.reopened, finding.acknowledged_why), ("open", often, "")
            )

    def test_more_than_are_done_at_once_are_refused(self) -> None:
        pod, at = self.mine, self.finding.opened
        facts = {"code": "dark", "severity": "error", "cause": "dark"}
        seen = dict.fromkeys(("first_seen", "opened", "last_seen"), at)
        Finding.objects.bulk_create(
            Finding(pod=pod, key=f"k{n}", **facts, **seen) for n in range(MANY + 1)
        )
        url = reverse("plugins:fabric_twin:finding_bulk_reopen")
        answer = self.client.post(f"{url}?code=dark", {"_all": ""})
        told = [str(message) for message in get_messages(answer.wsgi_request)]
        self.assertEqual(
            told, ["findings: 501 are chosen, and this is done with 500 at once. Choose fewer."]
        )

    def test_all_that_a_filter_finds_are_acknowledged(self) -> None:
        url = reverse("plugins:fabric_twin:finding_bulk_acknowledge")
        told = {"_all": "1", "why": "Known", "sure": 1}
        self.client.post(f"{url}?pod=mine&state=open", told)
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
        self.assertEqual(self.buttons(), [])
        for what in ("acknowledge", "assign", "silence", "reopen", "repair"):
            self.assertHttpStatus(self.choose(what, self.finding, sure=1, why="Sly"), 403)
        # Without the permission to change there is nothing to tick.
        self.add_permissions("fabric_twin.add_silence")
        self.assertEqual(self.buttons(), [])
        self.become_a_user_of("mine", "change")
        self.assertEqual(self.buttons(), ["Acknowledge", "Assign", "Silence", "Reopen"])
        self.assertNotIn("Make a Repair Order", self.list_page())
        theirs = Finding.objects.filter(pod=self.theirs, state="open").first()
        refused = self.told("acknowledge", self.finding, theirs, sure=1, why="Sly")
        self.assertIn("you may not see all of them, or some are gone", refused)
        self.assertFalse(Finding.objects.filter(acknowledged_why="Sly").exists())
