"""A campus: a block in another building is loaded or installed there, with cables as long as said;
its light is held to their length; and it leaves as it came, by the topology."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, Location, LocationType, Rack

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.floor import Spot
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import Block, Finding, Pod, Switch, WorkOrder
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import core_of
from fabric_twin.presenters.walk import walk_of
from fabric_twin.repositories.floor import floor_of
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.fabric import Said, simulated_as
from tests.nautobot.bases.networks.network_runs import FILES, NetworkRunCase
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import admin, allow, somebody

CAMPUS, FOUR = ((FILES / f"{name}.json").read_bytes() for name in ("campus", "four-blocks"))
FAR = "Building 2"


def cable(strand: str) -> Cable:
    return Cable.objects.get(label=f"dc1-ab05:{strand}")


def lengths(order: WorkOrder) -> set[int]:
    return {laid.length_m for laid in core_of(order).cables}


class CampusLoadTest(TestCase):
    """Blocks over two switches in Hall 1, one of them in Building 2."""

    def setUp(self) -> None:
        super().setUp()
        self.here = hall()

    def test_a_block_is_loaded_into_its_building_with_cables_of_their_length(self) -> None:
        there = hall(FAR)
        load_network("dc1", CAMPUS, self.here)
        block = Block.objects.get(name="ab05")
        self.assertEqual((block.device.location, block.device.rack.location), (there, there))
        self.assertEqual(Rack.objects.filter(location=self.here, role__name="Block").count(), 4)
        self.assertEqual((cable("m01/1").length, cable("m01/1").length_unit), (5000, "m"))
        self.assertIsNone(Cable.objects.get(label="dc1-ab01:m01/1").length)
        lengths = PodRecord(block.pod).lengths
        self.assertEqual((lengths[:48].max(), *lengths[48:60]), (0, *[5000] * 12))
        again = load_network("dc1", CAMPUS, self.here)
        self.assertEqual(str(again), "Network dc1: nothing to load, all of it is there.")

    def test_what_is_no_building_is_refused_whole(self) -> None:
        cases = {
            "no such location, or you may not view it": lambda: None,
            "several locations have this name": lambda: (hall(FAR), hall(FAR)),
        }
        for why, prepare in cases.items():
            with self.subTest(why):
                prepare()
                with self.assertRaisesMessage(FabricTwinError, why):
                    load_network("dc1", CAMPUS, self.here)
                self.assertFalse(Pod.objects.exists())
        Location.objects.filter(name=FAR).delete()
        bare = LocationType.objects.create(name="City")
        active = status_of(Location, "Active")
        Location.objects.create(name=FAR, location_type=bare, status=active)
        with self.assertRaisesMessage(FabricTwinError, "a City holds no racks with devices"):
            load_network("dc1", CAMPUS, self.here)

    def test_who_may_not_view_a_building_puts_no_block_into_it(self) -> None:
        hall(FAR)
        user = somebody("loader")
        allow(user, ["view"], Location, name="Hall 1")
        allow(user, ["add"], Pod, Block, Switch, Rack, Device, Cable)
        with self.assertRaisesMessage(FabricTwinError, "you may not view it"):
            load_network("dc1", CAMPUS, self.here, user=user)


class CampusOrderTest(TestCase):
    """An order for a block in another building, on records alone."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.here, cls.there = hall(), hall(FAR)
        load_network("dc1", FOUR, cls.here)
        cls.pod = Pod.objects.get(name="dc1")

    def make(self, name: str = "ab05", **where: object) -> WorkOrder:
        block = NewBlock(name, 12, 400, **where)  # type: ignore[arg-type]
        return make_order(self.pod, OrderWish(kind=Kind.INSTALL, block=block), admin())

    def test_its_rack_is_there_and_its_cables_are_as_long_as_asked(self) -> None:
        order = self.make(location=FAR, cable_m=1800.0)
        block = Block.objects.get(name="ab05")
        self.assertEqual(block.device.rack.location, self.there)
        self.assertEqual(lengths(order), {1800})
        floor = floor_of(PodRecord(self.pod))
        self.assertEqual(floor.spots["dc1-ab05"], Spot(1, 1, FAR))
        stops = walk_of(order, 1)["stops"]
        self.assertEqual(
            [(stop["rack"], stop["building"], stop["metres"]) for stop in stops],
            [("dc1-ab05", FAR, 1800.0), ("dc1-ocs-r01", "", 1800.0)],
        )

    def test_a_second_block_there_takes_the_length_that_is_recorded(self) -> None:
        hall("Building 3")
        load_network("dc1", CAMPUS, self.here)
        order = self.make("ab06", location=str(self.there.pk))
        self.assertEqual(lengths(order), {5000})
        with self.assertRaisesMessage(FabricTwinError, "neither asked for nor recorded"):
            self.make("ab07", location="Building 3")

    def test_a_length_or_a_building_that_cannot_be_is_refused(
        self,
    ) -> None:
        with self.assertRaisesMessage(FabricTwinError, "follows from the floor"):
            self.make(cable_m=30.0)
        with self.assertRaisesMessage(FabricTwinError, "no length of its cables"):
            self.make(location=FAR, cable_m=float("nan"))
        load_network("dc1", CAMPUS, self.here, block_status="Planned")
        with self.assertRaisesMessage(FabricTwinError, "its record says that it stands in"):
            self.make(location="Hall 1")
        order = self.make(cable_m=700.0)
        self.assertEqual(lengths(order), {700})

    def test_racks_of_one_name_in_two_buildings_are_kept_apart(self) -> None:
        load_network("dc1", CAMPUS, self.here)
        blocks = Block.objects.filter(name__in=("ab01", "ab05"))
        Rack.objects.filter(devices__fabric_block__in=blocks).update(name="R01")
        floor = floor_of(PodRecord(self.pod))
        apart = [floor.rack_of[f"dc1-{name}"] for name in ("ab01", "ab05")]
        self.assertEqual(apart, ["R01", f"R01 ({FAR})"])
        self.assertEqual([floor.spots[rack].building for rack in apart], ["", FAR])
        blocks.update(status=status_of(Block, "Draining"))
        for name, stands in (("ab01", self.here), ("ab05", self.there)):
            gone = OrderWish(kind=Kind.DECOMMISSION, block=NewBlock(name))
            order = make_order(self.pod, gone, admin())
            out = order.steps.get(do="take-out")
            self.assertEqual((out.rack.location, out.rack), (stands, out.device.rack))


@pytest.mark.integration
class CampusRunTest(NetworkRunCase, OrderOnFabricCase):
    """The fifth block stands 5 km away in the fabric."""

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        blocks = str(FILES / "campus.json")
        # Its switches measure what they lose, so that cables are known well.
        return simulated_as(folder, "--network", "dc1", "--blocks", blocks, "--dialect", "kvm")

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        hall(FAR)

    def test_it_is_turned_up_lit_and_turned_down_again(self) -> None:
        block = NewBlock("ab05", 12, 400, location=FAR, cable_m=5000)
        order = self.begun(Kind.INSTALL, block=block)
        self.go_on(order)
        self.assertTrue(check_bundles(order, self.admin)[0].agrees)
        done, _ = self.through(self.ready(self.wish(topology="uniform")))
        self.assertEqual((done.state, done.message), ("done", ""))
        at = {"address": self.said["gnmi"], "target": "dc1-ab05", "called": "dc1-ab05"}
        Block.objects.filter(name="ab05").update(confirmed_by="load", **at)
        self.assertEqual(run_audit(self.pod, how=How(look=observe_scope)).found, 0)

        Cable.objects.filter(label__startswith="dc1-ab05").update(length=30, _abs_length=30)
        run_audit(self.pod, how=How(look=observe_scope))
        self.assertEqual(set(Finding.objects.values_list("code", flat=True)), {"high-loss"})
        Cable.objects.filter(label__startswith="dc1-ab05").update(length=5000, _abs_length=5000)

        Block.objects.filter(name="ab05").update(status=status_of(Block, "Draining"))
        done, _ = self.through(self.ready(self.wish(topology="uniform")))
        self.assertEqual((done.state, done.message), ("done", ""))
        self.assertEqual([row for row in self.shown() if {13, 14, 15} & {*row[1:]}], [])
