"""A file of addresses: written whole or refused whole, by the rules of every other door."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from nautobot.apps.testing import TestCase
from nautobot.extras.models import FileProxy, JobResult, ObjectChange

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.identity import ConfirmedBy
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.set_addresses import set_addresses
from tests.nautobot.bases.networks.small_network import load_small_network
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.run_jobs import FAILURE, SUCCESS, log_in_this_transaction, run, said
from tests.nautobot.bases.users import admin, allow, somebody

HEADER = "device,address,target,datapath\n"


def file(*rows: str) -> bytes:
    return (HEADER + "".join(f"{row}\n" for row in rows)).encode()


class SetAddressesTest(TestCase):
    """The pod `s` of two cubes, the cluster `g` of chains, and the network `dc1`."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("s", "small", hall(), slots=(1, 2))
        load_pod("g", "small-chains", hall())
        cls.pod, cls.cluster = (Pod.objects.get(name=name) for name in "sg")
        cls.network = load_small_network()

    def ways(self, pod: Pod) -> dict[str, tuple[str, ...]]:
        """The devices of a pod that have an address, and what they have."""
        facts = ("address", "target", "flow_address", "datapath")
        rows = {
            str(one): tuple(getattr(one, fact, "") for fact in facts)
            for one in (*pod.switches.all(), *pod.members.all())
        }
        return {name: tuple(filter(None, way)) for name, way in rows.items() if any(way)}

    def refused(self, pod: Pod, *rows: str, user: Any = None) -> str:
        """Why a file is refused; nothing is written then."""
        before = self.ways(pod)
        with self.assertRaises(FabricTwinError) as refusal:
            set_addresses(pod, file(*rows), user=user)
        self.assertEqual(self.ways(pod), before)
        return str(refusal.exception)

    def test_switches_and_cubes_get_the_addresses_of_a_file(self) -> None:
        rows = ("s-ocs-x-1-1,10.0.0.7:9339,,", "s-c001,GATEWAY:09339,rack-1,")
        done = set_addresses(self.pod, file(*rows), user=admin())
        self.assertEqual(str(done), "Pod s: 2 devices got what the file says.")
        self.assertEqual(
            list(done.lines()),
            [
                "s-ocs-x-1-1: address 10.0.0.7:9339, target none",
                "s-c001: address gateway:9339, target rack-1",
            ],
        )
        there = {"s-ocs-x-1-1": ("10.0.0.7:9339",), "s cube 1": ("gateway:9339", "rack-1")}
        self.assertEqual(self.ways(self.pod), there)
        again = set_addresses(self.pod, file(*rows), user=admin())
        self.assertEqual(
            str(again), "Pod s: 0 devices got what the file says; 2 had theirs before."
        )

    def test_two_exchange_their_addresses_and_a_person_has_to_confirm_them_anew(self) -> None:
        first = file("s-ocs-x-1-1,a:1,,", "s-ocs-x-1-2,b:1,,")
        set_addresses(self.pod, first)
        self.pod.switches.update(confirmed_by=ConfirmedBy.PERSON.value)
        done = set_addresses(self.pod, file("s-ocs-x-1-1,b:1,,", "s-ocs-x-1-2,a:1,,"))
        self.assertEqual(len(done.given), 2)
        self.assertEqual(self.ways(self.pod), {"s-ocs-x-1-1": ("b:1",), "s-ocs-x-1-2": ("a:1",)})
        moved = Switch.objects.filter(pod=self.pod).exclude(address="")
        self.assertEqual({*moved.values_list("confirmed_by", flat=True)}, {""})

    def test_packet_switches_get_where_they_take_entries_and_groups_where_they_tell(self) -> None:
        switch, group = (
            str(self.cluster.switches.first()),
            str(self.cluster.cubes.select_related("rack")[0].rack.name),
        )
        rows = (f"{switch},127.0.0.1:6653,,0xA1", f"{group},127.0.0.1:9339,{group},")
        set_addresses(self.cluster, file(*rows))
        self.assertEqual(
            [*self.ways(self.cluster).values()],
            [("127.0.0.1:6653", "00000000000000a1"), ("127.0.0.1:9339", group)],
        )
        # Where a switch tells whom it hears is another address.
        set_addresses(self.cluster, file(f"{switch},127.0.0.1:9339,{switch},"))
        self.assertEqual(
            self.ways(self.cluster)[switch],
            ("127.0.0.1:9339", switch, "127.0.0.1:6653", "00000000000000a1"),
        )

    def test_blocks_and_switches_of_a_network_get_theirs(self) -> None:
        block = Block.objects.filter(pod=self.network).first()
        set_addresses(self.network, file(f"{block.device.name},b:1,{block.device.name},"))
        block.refresh_from_db()
        self.assertEqual((block.address, block.target), ("b:1", block.device.name))

    def test_a_dry_run_says_it_and_writes_nothing(self) -> None:
        done = set_addresses(self.pod, file("s-c001,a:1,,"), dry_run=True)
        self.assertEqual(str(done), "Pod s: 1 device would get what the file says.")
        self.assertEqual(self.ways(self.pod), {})

    def test_a_file_that_is_wrong_anywhere_is_refused_whole(self) -> None:
        good = "s-c001,a:1,,"
        Cube.objects.filter(pod=self.pod, slot=2).update(address="taken:1")
        for row, why in (
            ("s-c003,b:1,,", "pod s has no device of that name"),
            ("dc1-ab01,b:1,,", "pod s has no device of that name"),
            ("s-ocs-x-1-1,b,,", "'b' is not an address"),
            ("s-ocs-x-1-1,a:1,,", "a:1 is given to 2 devices"),
            ("s-ocs-x-1-1,taken:1,,", "taken:1 is s cube 2 of pod s already"),
            (
                "s-ocs-x-1-1,b:1,,a1",
                "which only packet switches of clusters have",
            ),
        ):
            with self.subTest(row=row):
                self.assertIn(why, self.refused(self.pod, good, row))
        self.assertIn("it names no device", self.refused(self.pod))
        switch, other = map(str, self.cluster.switches.all()[:2])
        set_addresses(self.cluster, file(f"{other},o:1,,ff"))
        for row, why in (
            (f"{switch},o:1,,a1", "Another switch has o:1 already"),
            (f"{switch},b:1,,ff", "Another switch has 00000000000000ff already"),
            (f"{switch},b:1,,a1,more", "it has more cells than the header"),
            (f"{switch},b:1,,xyz", "'xyz' is no datapath id"),
            (f"{switch},b:1,x,a1", "it has a datapath id and a target"),
            ("g-r01c01,b:1,,a1", "pod g has no packet switch of that name"),
        ):
            with self.subTest(row=row):
                self.assertIn(why, self.refused(self.cluster, row))

    def test_only_who_may_change_and_connect_all_of_them_gives_them_addresses(self) -> None:
        user = somebody("connects")
        rows = ("s-ocs-x-1-1,a:1,,", "s-c001,b:1,,")
        for actions, models, why in (
            (["view"], (Pod,), "may not change 1 of 1 switches"),
            (["view", "change"], (Switch,), "may not connect 1 of 1 switches"),
            (["connect"], (Switch,), "may not change 1 of 1 cubes"),
            (["change"], (Cube,), "may not connect 1 of 1 cubes"),
        ):
            allow(user, actions, *models)
            user = type(user).objects.get(pk=user.pk)
            self.assertIn(why, self.refused(self.pod, *rows, user=user))
        allow(user, ["connect"], Cube)
        set_addresses(self.pod, file(*rows), user=type(user).objects.get(pk=user.pk))
        self.assertEqual(len(self.ways(self.pod)), 2)

    def test_a_permission_for_some_addresses_is_one_for_those_that_come_too(self) -> None:
        self.pod.switches.filter(number=0).update(address="10.0.0.1:1")
        user = somebody("of one network")
        allow(user, ["view"], Pod)
        allow(user, ["view", "change", "connect"], Switch, address__startswith="10.")
        user = type(user).objects.get(pk=user.pk)
        said = self.refused(self.pod, "s-ocs-x-1-1,11.0.0.1:1,,", user=user)
        self.assertIn("may not change 1 of 1 switches", said)
        set_addresses(self.pod, file("s-ocs-x-1-1,10.0.0.2:1,,"), user=user)

    def test_a_column_that_is_nearly_right_is_refused(self) -> None:
        with self.assertRaises(FabricTwinError) as refusal:
            set_addresses(self.pod, b"device,address,Target\ns-c001,a:1,x\n")
        said = "addresses, line 1: the column 'Target' is nearly 'target'. "
        self.assertEqual(str(refusal.exception), f"{said}Write target, or another name.")

    def test_who_may_not_see_the_pod_learns_nothing_of_it(self) -> None:
        with self.assertRaisesMessage(NotPermitted, "nobody may not view 1 of 1 pods"):
            set_addresses(self.pod, file("s-c001,a:1,,"), user=somebody("nobody"))

    def test_the_job_says_each_device_and_the_change_log_who_did_it(self) -> None:
        log_in_this_transaction(self)
        user = admin()

        def ends(data: bytes) -> JobResult:
            given = FileProxy.objects.create(
                name="addresses.csv", file=SimpleUploadedFile("addresses.csv", data)
            )
            wish = {"pod": self.pod.pk, "addresses": given.pk, "dryrun": False}
            return run("SetAddresses", username=user.username, **wish)

        done = ends(file("s-c001,a:1,,"))
        self.assertEqual(done.status, SUCCESS, said(done))
        self.assertIn("s-c001: address a:1, target none", said(done))
        changed = ObjectChange.objects.get(changed_object_id=self.pod.cubes.get(slot=1).pk)
        self.assertEqual((changed.user_name, changed.action), (user.username, "update"))
        refused = ends(b"device;address")
        self.assertEqual(refused.status, FAILURE)
        self.assertIn("there is no column 'device'", said(refused))
