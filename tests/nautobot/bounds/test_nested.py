"""What is asked for with all that it names: so many records, so many queries, and no hidden one."""

from typing import Any

from constance.test import override_config
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import APITestCase

from fabric_twin.api.readable import MOST_NESTED
from fabric_twin.models import OpticalCircuit, Pod, Port, Slice, Switch
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.users import allow

ROOT = "/api/plugins/fabric-twin/"
ALL_PODS = "{ pods { name slices { name } switches { device { name } circuits { a b } } } }"


class NestedTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("admin of nested")
        for name in ("a", "b", "c"):
            small_pod(name)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def get(self, path: str, code: int = 200) -> Any:
        told = self.client.get(f"{ROOT}{path}", **self.header)
        self.assertEqual(told.status_code, code, told.content[:300])
        return told.json()

    def ask(self, query: str) -> Any:
        told = self.client.post("/api/graphql/", {"query": query}, format="json", **self.header)
        return told.json()["data"]

    def add_slice(self, pod: str) -> None:
        made = make_pod(pod, slots=(1, 2), location=hall(f"Hall of {pod}"))
        make_slice(made, Wish(shape="4x4x8"), self.admin)

    def test_a_list_has_fewer_records_the_deeper_they_are_shown(self) -> None:
        for depth, most in MOST_NESTED.items():
            self.assertEqual(
                self.get(f"ports/?depth={depth}&limit={most + 1}", 400),
                {
                    "what": f"{most + 1} records with depth={depth} are too many",
                    "where": "depth",
                    "remedy": f"Use limit={most} and offset",
                },
            )
        self.assertEqual(len(self.get("ports/?depth=2&limit=25")["results"]), 25)
        with CaptureQueriesContext(connection) as asked:
            self.get("ports/?depth=2&limit=26", 400)
        self.assertNotIn("LIMIT 26", str(asked.captured_queries), "not read to be refused")
        # Few are few, whatever the page could hold.
        self.assertEqual(len(self.get("pods/?depth=3")["results"]), 3)
        for path in (f"ports/{Port.objects.first().pk}/?depth=4", "ports/?depth=9&limit=1"):
            told = self.get(path, 400)
            self.assertEqual(told["remedy"], "Use depth=3 at most, or GraphQL")

    def test_a_page_of_which_nobody_said_how_long_is_as_long_as_can_be_shown(self) -> None:
        for asked in ("", "&limit=0", "&limit=x"):
            with self.subTest(asked):
                first = self.get(f"ports/?depth=2{asked}")
                self.assertEqual(len(first["results"]), 25)
                self.assertEqual(first["count"], Port.objects.count())
                more = self.get(first["next"].partition(ROOT)[2])
                keys = {port["id"] for port in (*first["results"], *more["results"])}
                self.assertEqual(len(keys), 50)
        self.assertEqual(len(self.get("ports/?depth=3")["results"]), 5)
        self.assertEqual(self.get("ports/?depth=4", 400)["where"], "depth")

    def test_all_pods_by_graphql_take_as_many_queries_however_many_there_are(self) -> None:
        costs = []
        for pod in ("d", "e", "f"):
            self.add_slice(pod)
            with CaptureQueriesContext(connection) as asked:
                told = self.ask(ALL_PODS)
            costs.append(len(asked))
        self.assertEqual([pod["name"] for pod in told["pods"]], list("abcdef"))
        self.assertEqual(costs[1], costs[2])

    def test_graphql_leaves_out_what_one_may_not_see(self) -> None:
        self.add_slice("d")
        self.user.is_superuser = False
        self.user.save()
        allow(self.user, ["view"], Pod, name="a")
        allow(self.user, ["view"], Slice, Switch, pod__name="a")
        allow(self.user, ["view"], OpticalCircuit, switch__pod__name="a")
        self.assertEqual([pod["name"] for pod in self.ask(ALL_PODS)["pods"]], ["a"])
        rest = "{ slices { name } optical_circuits { a } }"
        self.assertEqual(self.ask(rest), {"slices": [], "optical_circuits": []})

    @override_config(MAX_PAGE_SIZE=10)
    def test_nautobot_sets_no_bound_to_graphql_yet(self) -> None:
        """When this fails, docs/production.md need not warn of it any more."""
        self.assertEqual(len(self.get("ports/?limit=0")["results"]), 10)
        self.assertEqual(len(self.ask("{ ports { number } }")["ports"]), Port.objects.count())
        self.assertEqual(len(self.ask("{ ports(limit: 7) { number } }")["ports"]), 7)
