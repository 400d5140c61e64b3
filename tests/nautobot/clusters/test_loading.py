"""Clusters of processor groups: loaded, exported, removed."""

import io
from dataclasses import replace

from django.core.exceptions import ValidationError
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CablePath, Device, Interface, Module, ModuleBay, Rack

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Cube, OpticalCircuit, Pod, Port
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.pods.adopt import adopt_pod
from fabric_twin.operations.pods.ask_sync import ask_for_sync
from fabric_twin.operations.pods.audit_schedule import schedule_audits
from fabric_twin.operations.pods.bind_ports import Binding
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.pods.small import CLUSTER, hall
from tests.nautobot.bases.users import admin


def exported(pod: str = "g") -> list[str]:
    """The cluster's cut sheet from the database, sorted."""
    out = io.StringIO()
    export_cut_sheet(PodRecord(Pod.objects.get(name=pod)), out)
    return sorted(out.getvalue().splitlines())


def as_sheet(rows: list[str]) -> bytes:
    """Rows as a file, the header first."""
    header = next(row for row in rows if row.startswith("cable"))
    return "\n".join([header, *(row for row in rows if row != header)]).encode()


class LoadingClustersTest(TestCase):
    """What loading writes, and what removing takes."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()

    def test_groups_switches_and_uplinks_are_recorded_by_their_names(self) -> None:
        loaded = load_pod("g", "small-cluster", self.place)
        self.assertEqual(
            str(loaded),
            "Cluster g: loaded 1 manufacturer, 2 device types, 1 cluster, 16 racks, 100 devices, "
            "96 switches, 6,336 interfaces, 6,336 ports, 4 groups, 288 cables, "
            "576 cable to cable terminations, 576 cable paths. Groups in slots 1-4.",
        )
        self.assertFalse(ModuleBay.objects.exists() or Module.objects.exists())
        group = Cube.objects.get(slot=2)
        self.assertEqual(
            (group.rack.name, group.rack.role.name, group.ports.count()), ("g-r01c02", "Group", 48)
        )
        uplink = Cable.objects.get(label="g-row-02-1-3:50")
        self.assertEqual((uplink.type, uplink.cable_type), ("", None))
        ends = Interface.objects.filter(cable_termination__cable=uplink)
        self.assertEqual(
            set(ends.values_list("device__name", "name")),
            {("g-row-02-1-3", "50"), ("g-row-t1-1-3-2", "2")},
        )
        switches = Device.objects.filter(role__name="Packet switch")
        self.assertEqual(
            list(switches.order_by("fabric_switch__number").values_list("name", flat=True)),
            CLUSTER.names("g").switches,
        )

    def test_a_dry_run_and_a_second_loading_write_nothing(self) -> None:
        dry = str(load_pod("g", "small-chains", self.place, slots=[1, 2], dry_run=True))
        self.assertFalse(Pod.objects.exists())
        told = "1 cluster, 3 racks, 6 devices, 4 switches, 260 interfaces, 260 ports, 2 groups, "
        self.assertIn(told + "10 cables", dry)
        self.assertIn("Cluster g: would load", dry)
        load_pod("g", "small-chains", self.place, slots=[1, 2])
        self.assertEqual(
            str(load_pod("g", "small-chains", self.place, slots=[1, 2])),
            "Cluster g: nothing to load, all of it is there.",
        )
        more = load_pod("g", "small-chains", self.place)
        self.assertEqual(
            str(more),
            "Cluster g: loaded 10 racks, 10 devices, 10 groups, 20 interfaces, 20 ports, "
            "20 cables, 40 cable to cable terminations, 40 cable paths. Groups in slots 3-12.",
        )

    def test_a_cut_sheet_comes_back_as_it_was_loaded(self) -> None:
        load_pod("g", "small-cluster", self.place)
        by_rule = exported()
        wrong = [row.replace(",g-row-02-1-3,50,", ",g-row-02-1-2,63,") for row in by_rule]
        load_pod("h", "small-cluster", self.place, cut_sheet=as_sheet(wrong).replace(b"g-", b"h-"))
        self.assertEqual([row.replace("h-", "g-") for row in exported("h")], sorted(wrong))
        self.assertEqual(len(by_rule), 1 + CLUSTER.cables)

    def test_all_of_it_goes_with_its_hardware(self) -> None:
        load_pod("g", "small-chains", self.place)
        self.assertEqual(
            str(remove_pod("g", hardware=True)),
            "Cluster g: removed 280 ports, 12 groups, 4 switches, 1 cluster, "
            "60 cable to cable terminations, 60 cable paths, 30 cables, 280 interfaces, "
            "16 devices, 13 racks.",
        )
        for model in (Pod, Cable, CablePath, Device, Interface, Rack, Port):
            self.assertFalse(model.objects.exists(), model)

    def test_its_cables_have_names_where_nobody_gave_them_one(self) -> None:
        load_pod("g", "small-cluster", self.place)
        by_rule = exported()
        Cable.objects.update(label="")
        self.assertEqual(exported(), by_rule)


class AdoptingClustersTest(TestCase):
    """What an operator has becomes a cluster, whatever it is called."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()
        load_pod("g", "small-cluster", self.place)
        remove_pod("g")
        self.assertFalse(Pod.objects.exists())

    def test_by_patterns_of_its_names(self) -> None:
        for device in Device.objects.filter(role__name="Group"):
            row, column = device.name.removeprefix("g-r").split("c")
            Device.objects.filter(pk=device.pk).update(name=f"host {int(row)}/{int(column)}")
        for device in Device.objects.filter(role__name="Packet switch"):
            name = device.name.removeprefix("g-").upper().replace("-", "_")
            Device.objects.filter(pk=device.pk).update(name=name)
        of = Binding(cube_ports="{any}/host {row}/{column}/{chip}/{edge}{lane}")
        with self.assertRaisesMessage(FabricTwinError, "ports are not bound"):
            adopt_pod("h", "small-cluster", self.place, of)
        of = replace(of, switch_ports="{any}/{switch}/{port}")
        adopted = str(adopt_pod("h", "small-cluster", self.place, of))
        self.assertEqual(
            adopted,
            "Cluster h: loaded 1 cluster, 4 groups, 96 switches, 6,336 ports. Groups in slots 1-4.",
        )
        run = run_audit(Pod.objects.get())
        self.assertEqual((run.found, run.cables), (0, CLUSTER.cables))
        self.assertIn("ROW_02_1_2", " ".join(PodRecord(Pod.objects.get()).names.switches))

    def test_by_a_list(self) -> None:
        names = CLUSTER.names("g")
        rows = [",".join((*names.port(n), *names.port(n))) for n in range(len(CLUSTER.layout.mate))]
        data = "\n".join(["device,port,is_device,is_port", *rows]).encode()
        adopt_pod("g", "small-cluster", self.place, Binding(rows=data))
        self.assertEqual(run_audit(Pod.objects.get()).found, 0)

    def test_two_groups_in_one_rack_are_refused(self) -> None:
        racks = {rack.name: rack for rack in Rack.objects.all()}
        Device.objects.filter(name="g-r01c02").update(rack=racks["g-r01c01"], position=9)
        of = Binding(
            cube_ports="{any}/g-r{row}c{column}/{chip}/{edge}{lane}",
            switch_ports="{any}/g-{switch}/{port}",
        )
        told = "the groups in slots 1 and 2 are in one rack"
        with self.assertRaisesMessage(FabricTwinError, told):
            adopt_pod("g", "small-cluster", self.place, of)
        self.assertFalse(Pod.objects.exists())


class RefusedTest(TestCase):
    """What a cluster cannot do yet."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall())
        cls.pod = Pod.objects.get()

    def test_no_light_of_it_is_looked_at(self) -> None:
        said = "the light of its cables is not measured"
        for ask in (
            lambda: ask_for_sync(self.pod, admin()),
            lambda: run_audit(self.pod, Scope(light=True)),
            lambda: run_audit(self.pod, how=How(light_test=True)),
        ):
            with self.assertRaisesMessage(FabricTwinError, said):
                ask()

    def test_only_a_nightly_audit_is_scheduled(self) -> None:
        names = [one.name for one in schedule_audits(self.pod, admin())]
        self.assertEqual(names, ["Audit g every night"])

    def test_its_switches_have_no_circuits(self) -> None:
        circuit = OpticalCircuit(switch=self.pod.switches.first(), a=1, b=2, wanted=True)
        with self.assertRaisesMessage(ValidationError, "Circuits are of light"):
            circuit.validated_save()
