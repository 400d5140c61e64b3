"""The page of a network: links, load, switches; and what it cannot do yet."""

import re
from datetime import date
from pathlib import Path
from typing import Any

from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CableToCableTermination, Interface

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import (
    Block,
    Demand,
    Finding,
    OpticalCircuit,
    Pod,
    Port,
    Slice,
    Substitution,
    Switch,
)
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.orders.propose import OrderWish, propose_order
from fabric_twin.operations.pods.ask_sync import can_be_read
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.presenters.attention import attention
from fabric_twin.presenters.networks.network import CIRCUITS_HIDDEN, DEMAND_HIDDEN, NetworkSight
from fabric_twin.presenters.visible_pod import HIDDEN, Sight
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import admin, allow, somebody

FILES = Path(__file__).parents[3] / "docs/examples/topology"


class NetworkCase(TestCase):
    """Four blocks, uniform, with a demand."""

    @classmethod
    def setUpTestData(cls) -> None:
        blocks, now = ((FILES / name).read_bytes() for name in ("four-blocks.json", "now.json"))
        load_network("dc1", blocks, hall(), circuits=now)
        cls.pod = Pod.objects.get(name="dc1")
        cls.asked = (FILES / "demand.csv").read_bytes()
        keep_demand(cls.pod, cls.asked, day=date(2026, 11, 1))

    def pairs(self) -> dict[tuple[str, str], tuple[int, int, float]]:
        """Links, those that are left, and the load of each pair."""
        stands = NetworkSight(self.pod, admin()).stands
        return {
            (pair.one, pair.other): (pair.links, pair.left, round(pair.load, 3))
            for pair in stands.pairs()
        }


class FailureTest(NetworkCase):
    """What each pair keeps."""

    def test_a_switch_that_is_out_takes_its_share_of_every_pair(self) -> None:
        before = self.pairs()
        self.assertEqual({links for links, _, _ in before.values()}, {4})
        Switch.objects.filter(number=0).update(status=status_of(Switch, "Out"))
        after = self.pairs()
        for pair, (links, left, load) in after.items():
            self.assertEqual((links, left), (4, 2), pair)
            self.assertEqual(load, 2 * before[pair][2], pair)
        matters = [(one.many, one.what) for one in attention(Sight(self.pod, admin()))]
        self.assertEqual(
            matters,
            [
                (1, "pair of blocks with more demand than their links carry"),
                (1, "switch out of service"),
            ],
        )

    def test_a_port_takes_one_link_and_a_block_all_of_its_own(self) -> None:
        port = self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name="1A")
        status = status_of(type(port.interface), "Failed")
        type(port.interface).objects.filter(pk=port.interface_id).update(status=status)
        self.assertEqual(sum(links - left for links, left, _ in self.pairs().values()), 1)
        Block.objects.filter(name="ab02").update(status=status_of(Block, "Out"))
        for (one, other), (_, left, _) in self.pairs().items():
            self.assertEqual(left == 0, "ab02" in (one, other))

    def test_a_strand_without_its_cable_carries_nothing(self) -> None:
        Cable.objects.filter(label__startswith="dc1-ab04").delete()
        for (one, other), (_, left, _) in self.pairs().items():
            self.assertEqual(left == 0, "ab04" in (one, other))

    def test_a_spare_that_takes_a_port_keeps_its_link(self) -> None:
        """Its cable and its circuit move to the spare; the bad port takes nothing then."""
        port, spare = (
            self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name=name)
            for name in ("1A", "129A")
        )
        Substitution.objects.create(port=port, spare=spare)
        ends = CableToCableTermination.objects.filter(interface=port.interface_id)
        ends.update(interface=spare.interface_id)
        self.assertEqual(self.lost(), 1)
        OpticalCircuit.objects.filter(switch__number=0, a=1).update(a=129)
        failed = status_of(Interface, "Failed")
        Interface.objects.filter(pk=port.interface_id).update(status=failed)
        self.assertEqual({(links, left) for links, left, _ in self.pairs().values()}, {(4, 4)})

    def lost(self) -> int:
        """How many links do not work."""
        pairs = self.pairs().values()
        self.assertEqual({links for links, _, _ in pairs}, {4})
        return sum(links - left for links, left, _ in pairs)

    def test_a_circuit_at_a_port_of_no_block_is_told_and_the_rest_is_drawn(self) -> None:
        OpticalCircuit.objects.create(switch=Switch.objects.get(number=0), a=50, b=51)
        sight = NetworkSight(self.pod, admin())
        self.assertEqual(
            sight.gaps, ("1 circuit not drawn: at ports of no block, or within one block",)
        )
        self.assertEqual(len(sight.stands.circuits), 24)


class DemandTest(NetworkCase):
    """A matrix of a day, and its history."""

    def test_the_last_day_counts_and_the_days_before_are_kept(self) -> None:
        keep_demand(
            self.pod, b"from,to,gbps\nab01,ab02,100\nab02,ab01,300\n", day=date(2026, 11, 2)
        )
        self.assertEqual(
            list(Demand.objects.values_list("day", flat=True)),
            [date(2026, 11, 2), date(2026, 11, 1)],
        )
        sight = NetworkSight(self.pod, admin())
        self.assertEqual(sight.demand.rows, [("ab01", "ab02", 300.0)])
        self.assertEqual(self.pairs()["ab01", "ab02"], (4, 4, 0.188))

    def test_the_same_day_again_takes_its_place_and_a_dry_run_keeps_nothing(self) -> None:
        one = b"from,to,gbps\nab01,ab02,100\n"
        tried = keep_demand(self.pod, one, day=date(2026, 11, 1), dry_run=True)
        self.assertEqual(
            str(tried),
            "Network dc1: would keep 100 Gbit/s between 1 pair of 2026-11-01 instead of what was "
            "there of that day.",
        )
        self.assertGreater(len(Demand.objects.get().rows), 1)
        keep_demand(self.pod, one, day=date(2026, 11, 1))
        self.assertEqual(Demand.objects.get().rows, [("ab01", "ab02", 100.0)])

    def test_what_cannot_be_read_is_refused_whole(self) -> None:
        for data, why in (
            (b"from,to,gbps\nab01,ab09,1\n", "there is no block 'ab09'"),
            (b"from,to,gbps\nab01,ab02,much\n", "'much' is no demand"),
            (b"from,to,gbps\n", "no pair asks for anything"),
        ):
            with self.subTest(why), self.assertRaisesMessage(FabricTwinError, why):
                keep_demand(self.pod, data)
        self.assertEqual(Demand.objects.count(), 1)

    def test_who_may_not_add_demand_adds_none(self) -> None:
        user = somebody("reader")
        allow(user, ["view"], Pod)
        with self.assertRaisesMessage(FabricTwinError, "reader may not add demand"):
            keep_demand(self.pod, self.asked, day=date(2026, 11, 3), user=user)
        self.assertEqual(Demand.objects.count(), 1)


class PageTest(NetworkCase):
    """What is shown, to whom."""

    def page(self) -> str:
        """The page, as the user who is logged in sees it."""
        url = reverse("plugins:fabric_twin:pod", args=[self.pod.pk])
        answer = self.client.get(url)
        self.assertEqual(answer.status_code, 200)
        return answer.content.decode()

    def test_it_draws_links_and_switches_and_offers_what_a_network_can_do(self) -> None:
        self.client.force_login(admin())
        page = self.page()
        for there in ("Links of network dc1", "dc1-ocs-02", "Load Blocks", "Import Demand"):
            self.assertIn(there, page)
        for absent in (
            "slots without a cube",
            "Make Slice",
            "Load Cubes",
            "Free cubes",
            "Work order</",
        ):
            self.assertNotIn(absent, page)
        for button in ("Ticket", "Work order", "Sync", "Discover"):
            self.assertNotRegex(page, rf"{button}\s*</")
        self.assertRegex(page, r"Import Demand\s*</")
        for kind, record in (("block", Block.objects.first()), ("switch", Switch.objects.first())):
            self.assertIn(reverse(f"plugins:fabric_twin:{kind}", args=[record.pk]), page)

    def test_what_a_user_may_not_see_is_not_named_and_said_to_be_missing(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Switch)
        allow(user, ["view"], Block, name="ab01")
        self.client.force_login(user)
        page = self.page()
        self.assertIn("ab01", page)
        self.assertNotIn("ab03", page)
        self.assertIn(CIRCUITS_HIDDEN, page)
        self.assertIn(DEMAND_HIDDEN, page)
        self.assertNotIn("none is kept", page)
        words = " ".join(re.sub("<[^>]*>", " ", page).split())
        self.assertIn(f"Uneven over switches {HIDDEN}", words)

    def alarms(self, user: Any) -> list[str]:
        """What the page of the first switch says is wrong with its cables."""
        self.client.force_login(user)
        url = reverse("plugins:fabric_twin:switch", args=[Switch.objects.get(number=0).pk])
        page = self.client.get(url).content.decode()
        return [said for said in ("the rule wants no cable here", "is missing") if said in page]

    def test_a_switch_is_well_for_who_may_not_see_its_blocks(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Switch, Port)
        allow(user, ["view"], Block, name="ab01")
        self.assertEqual(self.alarms(user), [])

    def test_nobody_misses_the_cables_of_a_block_that_is_out(self) -> None:
        Cable.objects.filter(label__startswith="dc1-ab04").delete()
        self.assertEqual(self.alarms(admin()), ["is missing"])
        Block.objects.filter(name="ab04").update(status=status_of(Block, "Out"))
        self.assertEqual(self.alarms(admin()), [])

    def test_the_page_of_a_switch_draws_blocks(self) -> None:
        self.client.force_login(admin())
        url = reverse("plugins:fabric_twin:switch", args=[Switch.objects.get(number=0).pk])
        page = self.client.get(url).content.decode()
        self.assertIn("Network dc1 (network-2): joins blocks", page)
        self.assertIn("ab02", page)
        self.assertNotIn(">c004<", page)

    def test_pages_of_all_parts_open(self) -> None:
        self.client.force_login(admin())
        port = self.pod.ports.filter(block__isnull=False).first()
        for url in (
            reverse("plugins:fabric_twin:switch", args=[Switch.objects.first().pk]),
            reverse("plugins:fabric_twin:port", args=[port.pk]),
            reverse("plugins:fabric_twin:port", args=[self.pod.ports.last().pk]),
            reverse("plugins:fabric_twin:interface_light_path", args=[port.interface_id]),
            reverse("plugins:fabric_twin:opticalcircuit", args=[OpticalCircuit.objects.first().pk]),
            reverse("plugins:fabric_twin:pod_list"),
            reverse("plugins:fabric_twin:shift"),
            reverse("home"),
        ):
            with self.subTest(url):
                self.assertEqual(self.client.get(url).status_code, 200)


class RefusedTest(NetworkCase):
    """What a network cannot do yet, it says."""

    def test_slices_tickets_and_orders_are_refused_with_the_reason(self) -> None:
        user = admin()
        for what, why in (
            (lambda: make_slice(self.pod, Wish(shape="4x4x4"), user), "slices are of cubes"),
            (
                lambda: propose_ticket(self.pod, "slice", {"shape": "4x4x4"}),
                "its circuits follow from the links",
            ),
            (
                lambda: propose_ticket(self.pod, "maintenance", {"slots": [1]}),
                "a network has neither cubes nor slices",
            ),
            (
                lambda: propose_order(self.pod, OrderWish(kind="decommission", slots=(1,))),
                "an order of the kind decommission names no block",
            ),
        ):
            with self.subTest(why), self.assertRaisesMessage(FabricTwinError, why):
                what()
        self.assertFalse(Slice.objects.exists() or Finding.objects.exists())

    def test_its_switches_are_read_once_they_have_an_address(self) -> None:
        switch = Switch.objects.first()
        self.assertFalse(can_be_read(self.pod))
        switch.address = "127.0.0.1:50051"
        switch.validated_save()
        self.assertTrue(can_be_read(self.pod))
