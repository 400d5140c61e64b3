"""A moment has one form on every page of ours: the user's time zone, and its name."""

from datetime import UTC, datetime

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import OrderEvent, TicketEvent, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.tickets.small_tickets import write_ticket

AT = datetime(2026, 11, 22, 7, 13, 56, tzinfo=UTC)
IN_UTC, IN_BERLIN = "2026-11-22 07:13 UTC", "2026-11-22 08:13 CET"


class MomentsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("lead")
        cls.pod = pod_with_findings("s", 1)
        cls.finding = cls.pod.findings.get()
        cls.pod.findings.update(first_seen=AT, opened=AT, last_seen=AT, due=AT, seen=False)
        cls.pod.audit_runs.update(started=AT)
        cls.ticket = write_ticket(cls.pod, cls.admin, window_start=AT, submitted_at=AT)
        TicketEvent.objects.update(at=AT)
        cls.order = make_order(
            cls.pod, OrderWish(kind=Kind.REPAIR, findings=(cls.finding,)), cls.admin
        )
        WorkOrder.objects.update(due=AT, started=AT)
        OrderEvent.objects.update(at=AT)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()
        WorkOrder.objects.update(assignee=self.user)
        self.addCleanup(timezone.deactivate)

    def in_berlin(self) -> None:
        self.user.set_config("timezone", "Europe/Berlin", commit=True)

    def page(self, url: str, **headers: str) -> str:
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, 200)
        return response.content.decode().split("<main", 1)[-1]

    def pages(self) -> dict[str, str]:
        """Pages that tell of a moment."""
        rows = ("finding", "ticket", "workorder", "auditrun")
        lists = {
            f"{name} list": self.page(
                reverse(f"plugins:fabric_twin:{name}_list"), hx_request="true"
            )
            for name in rows
        }
        records = (self.finding, self.ticket, self.order, self.pod.audit_runs.get())
        shown = {str(one): self.page(one.get_absolute_url()) for one in records}
        names = ("shift", "my_orders")
        pages = {name: self.page(reverse(f"plugins:fabric_twin:{name}")) for name in names}
        return lists | shown | pages

    def test_pages_name_the_zone(self) -> None:
        for name, page in self.pages().items():
            with self.subTest(name):
                self.assertIn(IN_UTC, page)
                self.assertNotIn("Nov. 22", page)
                self.assertNotIn("2026-11-22 07:13<", page)

    def test_pages_are_in_the_users_zone(self) -> None:
        self.in_berlin()
        for name, page in self.pages().items():
            with self.subTest(name):
                self.assertIn(IN_BERLIN, page)
                self.assertNotIn(" UTC", page)

    def test_histories_have_seconds(self) -> None:
        self.in_berlin()
        for record in (self.ticket, self.order):
            with self.subTest(str(record)):
                self.assertIn("2026-11-22 08:13:56 CET", self.page(record.get_absolute_url()))

    def test_a_file_of_a_ticket_is_in_utc(self) -> None:
        self.in_berlin()
        url = reverse("plugins:fabric_twin:ticket_document", args=[self.ticket.pk])
        document = self.client.get(url, {"form": "html"}).content.decode()
        self.assertIn("2026-11-22 07:13:56 UTC", document)
        self.assertNotIn("CET", document)

    def test_a_field_for_a_time_names_the_zone_that_it_is_read_in(self) -> None:
        self.in_berlin()
        finding = reverse("plugins:fabric_twin:finding_assign", args=[self.finding.pk])
        ticket = reverse("plugins:fabric_twin:ticket_edit_draft", args=[self.ticket.pk])
        for url in (finding, ticket, reverse("plugins:fabric_twin:silence_add")):
            with self.subTest(url):
                self.assertIn("Time zone: Europe/Berlin", self.page(url))

    def test_a_time_is_read_in_the_zone_that_is_named(self) -> None:
        self.in_berlin()
        url = reverse("plugins:fabric_twin:finding_assign", args=[self.finding.pk])
        sent = {"owner": self.admin.pk, "due": "2036-11-22 08:13:00"}
        self.assertHttpStatus(self.client.post(url, sent), 302)
        self.finding.refresh_from_db()
        self.assertEqual(self.finding.due, datetime(2036, 11, 22, 7, 13, tzinfo=UTC))
