"""Adopting what an operator has, and taking a pod out again."""

import csv
import io
from dataclasses import replace

from django.contrib.auth import get_user_model
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CablePath, Device, Interface, Module, Rack
from nautobot.extras.models import Note, ObjectChange

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.names import Names
from fabric_twin.models import (
    Cube,
    OrderEvent,
    OrderStep,
    Pod,
    Port,
    StepPhoto,
    StepReport,
    WorkOrder,
)
from fabric_twin.operations.pods.adopt import adopt_pod
from fabric_twin.operations.pods.bind_ports import Binding
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.presenters.pod_fabric import fabric_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.by_hand import rows_by_name
from tests.nautobot.bases.pods.small import SMALL, hall
from tests.nautobot.bases.users import admin


class AdoptingTest(TestCase):
    """Somebody cabled a pod and called everything as they liked."""

    patterns = Binding(
        cube_ports="row {any} cube {slot}/{any}/{chip}-{face}",
        switch_ports="{any}/palomar {axis}.{index}/{port}",
    )

    @classmethod
    def setUpTestData(cls) -> None:
        cls.place = hall()
        load_pod("s", "small", cls.place)
        remove_pod("s")
        names = Names(SMALL.layout, "s")
        for slot in (1, 2, 3):
            Rack.objects.filter(name=names.cube(slot)).update(name=f"row 4 cube {slot}")
        for rack in Rack.objects.filter(name__startswith="row"):
            for number, tray in enumerate(rack.devices.order_by("name"), 1):
                tray.name = f"{rack.name.replace(' ', '-')}-host-{number}"
                tray.save()
        for port in Interface.objects.filter(name__contains="/"):
            chip, face = port.name.split("/")
            port.name = f"{chip.replace('.', '_')}-{face.lower()}"
            port.save()
        for switch in Device.objects.filter(name__startswith="s-ocs-"):
            switch.name = switch.name.replace("s-ocs-", "palomar ").replace("-", ".")
            switch.save()

    def adopt(self, binding: Binding, **options: object) -> object:
        """Adopt the pod."""
        return adopt_pod("mine", "small", self.place, binding, **options)

    def as_csv(self) -> list[dict[str, str]]:
        """The binding, row by row, as the patterns find it."""
        self.adopt(self.patterns)
        names = Names(SMALL.layout, "mine")
        own = PodRecord(Pod.objects.get(name="mine")).names
        rows = []
        for number in range(len(SMALL.layout.mate)):
            device, port = own.port(number)
            is_device, is_port = names.port(number)
            rows.append(
                {"device": device, "port": port, "is_device": is_device, "is_port": is_port}
            )
        remove_pod("mine")
        return rows

    def written(self, rows: list[dict[str, str]]) -> Binding:
        """A binding as CSV."""
        out = io.StringIO()
        writer = csv.DictWriter(out, ("device", "port", "is_device", "is_port"))
        writer.writeheader()
        writer.writerows(rows)
        return Binding(rows=out.getvalue().encode())

    def test_patterns_bind_everything_and_rename_nothing(self) -> None:
        before = rows_by_name()
        would = self.adopt(self.patterns, dry_run=True)
        self.assertEqual(rows_by_name(), before)
        did = self.adopt(self.patterns)
        self.assertEqual(would.added, did.added)
        after = rows_by_name()
        for model in ("Rack", "Device", "Interface", "Cable", "CablePath", "Module"):
            self.assertEqual(after[model], before[model])
        record = PodRecord(Pod.objects.get(name="mine"))
        self.assertEqual(audit_cabling(record.intended(), record.plant).findings, ())
        self.assertEqual(record.names.port(0), ("row-4-cube-1-host-1", "2_1_1-x+"))
        self.assertEqual(Port.objects.exclude(module_bay=None).count(), 0)
        self.assertEqual(dict(self.adopt(self.patterns).added), {})

    def test_documents_speak_of_the_operators_names(self) -> None:
        from fabric_twin.services.pods.render import render_fabric
        from fabric_twin.services.pods.which import Which

        self.adopt(self.patterns)
        fabric = fabric_of(PodRecord(Pod.objects.get(name="mine")), admin())
        (text,) = (
            content.decode()
            for _, content in render_fabric("cut-list", "csv", fabric, Which()).files
            if content
        )
        self.assertIn("row 4 cube 1,row-4-cube-1-host-1,2_1_1-x+,palomar x.1.1,1A", text)
        files = dict(render_fabric("port-map", "svg", fabric, Which(every=True)).files)
        self.assertIn("palomar-x.1.1-port-map.svg", files)
        self.assertEqual(len(files), 12)

    def test_a_pattern_that_binds_nothing_is_refused_with_names_that_it_does_not_read(self) -> None:
        for odd, where, name in (
            (
                {"cube_ports": "rack{slot}/{any}/{chip}-{face}"},
                "cube",
                r"row 4 cube \d/.*_\d-[xyz][+-]",
            ),
            ({"switch_ports": "ocs {axis}-{index}/{port}"}, "switch", r"/palomar [xyz].*/\d[AB]"),
        ):
            words = rf"^pattern of {where} ports: it binds none of \d+ interfaces, such as .*{name}"
            with self.assertRaisesRegex(FabricTwinError, words):
                self.adopt(replace(self.patterns, **odd), dry_run=True)

    def test_faces_may_be_written_in_words(self) -> None:
        for port in Interface.objects.filter(name__regex="-[xyz][+-]$"):
            sign = {"+": "_PLUS", "-": "m"}[port.name[-1]]
            Interface.objects.filter(pk=port.pk).update(name=port.name[:-1].upper() + sign)
        self.adopt(self.patterns)
        record = PodRecord(Pod.objects.get(name="mine"))
        self.assertEqual(audit_cabling(record.intended(), record.plant).findings, ())
        self.assertEqual(record.names.port(0), ("row-4-cube-1-host-1", "2_1_1-X_PLUS"))

    def test_a_list_binds_the_same(self) -> None:
        rows = self.as_csv()
        self.adopt(self.written(rows))
        self.assertEqual((Cube.objects.count(), Port.objects.count()), (3, 168))

    def test_what_is_missing_or_there_twice_is_named(self) -> None:
        rows = self.as_csv()
        twice = {**rows[1], "is_device": rows[0]["is_device"], "is_port": rows[0]["is_port"]}
        nowhere = {**rows[0], "is_port": "9.9.9/X+"}
        unseen = {**rows[0], "port": "eth9"}
        for changed, words in (
            (rows[1:], "1 ports are not bound, mine-c001-t01 2.1.1/X\\+ among them"),
            ([*rows, twice], "is bound twice, also to"),
            ([nowhere, *rows[1:]], "line 2: the design has no port '9.9.9/X\\+'"),
            ([unseen, *rows[1:]], "line 2: no interface is 'eth9'"),
        ):
            with self.subTest(words), self.assertRaisesRegex(FabricTwinError, words):
                self.adopt(self.written(changed))
        self.assertFalse(Pod.objects.exists())

    def test_a_port_of_another_pod_is_refused(self) -> None:
        self.adopt(self.patterns)
        with self.assertRaisesRegex(FabricTwinError, "is a port of pod mine already"):
            adopt_pod("other", "small", self.place, self.patterns)

    def test_filters_narrow_what_is_looked_at(self) -> None:
        wrong = Binding(None, "{any}", "{any}", {"nothing_such": ["x"]})
        with self.assertRaisesRegex(FabricTwinError, "filter nothing_such"):
            self.adopt(wrong)
        none = Binding(
            None, self.patterns.cube_ports, self.patterns.switch_ports, {"name": ["eth0"]}
        )
        with self.assertRaisesRegex(FabricTwinError, "none of 0 interfaces"):
            self.adopt(none)


class RemovingTest(TestCase):
    """What goes, what stays."""

    def setUp(self) -> None:
        super().setUp()
        load_pod("s", "small", hall())

    def test_records_alone(self) -> None:
        remove_pod("s")
        self.assertFalse(Pod.objects.exists() or Port.objects.exists())
        self.assertEqual((Cable.objects.count(), Rack.objects.count()), (72, 5))
        change = ObjectChange.objects.get(action="delete")
        self.assertIn("removed 168 ports", change.change_context_detail)

    def test_with_its_hardware_nothing_stays(self) -> None:
        would = remove_pod("s", hardware=True, dry_run=True)
        rack = Rack.objects.first()
        user = get_user_model().objects.create(username="somebody")
        Note.objects.create(assigned_object=rack, user=user, note="of the left door")
        did = remove_pod("s", hardware=True)
        self.assertEqual(would.removed, did.removed)
        for model in (Pod, Port, Cable, CablePath, Module, Interface, Device, Rack, Note):
            self.assertFalse(model.objects.exists(), model)

    def test_orders_that_have_ended_go_with_their_reports_and_an_open_one_keeps_all(self) -> None:
        pod, now = Pod.objects.get(), timezone.now()
        order = WorkOrder.objects.create(pod=pod, number=1, kind="repair", author=admin())
        OrderStep.objects.create(order=order, number=1, do="clean")
        OrderEvent.objects.create(order=order, number=1, at=now, what="draft")
        report = StepReport.objects.create(
            order=order, said_id="1", step=1, told="done", at=now, received=now
        )
        StepPhoto.objects.create(report=report, image=b"", kind="image/jpeg")
        before = rows_by_name()
        with self.assertRaisesRegex(FabricTwinError, "1 open work order of it is there"):
            remove_pod("s")
        self.assertEqual(rows_by_name(), before)
        update_state(WorkOrder.objects.filter(pk=order.pk), "withdrawn")
        remove_pod("s")
        for model in (Pod, WorkOrder, OrderStep, OrderEvent, StepReport, StepPhoto):
            self.assertFalse(model.objects.exists(), model)

    def test_what_is_used_elsewhere_keeps_all_of_it(self) -> None:
        tray = Device.objects.get(name="s-c001-t01")
        port = Interface.objects.filter(device=tray).first()
        Interface.objects.create(device=tray, name="eth0", type="other", status=port.status)
        before = rows_by_name()
        with self.assertRaisesRegex(FabricTwinError, "used elsewhere"):
            remove_pod("s", hardware=True)
        self.assertEqual(rows_by_name(), before)
