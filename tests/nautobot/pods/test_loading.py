"""Loading a pod: what is written, what is refused, and that it is as if saved by hand."""

import io
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CablePath, Device, Interface, Module, Rack
from nautobot.extras.models import CustomField, ObjectChange

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Cube, Pod, Port, Switch, WrittenEnd
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.pod_fabric import fabric_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.audits.audit import audit_sheet
from tests.nautobot.bases.pods.by_hand import rows_by_name, save_by_hand
from tests.nautobot.bases.pods.small import SMALL, SMALL_PAIRED, hall
from tests.nautobot.bases.pods.small_sheet import sheet
from tests.nautobot.bases.users import admin


def exported(pod: str = "s") -> str:
    """The pod's cut sheet, from the database."""
    out = io.StringIO()
    export_cut_sheet(PodRecord(Pod.objects.get(name=pod)), out)
    return out.getvalue()


def in_order(text: str) -> list[str]:
    """The rows of a sheet, sorted."""
    return sorted(text.splitlines())


class AsSavedByHandTest(TestCase):
    """Row by row, a loaded pod is what `validated_save()` would have made."""

    def setUp(self) -> None:
        super().setUp()
        kinds = ContentType.objects.get_for_models(Cable, Interface, Module, Device, Pod)
        field = CustomField.objects.create(key="owner", label="Owner", type="text", default="ops")
        field.content_types.set(kinds.values())

    def test_every_column_is_the_same(self) -> None:
        place = hall()
        lengths = {"s-c001:2.1.1/X+": {"length_m": "12.5"}, "s-c002:2.1.1/X+": {"length_m": "9"}}
        load_pod("s", "small", place, cut_sheet=sheet(**lengths))
        loaded = rows_by_name()
        remove_everything()
        save_by_hand(place, {"s-c001:2.1.1/X+": 1250, "s-c002:2.1.1/X+": 900})
        saved = rows_by_name()
        for model, rows in saved.items():
            with self.subTest(model):
                self.assertEqual(loaded[model], rows)


def remove_everything() -> None:
    """Undo by Nautobot's own deletes."""
    from nautobot.dcim.models import CableType, DeviceType, Manufacturer, ModuleFamily, ModuleType

    for model in (
        Cable, Port, Module, Pod, Device, Rack, DeviceType, ModuleType, ModuleFamily, Manufacturer,
    ):  # fmt: skip
        model.objects.all().delete()
    CableType.objects.filter(name="Fibre").delete()  # Nautobot brings types of its own
    assert not CablePath.objects.exists()
    assert not Interface.objects.exists()


class LoadingTest(TestCase):
    """What loading writes, and what it leaves alone."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()

    def test_a_pod_from_its_design_is_audited_clean(self) -> None:
        load_pod("s", "small", self.place)
        record = PodRecord(Pod.objects.get(name="s"))
        self.assertEqual(record.slots(), (1, 2, 3))
        self.assertEqual(len(record.plant.cables), 72)
        self.assertEqual(audit_cabling(record.intended(), record.plant).findings, ())

    def test_a_second_loading_writes_nothing(self) -> None:
        for cut_sheet in (None, sheet()):
            load_pod("s", "small", self.place, cut_sheet=cut_sheet)
            before = rows_by_name()
            again = load_pod("s", "small", self.place, cut_sheet=cut_sheet)
            self.assertEqual(dict(again.added), {})
            self.assertEqual(rows_by_name(), before)
            self.assertEqual(ObjectChange.objects.filter(object_repr="s").count(), 1)

    def test_a_dry_run_says_what_would_be_and_writes_nothing(self) -> None:
        would = load_pod("s", "small", self.place, slots=[1], dry_run=True)
        self.assertFalse(Pod.objects.exists() or Device.objects.exists())
        did = load_pod("s", "small", self.place, slots=[1])
        self.assertEqual(would.added, did.added)
        self.assertEqual(str(did), str(would).replace("would load", "loaded"))

    def test_cubes_come_later_and_touch_nothing(self) -> None:
        load_pod("s", "small", self.place, slots=[1])
        Rack.objects.filter(name="s-c001").update(name="row 4 left")
        Cable.objects.filter(label="s-c001:2.1.1/X+").delete()
        before = {str(row) for rows in rows_by_name().values() for row in rows}
        loaded = load_pod("s", "small", self.place, slots=[1, 3])
        self.assertEqual(loaded.slots, (3,))
        self.assertEqual(loaded.added["cables"], 24)
        after = {str(row) for rows in rows_by_name().values() for row in rows}
        self.assertLessEqual(before, after)
        self.assertFalse(Cable.objects.filter(label="s-c001:2.1.1/X+").exists())

    def test_devices_behind_one_address_are_told_apart_by_their_names(self) -> None:
        load_pod("s", "small", self.place, slots=[1], address="gateway:9339")
        load_pod("s", "small", self.place, slots=[1, 2], address="other:9339")
        load_pod("s", "small", self.place)
        self.assertEqual(
            list(Cube.objects.values_list("address", "target")),
            [("gateway:9339", "s-c001"), ("other:9339", "s-c002"), ("", "")],
        )
        self.assertEqual(set(Switch.objects.values_list("address", flat=True)), {"gateway:9339"})
        self.assertEqual({s.target == s.device.name for s in Switch.objects.all()}, {True})

    def test_one_summary_change_record_names_who_did_it(self) -> None:
        load_pod("s", "small", self.place, user=self.user_of_all())
        (change,) = ObjectChange.objects.all()
        self.assertEqual((change.changed_object.name, change.action), ("s", "create"))
        self.assertEqual(change.user_name, "everyone")
        self.assertIn("72 cables", change.change_context_detail)

    def user_of_all(self) -> Any:
        """Somebody who may do anything."""
        from django.contrib.auth import get_user_model

        return get_user_model().objects.create_superuser("everyone")

    def test_reading_a_pod_takes_a_handful_of_queries(self) -> None:
        load_pod("s", "small", self.place)
        pod = Pod.objects.get(name="s")
        user = admin()
        with CaptureQueriesContext(connection) as queries:
            fabric_of(PodRecord(pod), user)
        self.assertLessEqual(len(queries), 20)

    def test_names_that_are_taken_are_refused_and_nothing_is_written(self) -> None:
        load_pod("s", "small", self.place, slots=[1])
        Pod.objects.filter(name="s").update(name="t")
        before = rows_by_name()
        with self.assertRaisesRegex(FabricTwinError, "have these names already"):
            load_pod("s", "small", self.place, slots=[1])
        self.assertEqual(rows_by_name(), before)

    def test_another_design_or_place_is_refused(self) -> None:
        load_pod("s", "small", self.place, slots=[1])
        with self.assertRaisesRegex(FabricTwinError, "of design small and not ironwood"):
            load_pod("s", "ironwood", self.place)
        with self.assertRaisesRegex(FabricTwinError, "at Hall 1 and not Hall 2"):
            load_pod("s", "small", hall("Hall 2"))
        with self.assertRaisesRegex(FabricTwinError, "not within 1 to 3"):
            load_pod("s", "small", self.place, slots=[4])

    def test_a_port_that_holds_another_cable_is_refused(self) -> None:
        wrong = {"s-c001:2.1.1/X+": {"b_port": "2A"}}
        lines = sheet(**wrong).decode().splitlines()
        first = "\n".join([lines[0], *(line for line in lines if line.startswith("s-c001"))])
        load_pod("s", "small", self.place, cut_sheet=first.encode())
        with self.assertRaisesRegex(FabricTwinError, "s-ocs-x-1-1 2A holds the cable 's-c001:2"):
            load_pod("s", "small", self.place, slots=[2])


class CutSheetTest(TestCase):
    """A sheet goes in and comes out as it was."""

    def setUp(self) -> None:
        super().setUp()
        self.place = hall()

    def both_ways(self, design: Any, data: bytes) -> None:
        """Load, take out, compare; then load what came out into an empty place."""
        load_pod("s", design.name, self.place, cut_sheet=data)
        self.assertEqual(in_order(exported()), in_order(data.decode()))
        again = load_pod("s", design.name, self.place, cut_sheet=exported().encode())
        self.assertEqual(dict(again.added), {})

    def test_lengths_labels_and_status_stay(self) -> None:
        about = {"length_m": "12.5", "label": "Hall 3, tray 9", "status": "planned"}
        self.both_ways(SMALL, sheet(**{"s-c001:2.1.1/X+": about}))
        record = PodRecord(Pod.objects.get(name="s"))
        self.assertEqual(len(record.plant.cables), 71)
        self.assertEqual(CablePath.objects.filter(is_active=True).count(), 142)

    def test_mistakes_are_recorded_and_found(self) -> None:
        mistakes = {
            "s-c001:2.1.1/X+": {"b_port": "2A"},
            "s-c002:2.1.1/X+": {"b_device": "patch panel 4", "b_port": "17"},
            "s-c003:2.1.1/X+": {"b_device": "", "b_port": ""},
            "s-c002:1.2.1/Y+": {"b_port": "1A"},
            "s-c001:1.1.1/X-": {"cable": '=odd, "name"'},
        }
        data = sheet(**mistakes)
        self.both_ways(SMALL, data.replace(b'"=odd', b"\"'=odd"))
        self.assertEqual(WrittenEnd.objects.count(), 3)
        record = PodRecord(Pod.objects.get(name="s"))
        of_sheet = audit_sheet(SMALL, "s", exported().encode(), "sheet").report
        of_record = audit_cabling(record.intended(), record.plant)
        self.assertEqual(of_record.findings, of_sheet.findings)
        codes = {finding.code for finding in of_record.findings}
        self.assertEqual(codes, {"dark", "unknown-port", "doubled-port"})

    def test_pairs_whose_strands_are_exchanged_stay_so(self) -> None:
        cable = "s-c001:2.1.1/X+"
        lines = sheet(SMALL_PAIRED).decode().splitlines()
        row = next(line for line in lines if line.startswith(f"{cable},"))
        strands = [
            f"{cable}:1,s-c001-t01,2.1.1/X+:1,s-ocs-x-1-1,1B,connected,,",
            f"{cable}:2,s-c001-t01,2.1.1/X+:2,s-ocs-x-1-1,1A,connected,,",
        ]
        data = "\n".join([*(line for line in lines if line != row), *strands]) + "\n"
        self.both_ways(SMALL_PAIRED, data.encode())
        record = PodRecord(Pod.objects.get(name="s"))
        (finding,) = audit_cabling(record.intended(), record.plant).findings
        self.assertEqual(finding.code, "crossed-pair")

    def test_an_unusable_sheet_is_refused_whole(self) -> None:
        name = "s-c001:2.1.1/X+"
        for change, words in (
            ({"length_m": "far"}, "'far' is not a length"),
            ({"length_m": "0.001"}, "not a length"),
            ({"length_m": "\u0661\u0662"}, "not a length"),
            ({"status": "lit"}, "have no status 'lit'"),
            ({"a_port": ""}, "the cell is empty"),
        ):
            with self.subTest(words), self.assertRaisesRegex(FabricTwinError, words):
                load_pod("s", "small", self.place, cut_sheet=sheet(**{name: change}))
        with self.assertRaisesRegex(FabricTwinError, "no cable in it is of the pod z"):
            load_pod("z", "small", self.place, cut_sheet=sheet())
        self.assertFalse(Pod.objects.exists() or Rack.objects.exists())

    def test_a_cable_that_is_recorded_otherwise_is_refused(self) -> None:
        load_pod("s", "small", self.place)
        name = "s-c001:2.1.1/X+"
        with self.assertRaisesRegex(FabricTwinError, "1 cables are recorded otherwise"):
            load_pod("s", "small", self.place, cut_sheet=sheet(**{name: {"length_m": "3"}}))
        self.assertEqual(Cube.objects.count(), 3)
