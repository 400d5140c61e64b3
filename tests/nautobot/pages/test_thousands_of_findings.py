"""Thousands of findings: every page that shows some takes as many queries as for a few."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase

from fabric_twin.models import Cube, Finding, FindingPlace, Pod, Port, Switch
from tests.nautobot.bases.audits.small_findings import pod_with_findings

LIST = reverse("plugins:fabric_twin:finding_list")
#: A list asks for its rows apart.
HTMX = {"HX-Request": "true"}
MANY = 3000


def add_many(pod: Pod, port: Port, many: int) -> None:
    """Findings at a port, each with the place that a page looks for."""
    now, device = timezone.now(), port.interface.device
    rows = Finding.objects.bulk_create(
        Finding(
            pod=pod,
            key=f"many-{number:04}",
            code="dark",
            severity="error",
            cause=f"Light {number} is lost.",
            first_seen=now,
            opened=now,
            last_seen=now,
        )
        for number in range(many)
    )
    FindingPlace.objects.bulk_create(
        FindingPlace(
            finding=row,
            number=0,
            port=port,
            device=device,
            rack=device.rack,
            device_name=device.name,
            port_name=port.interface.name,
        )
        for row in rows
    )


class ThousandsOfFindingsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = pod_with_findings(many=3)
        cls.lead = get_user_model().objects.create_superuser("lead")
        cls.port = cls.pod.ports.get(number=cls.pod.to_core().layout.cube_ports)
        cls.switch = Switch.objects.get(pod=cls.pod, number=0)

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.lead)

    def pages(self) -> dict[str, tuple[str, dict[str, str]]]:
        """Where findings are shown: address, and how it is asked for."""
        device = self.port.interface.device
        cube = Cube.objects.filter(pod=self.pod).first()
        found = Finding.objects.filter(pod=self.pod).first()
        assert cube
        assert found
        rack = reverse("plugins:fabric_twin:rack_findings", args=[device.rack_id])
        return {
            "home": (reverse("home"), {}),
            "shift": (reverse("plugins:fabric_twin:shift"), {}),
            "pod": (self.pod.get_absolute_url(), {}),
            "switch": (self.switch.get_absolute_url(), {}),
            "findings of a switch": (f"{self.switch.get_absolute_url()}findings/", {}),
            "cube": (cube.get_absolute_url(), {}),
            "findings of a rack": (rack, {}),
            "list": (f"{LIST}?per_page=3", HTMX),
            "of a pod": (f"{LIST}?per_page=3&pod={self.pod.name}&is_there=True", HTMX),
            "of a switch": (f"{LIST}?per_page=3&switch={self.switch.pk}", HTMX),
            "of words": (f"{LIST}?per_page=3&q=is", HTMX),
            "over REST": ("/api/plugins/fabric-twin/findings/?limit=3", {}),
        }

    def queries(self, url: str, headers: dict[str, str]) -> int:
        with CaptureQueriesContext(connection) as queries:
            answer: Any = self.client.get(url, headers=headers)
        self.assertHttpStatus(answer, 200)
        return len(queries)

    def test_queries_do_not_grow_with_findings(self) -> None:
        pages = self.pages()

        def asked() -> dict[str, int]:
            return {name: self.queries(*page) for name, page in pages.items()}

        with transaction.atomic():
            add_many(self.pod, self.port, 3)
            asked()  # what Nautobot remembers is remembered
            few = asked()
            transaction.set_rollback(True)
        add_many(self.pod, self.port, MANY)
        self.assertEqual(asked(), few)

    def test_a_list_is_paged_to_its_end(self) -> None:
        add_many(self.pod, self.port, MANY)
        last = self.client.get(f"{LIST}?per_page=100&page=31", headers=HTMX)
        self.assertEqual(len(last.context["table"].page.object_list), 3)
        self.assertContains(last, "Showing 3001-3003 of 3003")
