"""A cable that goes through a patch panel is one cable to whoever reads a pod."""

import csv
import io
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, FrontPort, Interface, RearPort
from nautobot.users.models import ObjectPermission

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import AgreedCable, Pod
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.operations.pods.light_agreed import write_agreed
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.neighbourhood import Neighbourhood
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.pods.small import SMALL, hall
from tests.nautobot.bases.pods.small_pod import status_of

NAME = "small-c001:2.1.1/X+"


class PatchPanelsTest(TestCase):
    """Two panels stand between a tray and a switch: cable, trunk, cable."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("small", SMALL.name, hall(), slots=[1])
        cls.pod = Pod.objects.get()
        cls.direct = cls.rows(cls.pod)
        cable = Cable.objects.get(label=NAME)
        cls.tray = Interface.objects.get(device__name="small-c001-t01", name="2.1.1/X+")
        cls.switch = Interface.objects.exclude(pk=cls.tray.pk).get(cable_termination__cable=cable)
        cable.delete()
        cls.panels = [cls.panel(name) for name in ("panel-1", "panel-2")]
        (near, near_rear), (far, far_rear) = cls.panels
        cls.plug(cls.tray, near, label=NAME, length=3, length_unit="m")
        cls.plug(near_rear, far_rear, label="trunk")
        cls.last = cls.plug(far, cls.switch, label="from the panel")

    @classmethod
    def panel(cls, name: str) -> tuple[FrontPort, RearPort]:
        like = Device.objects.get(name="small-c001-t01")
        panel = Device.objects.create(
            name=name,
            device_type=like.device_type,
            role=like.role,
            status=like.status,
            location=like.location,
        )
        rear = RearPort.objects.create(device=panel, name="R1", type="lc")
        front = FrontPort.objects.create(
            device=panel, name="F1", type="lc", rear_port=rear, rear_port_position=1
        )
        return front, rear

    @staticmethod
    def plug(a: object, b: object, **about: object) -> Cable:
        cable = Cable(termination_a=a, termination_b=b, status=status_of(Cable, "Connected"))
        for name, value in about.items():
            setattr(cable, name, value)
        cable.validated_save()
        return cable

    @staticmethod
    def rows(pod: Pod, user: object = None) -> dict[str, dict[str, str]]:
        out = io.StringIO()
        export_cut_sheet(PodRecord(pod), out, user)
        return {row["cable"]: row for row in csv.DictReader(io.StringIO(out.getvalue()))}

    def findings(self) -> list[tuple[str, list[str]]]:
        record = PodRecord(self.pod)
        report = audit_cabling(record.intended(), record.plant)
        return [(finding.code, list(finding.cables)) for finding in report.findings]

    def test_a_cut_sheet_has_one_row_from_end_to_end(self) -> None:
        through = self.direct | {NAME: self.direct[NAME] | {"length_m": "3"}}
        self.assertEqual(self.rows(self.pod), through)

    def test_an_audit_finds_it_as_right_as_one_without_panels(self) -> None:
        self.assertEqual(self.findings(), [])

    def test_light_agrees_with_the_cables_at_both_ends(self) -> None:
        write_agreed(PodRecord(self.pod), [NAME], timezone.now())
        agreed = AgreedCable.objects.values_list("cable__label", flat=True)
        self.assertEqual(set(agreed), {NAME, "from the panel"})

    def test_a_wrong_port_behind_the_panels_is_found_by_the_name_at_the_cube(self) -> None:
        spare = Interface.objects.get(device=self.switch.device, name="4A")
        self.last.delete()
        self.plug(self.panels[1][0], spare, label="from the panel")
        ((code, cables),) = self.findings()
        self.assertEqual((code, cables), ("spare-in-use", [NAME]))

    def test_a_cable_that_ends_at_a_panel_has_one_end_and_is_dark(self) -> None:
        self.last.delete()
        row = self.rows(self.pod)[NAME]
        self.assertEqual((row["b_device"], row["b_port"]), ("", ""))
        self.assertEqual([code for code, _ in self.findings()], ["dark"])

    def test_a_sheet_is_for_who_may_see_an_end_that_is_of_no_pod_too(self) -> None:
        self.last.delete()
        device = self.panels[0][0].device
        stray = Interface.objects.create(
            device=device, name="eth0", type="other", status=status_of(Interface)
        )
        self.plug(self.panels[1][0], stray, label="astray")
        get_user_model().objects.create(username="half")
        self.see(Cable)
        self.see(Interface, device__name__startswith="small-")
        self.refuses("half may not view 1 of 121 interfaces")
        self.see(Interface, device__name="panel-1")
        self.see(Device, name__startswith="small-")
        self.refuses("half may not view 1 of 15 devices")
        self.see(Device, name="panel-1")
        row = self.rows(self.pod, self.half())[NAME]
        self.assertEqual((row["b_device"], row["b_port"]), ("panel-1", "eth0"))

    @staticmethod
    def half() -> Any:
        """The user, without what was remembered of permissions."""
        return get_user_model().objects.get(username="half")

    def see(self, model: type, **constraints: str) -> None:
        sight = ObjectPermission.objects.create(
            name=f"{model.__name__} {constraints}",
            actions=["view"],
            constraints=constraints or None,
        )
        sight.users.add(self.half())
        sight.object_types.add(ContentType.objects.get_for_model(model))

    def refuses(self, why: str) -> None:
        with self.assertRaisesMessage(NotPermitted, why):
            self.rows(self.pod, self.half())

    def test_a_light_path_goes_through_to_the_switch(self) -> None:
        admin = get_user_model().objects.create_superuser("admin of panels")
        number = self.tray.fabric_port.number
        around = Neighbourhood(Sight(self.pod, admin), [number])
        fabric = around.fabric
        ends = dict(zip(fabric.cables.a.tolist(), fabric.cables.b.tolist(), strict=True))
        self.assertEqual(ends[number], self.switch.fabric_port.number)
