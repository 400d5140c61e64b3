"""Loading a network: what is written, what it is audited for, and what is refused."""

import io
import json
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CableToCableTermination, Device, Module, Rack
from nautobot.extras.models import ObjectChange

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Block, OpticalCircuit, Pod, Port, Substitution, Switch
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import allow, somebody

FILES = Path(__file__).parents[3] / "docs/examples/topology"
FOUR, FIVE, NOW = (
    (FILES / name).read_bytes() for name in ("four-blocks.json", "five-blocks.json", "now.json")
)


def rows(network: str = "dc1") -> set[tuple[str, str, str, str]]:
    """The cables of a network, as a technician would read them off the devices."""
    ends: dict[object, dict[str, tuple[str, str]]] = {}
    for end in CableToCableTermination.objects.select_related("interface__device"):
        port = end.interface
        ends.setdefault(end.cable_id, {})[end.cable_end] = (port.device.name, port.name)
    return {(*both["A"], *both["B"]) for both in ends.values() if both["A"][0].startswith(network)}


def by_hand(blocks: dict[str, tuple[int, int]], switches: int) -> set[tuple[str, str, str, str]]:
    """The strand-to-port rule, written down a second time: strand u, r = (u-1) div K."""
    wired = set()
    for block, (strands, first) in blocks.items():
        for u in range(1, strands + 1):
            r = (u - 1) // switches
            module = f"m{(u + 1) // 2:02}/{2 - u % 2}"
            port = f"{first + r // 2}{'B' if r % 2 else 'A'}"
            wired.add((f"dc1-{block}", module, f"dc1-ocs-{1 + (u - 1) % switches:02}", port))
    return wired


class LoadNetworkTest(TestCase):
    """Four blocks of twelve strands over two switches, and a fifth."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()

    def test_every_strand_is_cabled_where_the_rule_wants_it(self) -> None:
        loaded = load_network("dc1", FOUR, self.place)
        first = {f"ab0{number}": (12, 3 * number - 2) for number in range(1, 5)}
        self.assertEqual(rows(), by_hand(first, 2))
        pod = Pod.objects.get(name="dc1")
        self.assertEqual(str(loaded).partition(" Blocks")[2], " ab01, ab02, ab03, ab04.")
        self.assertEqual(
            (pod.blocks.count(), pod.switches.count(), pod.ports.count(), Module.objects.count()),
            (4, 2, 48 + 2 * 272, 24),
        )
        self.assertEqual(pod.ports.filter(block__name="ab02").count(), 12)
        out = io.StringIO()
        export_cut_sheet(PodRecord(pod), out)
        self.assertEqual(out.getvalue().count("\n"), 49)

    def test_a_second_loading_writes_nothing_and_a_fifth_block_moves_nobody(self) -> None:
        load_network("dc1", FOUR, self.place, circuits=NOW)
        before, changes = rows(), ObjectChange.objects.count()
        again = load_network("dc1", FOUR, self.place, circuits=NOW)
        self.assertEqual(str(again), "Network dc1: nothing to load, all of it is there.")
        self.assertEqual((rows(), ObjectChange.objects.count()), (before, changes))
        load_network("dc1", FIVE, self.place)
        self.assertEqual(rows() - before, by_hand({"ab05": (12, 13)}, 2))
        self.assertEqual(OpticalCircuit.objects.filter(wanted=True).count(), 24)

    def test_no_circuit_is_loaded_for_a_block_whose_cables_are_to_come(self) -> None:
        files = Path(__file__).parents[3] / "docs/examples/topology"
        four, now = ((files / name).read_bytes() for name in ("four-blocks.json", "now.json"))
        with self.assertRaisesMessage(FabricTwinError, "whose cables are to come"):
            circuits = now.replace(b"dc1", b"dc2")
            load_network("dc2", four, hall(), circuits=circuits, block_status="Planned")
        self.assertFalse(Pod.objects.filter(name="dc2").exists())

    def test_a_dry_run_writes_nothing(self) -> None:
        loaded = load_network("dc1", FOUR, self.place, circuits=NOW, dry_run=True)
        self.assertIn("would load", str(loaded))
        for model in (Pod, Block, Switch, Port, Device, Rack, Cable, OpticalCircuit):
            self.assertFalse(model.objects.exists(), model)

    def test_what_contradicts_the_record_is_refused_whole(self) -> None:
        load_network("dc1", FOUR, self.place)
        other = json.loads(FOUR)
        other["blocks"][1]["rate_gbps"] = 100
        moved = json.loads(FOUR)
        moved["blocks"][3]["first_port"] = 40
        three = {**json.loads(FOUR), "switches": 3}
        strange, spare = (
            {"version": 1, "circuits": [{"switch": "dc1-ocs-01", "a": "1A", "b": port}]}
            for port in ("50B", "129B")
        )
        for blocks, circuits, why in (
            (other, None, "ab02 is recorded with 12 strands of 400 Gbit/s from port 4"),
            (moved, None, "ab04 is recorded with 12 strands of 400 Gbit/s from port 10"),
            (three, None, "the pod is there already, of design network-2 and not network-3"),
            (json.loads(FOUR), strange, "no block is at port 50B. Name circuits between ports"),
            (json.loads(FOUR), spare, "port 129B: it is a spare, and no substitution says which"),
            (json.loads(FOUR), spare, "record the substitution there, and load it again with them"),
        ):
            with self.subTest(why), self.assertRaisesMessage(FabricTwinError, why):
                load_network(
                    "dc1",
                    json.dumps(blocks).encode(),
                    self.place,
                    circuits=json.dumps(circuits).encode() if circuits else None,
                )
        self.assertEqual(Block.objects.count(), 4)

    def test_names_that_others_have_are_refused(self) -> None:
        load_network("dc1", FOUR, self.place)
        Pod.objects.filter(name="dc1").update(name="old")
        with self.assertRaisesMessage(
            FabricTwinError, "network dc1: 4 devices have these names already"
        ):
            load_network("dc1", FOUR, self.place)

    def test_who_may_not_add_blocks_loads_none(self) -> None:
        user = somebody("loader")
        allow(user, ["view"], type(self.place))
        allow(user, ["add"], Pod, Switch, Rack, Device, Cable)
        with self.assertRaisesMessage(FabricTwinError, "loader may not add blocks"):
            load_network("dc1", FOUR, self.place, user=user)
        self.assertFalse(Pod.objects.exists())

    def test_it_is_removed_with_all_that_it_brought(self) -> None:
        load_network("dc1", FOUR, self.place, circuits=NOW)
        remove_pod("dc1", hardware=True)
        for model in (Pod, Block, Switch, Port, Device, Rack, Cable, Module, OpticalCircuit):
            self.assertFalse(model.objects.exists(), model)


class AuditNetworkTest(TestCase):
    """Its cabling is audited by the record, as a pod's is."""

    def setUp(self) -> None:
        super().setUp()
        load_network("dc1", FOUR, hall())
        self.pod = Pod.objects.get(name="dc1")

    def move(self, port: str, to: str) -> None:
        """Record a cable's switch end at another port; what is there makes way first."""
        end = CableToCableTermination.objects.get(
            interface__device__name=port.split(maxsplit=1)[0], interface__name=port.split()[1]
        )
        device, name = to.split()
        interface = Port.objects.get(interface__device__name=device, interface__name=name).interface
        CableToCableTermination.objects.filter(pk=end.pk).update(interface=interface)

    def found(self) -> list[tuple[str, str]]:
        """What an audit finds."""
        run_audit(self.pod)
        return sorted(self.pod.open_findings.values_list("code", "cause"))

    def test_a_network_as_it_should_be_is_clean(self) -> None:
        self.assertEqual(self.found(), [])

    def test_a_cable_on_another_switch_is_told_and_gone_when_it_is_back(self) -> None:
        self.move("dc1-ocs-01 1A", "dc1-ocs-02 50A")
        self.assertEqual(
            self.found(),
            [
                (
                    "wrong-switch",
                    "dc1-ab01:m01/1 is on dc1-ocs-02 port 50A, which serves another switch, and "
                    "belongs on dc1-ocs-01 port 1A",
                )
            ],
        )
        self.move("dc1-ocs-02 50A", "dc1-ocs-01 1A")
        self.assertEqual(self.found(), [])

    def test_a_block_that_is_planned_misses_nothing_until_it_is_there(self) -> None:
        planned, active = status_of(Block, "Planned"), status_of(Block, "Active")
        Block.objects.filter(name="ab04").update(status=planned)
        Cable.objects.filter(label__startswith="dc1-ab04").delete()
        self.assertEqual(self.found(), [])
        Block.objects.filter(name="ab04").update(status=active)
        self.assertEqual([code for code, _ in self.found()], 12 * ["missing"])


class RecordsDifferTest(TestCase):
    """What people did by hand before, or meanwhile."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()
        load_network("dc1", FOUR, self.place)
        self.pod = Pod.objects.get(name="dc1")

    def test_a_cable_in_the_way_of_a_new_block_is_refused(self) -> None:
        taken, free = (
            self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name=name)
            for name in ("1A", "13A")
        )
        CableToCableTermination.objects.filter(interface=taken.interface_id).update(
            interface=free.interface_id
        )
        with self.assertRaisesMessage(FabricTwinError, "dc1-ocs-01 13A holds the cable"):
            load_network("dc1", FIVE, self.place)
        self.assertEqual(self.pod.blocks.count(), 4)

    def test_a_spare_takes_the_cable_of_a_new_block(self) -> None:
        port, spare = (
            self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name=name)
            for name in ("13A", "129A")
        )
        Substitution.objects.create(port=port, spare=spare)
        load_network("dc1", FIVE, self.place)
        self.assertIn(("dc1-ab05", "m01/1", "dc1-ocs-01", "129A"), rows())
        run_audit(self.pod)
        self.assertFalse(self.pod.open_findings.exists())

    def substitute(self, port: str, spare: str) -> None:
        """On the first switch."""
        of_switch = self.pod.ports.filter(switch__number=0)
        ports = (of_switch.get(interface__name=name) for name in (port, spare))
        Substitution.objects.create(**dict(zip(("port", "spare"), ports, strict=True)))

    def test_circuits_on_a_spare_are_loaded_once_it_is_recorded_for_which_port(self) -> None:
        file = json.loads(NOW)
        [one] = (c for c in file["circuits"] if (c["switch"], c["a"]) == ("dc1-ocs-01", "1A"))
        one["a"] = "129A"
        data = json.dumps(file).encode()
        with self.assertRaisesMessage(FabricTwinError, "129A: it is a spare"):
            load_network("dc1", FOUR, self.place, circuits=data)
        self.substitute("1A", "129A")
        load_network("dc1", FOUR, self.place, circuits=data)
        on_spare = OpticalCircuit.objects.get(switch__number=0, a=129)
        self.assertEqual(f"{on_spare.b}B", one["b"])
        self.assertEqual(OpticalCircuit.objects.count(), 24)
        again = load_network("dc1", FOUR, self.place, circuits=data)
        self.assertEqual(str(again), "Network dc1: nothing to load, all of it is there.")
        run_audit(self.pod)
        self.assertNotIn("topology-odd", self.pod.open_findings.values_list("code", flat=True))

    def test_a_circuit_of_a_file_that_joins_a_block_with_itself_over_a_spare_is_refused(
        self,
    ) -> None:
        self.substitute("1A", "129A")
        circuit = {"switch": "dc1-ocs-01", "a": "129A", "b": "2B"}
        data = json.dumps({"version": 1, "circuits": [circuit]}).encode()
        with self.assertRaisesMessage(FabricTwinError, "joins ab01 with itself"):
            load_network("dc1", FOUR, self.place, circuits=data)
        self.assertFalse(OpticalCircuit.objects.exists())

    def test_a_block_that_was_entered_by_hand_gets_its_strands(self) -> None:
        kept = Device.objects.get(name="dc1-ab01")
        device = Device.objects.create(
            name="row 9 spine",
            device_type=kept.device_type,
            role=kept.role,
            status=kept.status,
            location=kept.location,
        )
        Block(
            pod=self.pod,
            name="ab05",
            device=device,
            first_port=13,
            strands=12,
            rate_gbps=400,
            status=status_of(Block),
        ).validated_save()
        load_network("dc1", FIVE, self.place)
        self.assertEqual(self.pod.ports.filter(interface__device=device).count(), 12)
        self.assertIn(("row 9 spine", "m01/1", "dc1-ocs-01", "13A"), rows("row 9"))

    def test_a_block_that_circuits_join_is_not_deleted(self) -> None:
        load_network("dc1", FOUR, self.place, circuits=NOW)
        with self.assertRaises(ProtectedError), transaction.atomic():
            Block.objects.get(name="ab02").delete()
        self.assertEqual(self.pod.blocks.count(), 4)

    def test_a_network_goes_with_its_circuits_however_it_is_deleted(self) -> None:
        load_network("dc1", FOUR, self.place, circuits=NOW)
        Pod.objects.filter(name="dc1").delete()
        self.assertFalse(Block.objects.exists() or OpticalCircuit.objects.exists())

    def test_a_cable_that_is_recorded_otherwise_is_refused(self) -> None:
        Device.objects.filter(name="dc1-ab04").update(name="old")
        Rack.objects.filter(name="dc1-ab04").update(name="old")
        Block.objects.get(name="ab04").delete()
        with self.assertRaisesMessage(FabricTwinError, "12 cables are recorded otherwise"):
            load_network("dc1", FOUR, self.place)

    def test_a_switch_without_its_ports_is_refused(self) -> None:
        Port.objects.filter(switch__number=1).first().delete()
        with self.assertRaisesMessage(FabricTwinError, "2 of its 2 switches are recorded, with 5"):
            load_network("dc1", FIVE, self.place)

    def test_a_block_that_is_recorded_stays_where_it_is_without_a_word(self) -> None:
        file = json.loads(FIVE)
        for block in file["blocks"]:
            del block["first_port"]
        loaded = load_network("dc1", json.dumps(file).encode(), self.place)
        self.assertEqual(loaded.blocks, ("ab05",))
        self.assertEqual(self.pod.blocks.get(name="ab05").first_port, 13)

    def test_two_blocks_never_share_a_port(self) -> None:
        block = Block.objects.get(name="ab02")
        other = Block(
            pod=self.pod,
            name="ab09",
            device=block.device,
            first_port=5,
            strands=12,
            rate_gbps=400,
            status=block.status,
        )
        for write in (other.clean, other.save):
            with self.assertRaisesMessage(ValidationError, "port 5 of every switch is ab02's too"):
                write()

    def test_a_circuit_within_a_block_is_no_link(self) -> None:
        self.substitute("1A", "129A")
        self.substitute("4B", "129B")
        switch, refused = self.pod.switches.get(number=0), "Both ports are of one block"
        for a, b in ((1, 2), (129, 2), (5, 129)):
            with self.subTest(a=a, b=b), self.assertRaisesMessage(ValidationError, refused):
                OpticalCircuit(switch=switch, a=a, b=b).full_clean()
        for a, b in ((129, 129), (129, 5), (2, 129), (130, 2)):
            OpticalCircuit(switch=switch, a=a, b=b).full_clean()
        # A spare of this switch stands in for nothing on the other one.
        OpticalCircuit(switch=self.pod.switches.get(number=1), a=129, b=2).full_clean()
