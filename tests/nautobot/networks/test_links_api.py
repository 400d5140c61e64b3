"""Links and load of a network over REST: all of it, and what a user may see of it."""

from datetime import date
from pathlib import Path
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import APITestCase

from fabric_twin.models import Block, Demand, OpticalCircuit, Pod, Switch
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.load import load_network
from tests.nautobot.bases.networks.small_network import load_small_network, make_network
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_pod, status_of
from tests.nautobot.bases.users import allow

FILES = Path(__file__).parents[3] / "docs/examples/topology"


def row(a: str | None, b: str | None, asked: float | None, load: float | None) -> dict[str, Any]:
    """A pair of four links, two of which are on the switch that is out."""
    facts = {"a": a, "b": b, "links": 4, "left": 2, "asked_gbps": asked}
    return {**facts, "carried_gbps": 800.0, "load": load}


class LinksTest(APITestCase):
    """Four blocks, uniform, with a demand; the first of two switches is out."""

    @classmethod
    def setUpTestData(cls) -> None:
        blocks, now, asked = (
            (FILES / name).read_bytes() for name in ("four-blocks.json", "now.json", "demand.csv")
        )
        load_network("dc1", blocks, hall(), circuits=now)
        cls.pod = Pod.objects.get(name="dc1")
        keep_demand(cls.pod, asked, day=date(2026, 11, 1))
        Switch.objects.filter(number=0).update(status=status_of(Switch, "Out"))

    def setUp(self) -> None:
        super().setUp()
        allow(self.user, ["view"], Pod, name="dc1")

    def see(self, *models: Any) -> None:
        """The user may see all records of some kinds."""
        allow(self.user, ["view"], *models)

    def links(self, pod: Pod | None = None, code: int = 200) -> Any:
        url = reverse("plugins-api:fabric_twin-api:pod-links", args=[(pod or self.pod).pk])
        response = self.client.get(url, **self.header)
        self.assertHttpStatus(response, code)
        return response.json()

    def test_all_that_the_page_has(self) -> None:
        self.see(Block, Switch, OpticalCircuit, Demand)
        others = [("ab01", "ab03"), ("ab01", "ab04"), ("ab02", "ab03"), ("ab02", "ab04")]
        self.assertEqual(
            self.links(),
            {
                "version": 1,
                "network": "dc1",
                "demand": "2026-11-01",
                "demand_hidden": False,
                "circuits_hidden": False,
                "circuits_of_no_pair": 0,
                "pairs": [
                    row("ab01", "ab02", 1600.0, 2.0),
                    *(row(*pair, 400.0, 0.5) for pair in others),
                    row("ab03", "ab04", 400.0, 0.5),
                ],
                "odd": [],
            },
        )

    def pile_up(self) -> None:
        """All that is left are four links of ab01 and ab02, on the first switch."""
        OpticalCircuit.objects.all().delete()
        for a, b in ((1, 4), (2, 5), (3, 6), (4, 1)):
            OpticalCircuit.objects.create(switch=Switch.objects.get(number=0), a=a, b=b)

    def test_a_pair_that_is_uneven_and_a_circuit_of_no_pair(self) -> None:
        self.see(Block, Switch, OpticalCircuit, Demand)
        self.pile_up()
        OpticalCircuit.objects.create(switch=Switch.objects.get(number=0), a=50, b=51)
        said = self.links()
        self.assertEqual(said["circuits_of_no_pair"], 1)
        pair = {"a": "ab01", "b": "ab02", "least": 1, "most": 3}
        self.assertEqual(
            said["odd"],
            [
                {**pair, "switch": "dc1-ocs-01", "links": 4},
                {**pair, "switch": "dc1-ocs-02", "links": 0},
            ],
        )

    def test_without_demand_there_is_no_load(self) -> None:
        self.see(Block, Switch, OpticalCircuit, Demand)
        Demand.objects.all().delete()
        said = self.links()
        self.assertEqual((said["demand"], said["demand_hidden"]), (None, False))
        self.assertEqual({(one["asked_gbps"], one["load"]) for one in said["pairs"]}, {(0.0, 0.0)})

    def test_what_may_not_be_seen_is_neither_named_nor_taken_for_nothing(self) -> None:
        allow(self.user, ["view"], Block, name="ab01")
        allow(self.user, ["view"], OpticalCircuit, switch__number=0)
        said = self.links()
        hidden = {
            name: said[name] for name in ("demand", "demand_hidden", "circuits_hidden", "odd")
        }
        self.assertEqual(
            hidden, {"demand": None, "demand_hidden": True, "circuits_hidden": True, "odd": None}
        )
        seen = {"links": 2, "left": 0, "asked_gbps": None, "carried_gbps": 0.0, "load": None}
        self.assertEqual(said["pairs"][0], {"a": "ab01", "b": None, **seen})
        self.assertEqual({(one["a"], one["b"]) for one in said["pairs"][3:]}, {(None, None)})

    def test_load_needs_the_demand_and_all_circuits(self) -> None:
        self.see(Block, Switch, OpticalCircuit)
        self.assertEqual(self.links()["pairs"][0], row("ab01", "ab02", None, None))
        self.see(Demand)
        OpticalCircuit.objects.all().delete()
        [*_, last] = self.links()["pairs"]
        self.assertEqual((last["asked_gbps"], last["links"], last["load"]), (400.0, 0, None))

    def test_an_uneven_pair_on_a_hidden_switch_is_told_without_its_name(self) -> None:
        self.see(Block, OpticalCircuit)
        self.pile_up()
        self.assertEqual([one["switch"] for one in self.links()["odd"]], [None, None])

    def test_another_network_is_not_there(self) -> None:
        other = make_network("dc2", location=self.pod.location)
        self.links(other, 404)

    def test_a_pod_of_cubes_and_a_network_without_blocks_are_refused_with_what_to_do(self) -> None:
        allow(self.user, ["view"], Pod)
        cubes = make_pod("iw1", design="ironwood", slots=[1], location=self.pod.location)
        bare = make_network("dc3", 0, location=self.pod.location)
        for pod, code, what in (
            (cubes, 400, "it has no blocks, between which links could follow demand"),
            (bare, 409, "it has no blocks yet"),
        ):
            with self.subTest(pod.name):
                said = self.links(pod, code)
                self.assertEqual((said["what"], set(said)), (what, {"what", "where", "remedy"}))

    def test_more_blocks_and_circuits_take_no_more_queries(self) -> None:
        allow(self.user, ["view"], Pod)
        self.see(Block, Switch, OpticalCircuit, Demand)
        small = load_small_network("dc2")
        keep_demand(small, b"from,to,gbps\nab01,ab02,1\n")
        OpticalCircuit.objects.create(switch=small.switches.get(number=0), a=1, b=4)
        many = []
        for pod in (small, small, self.pod):
            with CaptureQueriesContext(connection) as queries:
                self.links(pod)
            many.append(len(queries))
        self.assertEqual(many[1], many[2])
        self.assertLessEqual(many[2], 30)
