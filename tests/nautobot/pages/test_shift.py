"""The page of a shift: what happened since the last hand-over, and what waits for whom."""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.models import Finding, HandOver, Pod
from fabric_twin.operations.shifts.hand_over import LONGEST_NOTE, hand_over
from fabric_twin.operations.tickets.create import ask_for_slice
from fabric_twin.presenters.shift import MOST, shift_of
from tests.nautobot.bases.audits.small_findings import audit, fade, mend, small_pod
from tests.nautobot.bases.users import allow

PAGE = reverse("plugins:fabric_twin:shift")


class ShiftTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.lead = get_user_model().objects.create_superuser("lead")
        before = timezone.now() - timedelta(days=2)
        fade(cls.pod, 0)
        gone = fade(cls.pod, 24)
        audit(cls.pod)
        Finding.objects.update(opened=before, first_seen=before)
        HandOver.objects.create(
            at=timezone.now() - timedelta(hours=1), by=cls.lead, note="Mind c2."
        )
        mend(gone)
        fade(cls.pod, 48)
        audit(cls.pod)

    def keys(self, some: Any) -> set[int]:
        """The port of each finding of a section."""
        return {one.places.exclude(port=None).first().port.number for one in some.rows}

    def test_what_broke_and_what_was_mended_since_the_last_hand_over(self) -> None:
        shift = shift_of(self.lead)
        told = {name: self.keys(getattr(shift, name)) for name in ("first", "broke", "mended")}
        self.assertEqual(told, {"first": {0, 48}, "broke": {48}, "mended": {24}})
        self.assertEqual([note.note for note in shift.notes], ["Mind c2."])

    def test_the_page_says_it_with_links_and_a_note(self) -> None:
        self.client.force_login(self.lead)
        page = self.client.get(PAGE).content.decode()
        for finding in Finding.objects.all():
            self.assertIn(f'href="{finding.get_absolute_url()}"', page)
        for words in (
            "Mind c2.",
            "What first",
            "What broke",
            "What was mended",
            "What waits for whom",
        ):
            self.assertIn(words, page)
        home = self.client.get(reverse("home")).content.decode()
        self.assertIn(f'href="{PAGE}"', home)

    def test_a_ticket_says_whom_it_waits_for(self) -> None:
        made = ask_for_slice({"shape": "2x2x2"}, self.pod, self.lead)
        [row] = shift_of(self.lead).tickets.rows
        self.assertEqual((row.name, row.waits_for), (made.name, "an approver"))

    def test_who_hands_over_begins_the_next_shift(self) -> None:
        self.client.force_login(self.lead)
        self.client.post(PAGE, {"note": " Cube 3 is dark.\n"})
        last = HandOver.objects.first()
        self.assertEqual((last.by, last.note), (self.lead, "Cube 3 is dark."))
        self.assertEqual(shift_of(self.lead).broke.many, 0)
        self.assertIn("Cube 3 is dark.", self.client.get(PAGE).content.decode())

    def test_a_second_click_hands_over_once(self) -> None:
        hand_over(self.lead, "Cube 3 is dark.")
        with self.assertRaisesRegex(NotPossible, "within this minute"):
            hand_over(self.lead, "")
        self.assertEqual(HandOver.objects.first().note, "Cube 3 is dark.")

    def test_links_lead_to_the_rows_that_are_counted_in_whatever_zone(self) -> None:
        self.client.force_login(self.lead)
        self.lead.set_config("timezone", "America/New_York", commit=True)
        shift = shift_of(self.lead)
        for some in (shift.first, shift.broke, shift.mended):
            rows = self.client.get(some.url, headers={"HX-Request": "true"}).content.decode()
            for one in Finding.objects.filter(pod=self.pod):
                self.assertEqual(str(one.pk) in rows, one in some.rows, some.url)

    def test_who_may_not_is_refused(self) -> None:
        user = get_user_model().objects.create_user("guest")
        with self.assertRaisesRegex(NotPermitted, "fabric_twin.add_handover"):
            hand_over(user, "x")
        with self.assertRaisesRegex(UnusableInput, "it has 4,001 characters"):
            hand_over(self.lead, "x" * (LONGEST_NOTE + 1))
        self.client.force_login(user)
        self.assertEqual(self.client.get(PAGE).status_code, 403)
        self.client.logout()
        self.assertEqual(self.client.get(PAGE).status_code, 302)

    def test_each_sees_what_they_may_see(self) -> None:
        user = get_user_model().objects.create_user("guest")
        other = small_pod("other")
        fade(other, 0)
        audit(other)
        allow(user, ["view"], Finding, pod__name="other")
        allow(user, ["view"], Pod, name="other")
        self.client.force_login(user)
        page = self.client.get(PAGE).content.decode()
        [theirs] = Finding.objects.filter(pod=other)
        self.assertIn(str(theirs.pk), page)
        for finding in Finding.objects.filter(pod=self.pod):
            self.assertNotIn(str(finding.pk), page)
        for words in ("Mind c2.", "Hand over now"):
            self.assertNotIn(words, page)

    def test_thousands_are_counted_and_the_first_are_shown(self) -> None:
        now = timezone.now()
        Finding.objects.bulk_create(
            Finding(pod=self.pod, key=f"{n}", code="dark", severity="error", cause="x",
                    first_seen=now, opened=now, last_seen=now)
            for n in range(3000)
        )  # fmt: skip
        shift = shift_of(self.lead)
        self.assertEqual((len(shift.first.rows), shift.first.many), (MOST, 3002))
        self.client.force_login(self.lead)
        with CaptureQueriesContext(connection) as queries:
            page = self.client.get(PAGE).content.decode()
        self.assertLess(len(queries), 60)
        self.assertIn(f"{3002 - MOST:,} more", page)

    def test_the_page_of_a_pod_leads_there(self) -> None:
        self.client.force_login(self.lead)
        page = self.client.get(self.pod.get_absolute_url()).content.decode()
        self.assertRegex(page, rf'<a[^>]*href="{PAGE}"[^>]*>\s*<span[^>]*></span>\s*Shift')
