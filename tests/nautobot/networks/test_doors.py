"""A network on its pages: what blocks and demand show, to whom, and where Nautobot's own lead."""

import re
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device

from fabric_twin.filters import FindingFilterSet, PortFilterSet
from fabric_twin.models import Block, Cube, Demand, Finding, FindingPlace, Pod, Port
from tests.nautobot.bases.networks.small_network import (
    FIRST_DAY,
    add_demand,
    load_small_network,
    make_network,
)
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small_pod import make_location, make_pod

HTMX = {"HX-Request": "true"}
ROWS = [("ab01", "ab02", 2.5), ("ab01", "gone", 1200), ("ab02", "gone", 2.5)]


def find_at(device: Device, port: Port | None = None) -> Finding:
    """A finding at a device, or at a port of it."""
    now = timezone.now()
    seen = dict.fromkeys(("first_seen", "opened", "last_seen"), now)
    finding = Finding.objects.create(
        pod=Pod.objects.get(),
        key=device.name,
        code="dark",
        severity="error",
        cause="it was found",
        **seen,
    )
    FindingPlace.objects.create(
        finding=finding, number=1, device=device, device_name=device.name, port=port
    )
    return finding


class Pages(TestCase):
    """Somebody who sees all of it, until a test says what else."""

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()
        self.client.force_login(self.user)

    def page(self, url: str, **headers: str) -> str:
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, 200)
        return response.content.decode()

    def words(self, url: str, **headers: str) -> str:
        """The text of a page, in one line."""
        return " ".join(re.sub("<[^>]*>", " ", self.page(url, **headers)).split())

    def listed(self, kind: str) -> str:
        """The rows of a list."""
        return self.words(reverse(f"plugins:fabric_twin:{kind}_list"), **HTMX)


class LoadedNetworkTest(Pages):
    """With ports and cables."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = load_small_network()
        cls.block = cls.pod.blocks.get(name="ab02")

    def test_a_block_shows_where_its_uplinks_go(self) -> None:
        page = self.words(self.block.get_absolute_url())
        for told in (
            "Ports 4A-6A, 4B-6B of every switch",
            "Strands with a cable 12 of 12",
        ):
            self.assertIn(told, page)

    def test_a_block_has_the_findings_at_both_ends_of_its_cables(self) -> None:
        other = self.pod.blocks.first()
        port = self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name="4A")
        at_block, at_switch = find_at(self.block.device), find_at(port.interface.device, port)
        self.assertIn("Findings 2", self.words(self.block.get_absolute_url()))
        self.assertNotIn("Findings 2", self.words(other.get_absolute_url()))
        tabs = [self.page(f"{block.get_absolute_url()}findings/") for block in (self.block, other)]
        for finding in (at_block, at_switch):
            shown = [f'href="{finding.get_absolute_url()}"' in tab for tab in tabs]
            self.assertEqual(shown, [True, False])
        rows = self.page(reverse("plugins:fabric_twin:block_list"), **HTMX)
        self.assertIn(f'?block={self.block.pk}&amp;is_there=True&amp;silenced=False">2</a>', rows)
        self.assertNotIn(f"?block={other.pk}&amp;is_there", rows)

    def test_what_may_not_be_seen_is_not_told(self) -> None:
        find_at(self.block.device)
        see_one_pod(self.user, "dc1", {Pod: "name", Block: "pod__name"})
        page = self.words(self.block.get_absolute_url())
        self.assertIn("Strands with a cable (hidden)", page)
        self.assertNotIn("Findings", page)

    def test_ports_and_findings_are_found_by_their_block(self) -> None:
        port = self.pod.ports.get(interface__device__name="dc1-ocs-02", interface__name="6B")
        found = {find_at(self.block.device), find_at(port.interface.device, port)}
        for name in ("dc1-ab02", str(self.block.pk)):
            ports = PortFilterSet({"block": [name]})
            self.assertTrue(ports.is_valid(), ports.errors)
            self.assertEqual(set(ports.qs), set(self.block.ports.all()))
            self.assertEqual(set(FindingFilterSet({"block": [name]}).qs), found)
        self.assertEqual(list(FindingFilterSet({"block": ["dc1-ab01"]}).qs), [])

    def test_a_port_shows_its_block_and_one_of_a_switch_none(self) -> None:
        port = self.block.ports.first()
        page = self.page(port.get_absolute_url())
        self.assertIn(self.block.get_absolute_url(), page)
        of_switch = Port.objects.filter(switch__pod=self.pod).first()
        self.assertNotIn(">Block<", self.page(of_switch.get_absolute_url()))

    def test_nautobots_page_of_its_device_leads_to_the_block(self) -> None:
        page = self.page(self.block.device.get_absolute_url())
        self.assertIn("block ab02 of network dc1", page)
        self.assertIn(self.block.get_absolute_url(), page)
        if rack := self.block.device.rack:
            self.assertIn(self.block.get_absolute_url(), self.page(rack.get_absolute_url()))

    def test_ports_of_blocks_take_no_query_a_row(self) -> None:
        for url, depth in (
            (reverse("plugins:fabric_twin:port_list"), ""),
            ("/api/plugins/fabric-twin/ports/", "&depth=0"),
            ("/api/plugins/fabric-twin/ports/", "&depth=1"),
        ):
            with self.subTest(url, depth=depth):
                limit = "limit" if depth else "per_page"
                asked = [f"{url}?block={self.block.pk}&{limit}={many}{depth}" for many in (3, 12)]
                self.page(asked[0], **HTMX)  # what Nautobot remembers is remembered
                many = []
                for one in asked:
                    with CaptureQueriesContext(connection) as queries:
                        self.page(one, **HTMX)
                    many.append(len(queries))
                self.assertEqual(*many)

    def test_to_delete_a_block_is_said_to_take_its_ports_and_leave_its_device(self) -> None:
        url = reverse("plugins:fabric_twin:block_delete", args=[self.block.pk])
        self.assertIn("Its 12 ports are then no ports of the network any more", self.words(url))
        self.client.post(url, {"confirm": True})
        self.assertFalse(Block.objects.filter(pk=self.block.pk).exists())
        self.assertTrue(Device.objects.filter(name="dc1-ab02").exists())


class DemandPageTest(Pages):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_network("dc1")
        cls.demand = add_demand(cls.pod, ROWS)

    def test_pairs_come_the_largest_first_with_their_blocks_as_links(self) -> None:
        page = self.page(self.demand.get_absolute_url())
        words = " ".join(re.sub("<[^>]*>", " ", page).split())
        for told in (
            "Pairs 3",
            "Together 1,205 Gbit/s",
            "Demand, largest first",
            "ab01 gone 1,200 ab01 ab02 2.5 ab02 gone 2.5",
        ):
            self.assertIn(told, words)
        for block in self.pod.blocks.all():
            self.assertIn(f'<a href="{block.get_absolute_url()}">{block.name}</a>', page)

    def test_who_may_see_no_block_reads_only_its_name(self) -> None:
        see_one_pod(self.user, "dc1", {Demand: "pod__name"})
        page = self.page(self.demand.get_absolute_url())
        self.assertIn("<td>ab01</td>", page)
        self.assertNotIn("/blocks/", page)

    def test_a_day_that_counts_no_more_leads_to_the_one_that_does(self) -> None:
        self.assertNotIn("Replaced by", self.words(self.demand.get_absolute_url()))
        last = add_demand(self.pod, ROWS, day=3)
        self.assertIn("Replaced by 2026-11-04", self.words(self.demand.get_absolute_url()))
        self.assertNotIn("Replaced by", self.words(last.get_absolute_url()))

    def test_only_its_description_is_asked_for(self) -> None:
        url = reverse("plugins:fabric_twin:demand_edit", args=[self.demand.pk])
        page = self.page(url)
        self.assertIn('name="description"', page)
        for name in ("day", "gbps", "pod"):
            self.assertNotIn(f'name="{name}"', page)
        self.client.post(url, {"description": "a forecast", "day": "2030-01-01"})
        self.demand.refresh_from_db()
        self.assertEqual((self.demand.description, self.demand.day), ("a forecast", FIRST_DAY))


class ListsTest(Pages):
    def test_a_list_of_pods_counts_blocks_where_one_is_a_network(self) -> None:
        make_pod("iw1", design="ironwood", slots=[1, 2])
        self.assertNotIn("Blocks", self.listed("pod"))
        make_network("dc1", 3)
        rows = self.listed("pod")
        self.assertIn("Blocks", rows)
        self.assertIn("Hall of iw1 2 — 48 0", rows)
        self.assertIn("Hall of dc1 — 3 0 —", rows)

    def test_a_list_of_blocks_and_one_of_demand(self) -> None:
        add_demand(make_network("dc1"), ROWS)
        self.assertIn("dc1-ab02 4A-6A, 4B-6B 12 400 ", self.listed("block"))
        url = reverse("plugins:fabric_twin:block_list")
        table = self.client.get(url, headers=HTMX).context["table"]
        self.assertEqual(table.columns["ports"].header, "Ports")
        self.assertIn("2026-11-01 dc1 3 1,205", self.listed("demand"))

    def test_the_search_finds_a_block(self) -> None:
        block = make_network("dc1").blocks.get(name="ab02")
        asked = {"q": "dc1 ab02", "model": "fabric_twin.block"}
        shown = self.client.get(reverse("search"), asked, headers=HTMX)
        self.assertEqual([row.record for row in shown.context["table"].rows], [block])

    def test_the_home_page_counts_blocks(self) -> None:
        """Nautobot shows an error in place of a row that is empty."""
        row = re.compile(r">(\d+)</span>\s*<h3[^>]*><a href=\"[^\"]*\">Blocks</a></h3>")
        for many in ("0", "2"):
            home = self.page(reverse("home"))
            self.assertEqual(row.findall(home), [many])
            self.assertNotIn("Invalid link", home)
            make_network("dc1") if many == "0" else None


class OneNetworkOfTwoTest(Pages):
    """The other network is not there, on pages, over REST and in GraphQL."""

    @classmethod
    def setUpTestData(cls) -> None:
        for name in ("mine", "other"):
            add_demand(make_network(name, location=make_location(name)), ROWS)

    def setUp(self) -> None:
        super().setUp()
        see_one_pod(self.user, "mine", {Pod: "name", Block: "pod__name", Demand: "pod__name"})

    def test_lists_and_details(self) -> None:
        for kind, model in (("block", Block), ("demand", Demand)):
            for place in ("plugins:", "plugins-api:"):
                url = f"/{'api/' * ('api' in place)}plugins/fabric-twin/{kind}s/"
                with self.subTest(url):
                    shown = self.page(url, **({} if "api" in place else HTMX))
                    self.assertIn("mine", shown)
                    self.assertNotIn("other", shown)
                    for pod, code in (("mine", 200), ("other", 404)):
                        record = model.objects.filter(pod__name=pod).first()
                        self.assertHttpStatus(self.client.get(f"{url}{record.pk}/"), code)

    def test_graphql(self) -> None:
        query = "{ blocks { name pod { name } } demands { gbps pod { name blocks { name } } } }"
        said: Any = self.client.post(
            "/api/graphql/", {"query": query}, content_type="application/json"
        ).json()["data"]
        names = [{"name": name} for name in ("ab01", "ab02")]
        self.assertEqual(said["blocks"], [{**one, "pod": {"name": "mine"}} for one in names])
        [demand] = said["demands"]
        self.assertEqual(demand["pod"], {"name": "mine", "blocks": names})
        self.assertEqual(demand["gbps"], [list(row) for row in ROWS])

    def test_what_is_changed_is_of_mine(self) -> None:
        see_one_pod(
            self.user,
            "mine",
            {Pod: "name", Block: "pod__name", Demand: "pod__name"},
            {Block: ["change", "delete"], Demand: ["change", "delete"]},
        )
        for model, kind in ((Block, "blocks"), (Demand, "demands")):
            for pod, change, delete in (("mine", 200, 204), ("other", 404, 404)):
                with self.subTest(kind, pod=pod):
                    record = model.objects.filter(pod__name=pod).first()
                    url = f"/api/plugins/fabric-twin/{kind}/{record.pk}/"
                    said = {"description": "described"}
                    answer = self.client.patch(url, said, content_type="application/json")
                    self.assertHttpStatus(answer, change)
                    self.assertHttpStatus(self.client.delete(url), delete)


class NobodyHasAnyTest(Pages):
    def test_a_pod_of_cubes_is_no_network(self) -> None:
        pod = make_pod("iw1", design="ironwood", slots=[1])
        self.assertEqual((Cube.objects.count(), Block.objects.count()), (1, 0))
        form = {"pod": pod.pk, "name": "ab01", "first_port": 1, "strands": 12, "rate_gbps": 400}
        shown = self.client.post(reverse("plugins:fabric_twin:block_add"), form)
        self.assertContains(shown, "It is a pod of cubes. Choose a network.")
