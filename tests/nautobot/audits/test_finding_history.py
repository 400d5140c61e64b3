"""What became of a finding stands on its page, its acknowledgements included."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange
from rest_framework.test import APIClient

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import AuditRun, Finding, Pod
from fabric_twin.operations.audits.assign_findings import assign_findings
from fabric_twin.operations.audits.finding_history import history_of
from fabric_twin.operations.audits.finding_life import acknowledge, join, reopen
from fabric_twin.operations.orders.lifecycle import make_order, withdraw_order
from fabric_twin.operations.orders.propose import OrderWish
from tests.nautobot.bases.audits.small_findings import audit, fade, mend, pod_with_findings
from tests.nautobot.bases.users import allow

MENDED = "Mended: all that would show it was seen, without it"
#: How the table of the history begins.
HEAD = ">At</th>"


class FindingHistoryTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.lead = get_user_model().objects.create_superuser("lead")
        cls.pod: Pod = pod_with_findings("s", 2)
        cls.finding, cls.other = cls.pod.findings.order_by("key")

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.lead)

    def post(self, name: str, **form: Any) -> None:
        pk = () if "bulk" in name else (self.finding.pk,)
        chosen = {"pk": self.finding.pk, "sure": 1} if "bulk" in name else {}
        url = reverse(f"plugins:fabric_twin:finding_{name}", args=pk)
        self.assertHttpStatus(self.client.post(url, chosen | form), 302)

    def page(self) -> str:
        return str(self.client.get(self.finding.get_absolute_url()).content.decode())

    def told(self) -> list[tuple[str, ...]]:
        """Who and what, as the page has it; the oldest first."""
        panel = self.page().split(HEAD)[1].split("</table>")[0]
        rows = re.findall(
            r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td></tr>", panel, re.DOTALL
        )
        for moment, *_ in rows:
            self.assertRegex(moment, r"^\d{4}-\d\d-\d\d \d\d:\d\d UTC$")
        plain = [tuple(re.sub(r"<[^>]+>", "", cell) for cell in row[1:]) for row in rows]
        return plain[::-1]

    def test_from_the_first_look_to_the_last(self) -> None:
        cable = self.finding.places.exclude(cable=None).get().cable
        self.post("acknowledge", why="parts come on Monday")
        self.post("bulk_assign", owner=self.lead.pk, due="2099-01-01 00:00:00")
        wish = OrderWish(kind=Kind.REPAIR, findings=(self.finding,))
        order = make_order(self.pod, wish, self.lead)
        withdraw_order(order, self.lead, "not now")
        self.post("bulk_reopen")
        mend(cable)
        audit(self.pod)
        fade(self.pod, self.finding.places.order_by("port__number").first().port.number)
        audit(self.pod)
        mend(cable)
        audit(self.pod)
        self.post("reopen")
        audit(self.pod)
        self.assertEqual(
            self.told(),
            [
                ("s audit 1", "First seen"),
                ("lead", "Acknowledged: parts come on Monday"),
                ("lead", "Assigned to lead, to be mended by 2099-01-01 00:00 UTC"),
                ("lead", "Taken by s-w1"),
                ("lead", "Released by s-w1"),
                ("lead", "Opened again"),
                ("s audit 2", MENDED),
                ("s audit 3", "Seen again"),
                ("s audit 4", MENDED),
                ("lead", "Opened again"),
                ("s audit 5", MENDED),
            ],
        )
        # What it names leads there.
        self.assertIn(f'<a href="{order.get_absolute_url()}">s-w1</a>', self.page())
        run = AuditRun.objects.get(number=3)
        self.assertIn(f'<a href="{run.get_absolute_url()}">s audit 3</a>', self.page())

    def test_over_rest_and_outside_of_requests_it_is_told_alike(self) -> None:
        client = APIClient()
        client.force_authenticate(self.lead)
        for name, sent in (("acknowledge", {"why": "Known"}), ("reopen", None)):
            url = reverse(f"plugins-api:fabric_twin-api:finding-{name}", args=[self.finding.pk])
            self.assertEqual(client.post(url, sent, format="json").status_code, 200)
        acknowledge(self.finding, self.lead, "Still known")
        assign_findings([self.finding], self.lead, {"owner": self.lead})
        reopen(self.finding, self.lead)
        self.assertEqual(
            self.told(),
            [
                ("s audit 1", "First seen"),
                ("lead", "Acknowledged: Known"),
                ("lead", "Opened again"),
                ("lead", "Acknowledged: Still known"),
                ("lead", "Assigned to lead"),
                ("lead", "Opened again"),
            ],
        )

    def test_an_acknowledgement_stays_while_it_is_worked_on(self) -> None:
        acknowledge(self.finding, self.lead, "parts come on Monday")
        wish = OrderWish(kind=Kind.REPAIR, findings=(self.finding,))
        make_order(self.pod, wish, self.lead)
        facts = self.page().split(HEAD)[0]
        self.assertIn("lead: parts come on Monday", facts)
        # The record knows of the last one also when the change log was thinned.
        ObjectChange.objects.all().delete()
        self.assertIn(("lead", "Acknowledged: parts come on Monday"), self.told())

    def test_who_sees_the_finding_sees_its_history_and_no_other_record(self) -> None:
        acknowledge(self.finding, self.lead, "Known")
        join(Finding.objects.filter(pk=self.finding.pk), self.other)
        self.assertIn(("an audit", f"Joined with {self.other}"), self.told())
        allow(self.user, ["view"], Finding, key=self.finding.key)
        self.client.force_login(self.user)
        self.assertEqual(
            self.told(),
            [
                ("an audit", "First seen"),
                ("lead", "Acknowledged: Known"),
                ("an audit", "Joined with another finding"),
            ],
        )
        self.assertNotIn(self.other.key, self.page())
        self.assertNotIn("s audit 1", self.page())

    def test_it_is_read_at_once_however_long_it_is(self) -> None:
        def queries() -> int:
            finding = Finding.objects.select_related("pod").get(pk=self.finding.pk)
            with CaptureQueriesContext(connection) as asked:
                history_of(finding, self.lead)
            return len(asked)

        history_of(self.finding, self.lead)  # what Nautobot remembers is remembered
        self.assertEqual(queries(), 2)
        for number in range(3):
            owner = get_user_model().objects.create(username=f"owner {number}")
            acknowledge(self.finding, self.lead, "Known")
            assign_findings([self.finding], self.lead, {"owner": owner})
            reopen(self.finding, self.lead)
        join(Finding.objects.filter(pk=self.finding.pk), self.other)
        # The log, its people, findings joined with, and runs.
        self.assertEqual(queries(), 5)  # and who owns it now
