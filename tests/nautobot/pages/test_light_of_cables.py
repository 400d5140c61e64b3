"""When light last agreed with a cable: in Nautobot's list, filters, on its page, over REST."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import APITestCase, TestCase
from nautobot.dcim.models import Cable
from nautobot.users.models import ObjectPermission

from fabric_twin.models import AgreedCable, Pod
from fabric_twin.operations.pods.light_agreed import write_agreed
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.moments import local_moment
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of

MAY, JUNE = (datetime(2026, month, 1, 2, tzinfo=UTC) for month in (5, 6))
DAY = timedelta(days=1)
BEFORE = "fabric_twin_light_agreed_before"
SINCE = "fabric_twin_light_not_agreed_since"
NEVER = "fabric_twin_light_never_agreed"


class Light:
    """Cubes 1 and 2 of pod s: the first cable in May, two in June, one of no pod at all."""

    pod: Pod
    cables: list[Cable]

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("s", "small", hall(), slots=[1, 2])
        cls.pod = Pod.objects.get()
        cls.cables = list(Cable.objects.order_by("label"))
        Cable.objects.create(label="patch", status=status_of(Cable, "Connected"))
        labels = [cable.label for cable in cls.cables[:3]]
        write_agreed(PodRecord(cls.pod), labels, MAY)
        write_agreed(PodRecord(cls.pod), labels[1:], JUNE)

    def see(self, model: type, **constraints: Any) -> None:
        permission = ObjectPermission.objects.create(
            name=f"{model.__name__} {constraints}", constraints=constraints, actions=["view"]
        )
        permission.users.add(self.user)  # type: ignore[attr-defined]
        permission.object_types.add(ContentType.objects.get_for_model(model))

    def labels(self, first: int, last: int) -> list[str]:
        return [cable.label for cable in self.cables[first:last]]


class ListTest(Light, TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.see(Cable)

    def table(self, **asked: Any) -> Any:
        url = reverse("dcim:cable_list")
        response = self.client.get(url, asked, headers={"HX-Request": "true"})
        self.assertHttpStatus(response, 200)
        return response

    def column(self, **asked: Any) -> dict[str, str]:
        table = self.table(**{"per_page": 100, **asked}).context["table"]
        rows = table.page.object_list
        return {row.record.label: row.get_cell("fabric_twin_light_agreed") for row in rows}

    def test_the_list_says_when_for_cables_of_pods_that_one_may_see(self) -> None:
        self.assertEqual(set(self.column().values()), {"—"})
        self.see(Pod, name="s")
        column = self.column()
        may, june = local_moment(MAY), local_moment(JUNE)
        self.assertEqual([column[label] for label in self.labels(0, 3)], [may, june, june])
        self.assertEqual({column[label] for label in self.labels(3, 99)}, {"never"})
        self.assertEqual(column["patch"], "—")
        self.assertContains(self.table(), "Light agreed")

    def test_the_list_is_sorted_by_it(self) -> None:
        self.see(Pod)
        column = self.column(sort="fabric_twin_light_agreed")
        first, *later = list(column)[:3]
        self.assertEqual((first, set(later)), (self.cables[0].label, set(self.labels(1, 3))))
        column = self.column(sort="fabric_twin_light_agreed", per_page=2)
        self.assertEqual(list(column.values()), [local_moment(MAY), local_moment(JUNE)])

    def test_the_list_is_filtered_by_it(self) -> None:
        self.see(Pod)
        rest = set(self.labels(3, 99))
        for asked, expected in (
            ({BEFORE: MAY + DAY}, {self.cables[0].label}),
            ({BEFORE: MAY}, set()),
            ({SINCE: MAY + DAY}, {self.cables[0].label, *rest}),
            ({NEVER: "True"}, rest),
            ({NEVER: "False"}, set(self.labels(0, 3))),
            ({NEVER: ""}, {*self.labels(0, 99), "patch"}),
        ):
            with self.subTest(asked):
                self.assertEqual(set(self.column(**asked)), expected)

    def test_a_filter_tells_nothing_of_pods_that_one_may_not_see(self) -> None:
        self.see(Pod, name="another")
        for asked in ({BEFORE: JUNE + DAY}, {SINCE: JUNE + DAY}, {NEVER: "True"}, {NEVER: "False"}):
            with self.subTest(asked):
                self.assertEqual(self.column(**asked), {})

    def test_the_form_of_the_list_asks_for_it(self) -> None:
        page = self.client.get(reverse("dcim:cable_list")).content.decode()
        for name in (BEFORE, SINCE, NEVER):
            self.assertRegex(page, f'name="{name}"')

    def test_a_date_that_is_none_is_refused(self) -> None:
        self.see(Pod)
        self.assertContains(self.table(**{BEFORE: "soon"}), "valid date/time")

    def test_a_page_of_many_rows_asks_as_often_as_one_of_few(self) -> None:
        self.see(Pod)
        counts = []
        for per_page in (5, 5, 40):
            with CaptureQueriesContext(connection) as queries:
                self.table(per_page=per_page)
            counts.append(len(queries))
            asked = [q["sql"] for q in queries if "fabric_twin_agreedcable" in q["sql"]]
            self.assertEqual(len(asked), 1)
        self.assertEqual(counts[1], counts[2])

    def test_the_page_of_a_cable_says_it(self) -> None:
        def told(cable: Cable) -> str | None:
            page = self.client.get(cable.get_absolute_url()).content.decode()
            found = re.search(r'id="in-the-fabric_value_light-agreed">(.*?)</span>', page)
            return found and found[1]

        self.assertIsNone(told(self.cables[0]))
        self.see(Pod)
        self.assertEqual(told(self.cables[0]), local_moment(MAY))
        self.assertEqual(told(self.cables[3]), "never")
        self.assertIsNone(told(Cable.objects.get(label="patch")))


class RestTest(Light, APITestCase):
    def ask(self, path: str, **asked: Any) -> list[Any]:
        response = self.client.get(f"/api/{path}/", {"limit": 100, **asked}, **self.header)
        self.assertHttpStatus(response, 200)
        return response.json()["results"]

    def test_it_is_told_of_cables_that_light_agreed_with(self) -> None:
        path = "plugins/fabric-twin/agreed-cables"
        self.see(AgreedCable, agreement__pod__name="s")
        first, *others = self.ask(path)
        self.assertEqual((first["at"], len(others)), ("2026-05-01T02:00:00Z", 2))
        self.assertEqual(first["cable"]["id"], str(self.cables[0].pk))
        self.assertEqual(first["pod"]["id"], str(self.pod.pk))
        self.assertEqual(self.ask(path, at__lt=(MAY + DAY).isoformat()), [first])
        self.assertEqual(self.ask(path, cable=self.cables[0].label), [first])
        self.assertEqual(self.ask(path, pod="s"), [first, *others])

    def test_it_is_hidden_from_who_may_not_see_its_pod(self) -> None:
        self.see(AgreedCable, agreement__pod__name="another")
        self.assertEqual(self.ask("plugins/fabric-twin/agreed-cables"), [])

    def test_nautobots_own_list_is_filtered_by_it(self) -> None:
        self.see(Cable)
        self.see(Pod)
        old = self.ask("dcim/cables", **{BEFORE: (MAY + DAY).isoformat()})
        self.assertEqual([cable["label"] for cable in old], [self.cables[0].label])
        never = self.ask("dcim/cables", **{NEVER: "true"})
        self.assertEqual({cable["label"] for cable in never}, set(self.labels(3, 99)))
