"""Every list, over REST and as a page, takes as many queries for many rows as for few."""

from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import APITestCase, TestCase
from nautobot.dcim.models import Cable, Device, Rack

from fabric_twin.api.urls import router as api
from fabric_twin.models import Finding, FindingPlace, OrderStep, Port, WorkOrder
from fabric_twin.urls import router as pages
from tests.nautobot.bases.many_of_all import MANY, make_many_of_all

FEW = 3


class ApiListsTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        make_many_of_all()

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def queries(self, path: str, limit: int, depth: int) -> int:
        url = f"/api/plugins/fabric-twin/{path}/?limit={limit}&depth={depth}"
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(url, **self.header)
        self.assertHttpStatus(response, 200)
        self.assertEqual(len(response.data["results"]), limit)
        return len(queries)

    def test_queries_do_not_grow_with_rows(self) -> None:
        for path, *_ in api.registry:
            for depth in (0, 1):
                with self.subTest(path, depth=depth):
                    self.queries(path, FEW, depth)  # what Nautobot remembers is remembered
                    few, many = (self.queries(path, limit, depth) for limit in (FEW, MANY))
                    self.assertEqual(few, many)


class PageListsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        make_many_of_all()

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()
        self.client.force_login(self.user)

    def queries(self, url: str, per_page: int) -> int:
        with CaptureQueriesContext(connection) as queries:
            # Each pod of a list is read once for how its slots are used: rows of one pod are asked.
            asked = f"{url}?per_page={per_page}" + "&pod=v4" * url.endswith("/cubes/")
            response = self.client.get(asked, headers={"HX-Request": "true"})
        self.assertHttpStatus(response, 200)
        self.assertEqual(len(response.context["table"].page.object_list), per_page)
        return len(queries)

    def test_queries_do_not_grow_with_rows(self) -> None:
        for _, view, basename in pages.registry:
            with self.subTest(basename):
                url = reverse(f"plugins:fabric_twin:{view.queryset.model._meta.model_name}_list")
                self.queries(url, FEW)  # what Nautobot remembers is remembered
                few, many = (self.queries(url, per_page) for per_page in (FEW, MANY))
                self.assertEqual(few, many)

    def test_a_late_page_counts_the_findings_of_its_own_rows_alone(self) -> None:
        url, page, late = reverse("plugins:fabric_twin:port_list"), FEW, 5
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(
                f"{url}?per_page={page}&page={late}", headers={"HX-Request": "true"}
            )
        rows = [row.record.pk for row in response.context["table"].page.object_list]
        self.assertEqual(rows, [port.pk for port in Port.objects.all()[page * 4 : page * late]])
        [asked] = [q["sql"] for q in queries if 'AS "finding_count"' in q["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {asked}")
            [[[plan]]] = cursor.fetchall()
        counted = [one["Actual Loops"] for one in parts_of(plan["Plan"]) if "Subplan Name" in one]
        self.assertEqual(max(counted), page)


def parts_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A plan of PostgreSQL's, and all that is below."""
    yield plan
    for part in plan.get("Plans", ()):
        yield from parts_of(part)


class TabListsTest(TestCase):
    """Lists on the pages of Nautobot's own records: all there is, at one of each kind."""

    @classmethod
    def setUpTestData(cls) -> None:
        make_many_of_all()
        cls.rack, cls.device, cls.cable = (m.objects.first() for m in (Rack, Device, Cable))
        FindingPlace.objects.update(rack=cls.rack, device=cls.device, cable=cls.cable)
        OrderStep.objects.update(rack=cls.rack, device=cls.device)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()
        self.client.force_login(self.user)

    def queries(self, url: str, rows: list[Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            response = self.client.get(url)
        self.assertHttpStatus(response, 200)
        for row in rows:
            self.assertContains(response, row.get_absolute_url())
        return len(queries)

    def test_queries_do_not_grow_with_rows(self) -> None:
        tabs = {
            "rack_findings": (self.rack, Finding),
            "device_findings": (self.device, Finding),
            "cable_findings": (self.cable, Finding),
            "rack_orders": (self.rack, WorkOrder),
            "device_orders": (self.device, WorkOrder),
        }
        for name, (record, model) in tabs.items():
            with self.subTest(name), transaction.atomic():
                url = reverse(f"plugins:fabric_twin:{name}", args=[record.pk])
                rows = list(model.objects.all())
                self.assertEqual(len(rows), MANY)
                self.queries(url, rows)  # what Nautobot remembers is remembered
                many = self.queries(url, rows)
                model.objects.exclude(pk__in=[row.pk for row in rows[:FEW]]).delete()
                self.assertEqual(self.queries(url, rows[:FEW]), many)
                transaction.set_rollback(True)
