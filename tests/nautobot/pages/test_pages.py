"""Pages of every record, on Nautobot's own bases."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import ViewTestCases
from nautobot.dcim.models import Device, Rack

from fabric_twin.models import (
    AuditRun,
    Block,
    Cube,
    Demand,
    Finding,
    Multislice,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Slice,
    Substitution,
    Switch,
)
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.audits.small_findings import audit, pod_with_findings, small_pod
from tests.nautobot.bases.networks.small_network import add_demand, add_multislice, make_network
from tests.nautobot.bases.pods.small_pod import (
    add_ports,
    make_devices,
    make_location,
    make_pod,
    status_of,
)


class PodPagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.CreateObjectViewTestCase,
    ViewTestCases.EditObjectViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
    ViewTestCases.BulkEditObjectsViewTestCase,
    ViewTestCases.BulkDeleteObjectsViewTestCase,
):
    """All of a primary object's but renaming: Nautobot tries it with capitals, which no pod has."""

    model = Pod

    @classmethod
    def setUpTestData(cls) -> None:
        hall = make_location("Hall 1")
        for number in range(3):
            make_pod(f"v{number}", slots=range(1, 3), location=hall)
        # The first, which is edited: with hardware it would keep its name.
        empty = {"design": "tpu-v4", "location": hall, "status": status_of(Pod)}
        Pod.objects.create(name="a0", **empty)
        Pod.objects.all().update(description="")
        cls.form_data = {
            "name": "iw9",
            "design": "ironwood",
            "location": hall.pk,
            "status": status_of(Pod).pk,
            "description": "To come",
            "bear": 0,
        }
        cls.bulk_edit_data = {"description": "Moved"}

    def _get_queryset(self) -> Any:
        return super()._get_queryset().order_by("name")

    def test_the_list_leads_to_loading_a_pod_for_who_may_run_jobs(self) -> None:
        links = [
            reverse("extras:job_run_by_class_path", args=[f"fabric_twin.tasks.{job}"])
            for job in ("load_pod.LoadPod", "adopt_pod.AdoptPod")
        ]
        for permissions, offered in (["fabric_twin.view_pod"], False), (["extras.run_job"], True):
            self.add_permissions(*permissions)
            page = self.client.get(self._get_url("list")).content.decode()
            self.assertEqual([f'href="{link}"' in page for link in links], [offered] * 2)


class CubePagesTest(ViewTestCases.PrimaryObjectViewTestCase):
    model = Cube

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=range(1, 5))
        rack = Rack.objects.create(name="A7", location=pod.location, status=status_of(Rack))
        cls.form_data = {
            "pod": pod.pk,
            "slot": 9,
            "rack": rack.pk,
            "status": status_of(Cube, "Installing").pk,
        }
        cls.bulk_edit_data = {"status": status_of(Cube, "Draining").pk}


class BlockPagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.CreateObjectViewTestCase,
    ViewTestCases.EditObjectViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
    ViewTestCases.BulkEditObjectsViewTestCase,
    ViewTestCases.BulkDeleteObjectsViewTestCase,
):
    """All of a primary object's but renaming, as of a pod."""

    model = Block

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1", 4)
        cls.form_data = {
            "pod": pod.pk,
            "name": "ab09",
            "device": make_devices(pod, ["dc1-ab09"])[0].pk,
            "first_port": 20,
            "strands": 12,
            "rate_gbps": 800,
            "owner": "ads",
            "status": status_of(Block, "Installing").pk,
        }
        cls.bulk_edit_data = {
            "status": status_of(Block, "Draining").pk,
            "owner": "search",
            "rate_gbps": 200,
        }


class DemandPagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.EditObjectViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
    ViewTestCases.BulkDeleteObjectsViewTestCase,
):
    """An import writes demand, so there is no page to add any."""

    model = Demand

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1")
        for day in range(3):
            add_demand(pod, [("ab01", "ab02", 8)], day)
        cls.form_data = {"description": "As forecast in spring"}

    def test_there_is_no_page_to_add_any(self) -> None:
        self.add_permissions("fabric_twin.add_demand", "fabric_twin.view_demand")
        url = reverse("plugins:fabric_twin:demand_list")
        self.assertHttpStatus(self.client.get(f"{url}add/"), 404)
        self.assertNotContains(self.client.get(url), f"{url}add/")


class MultislicePagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.EditObjectViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
):
    """One that has no slices has ended, and can be deleted."""

    model = Multislice

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1")
        for number in range(3):
            add_multislice(pod, f"job{number}")
        cls.form_data = {"owner": "search", "description": "nightly"}


class SwitchPagesTest(ViewTestCases.PrimaryObjectViewTestCase):
    model = Switch

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=range(1, 3))
        freed = pod.switches.get(number=47)
        device = freed.device
        freed.delete()
        cls.form_data = {
            "pod": pod.pk,
            "number": 47,
            "device": device.pk,
            "status": status_of(Switch).pk,
            "dialect": "sonic",
        }
        cls.update_data = cls.form_data | {
            "device": Device.objects.get(name=pod.switches.get(number=0).device.name).pk,
            "number": 0,
        }
        cls.bulk_edit_data = {"dialect": "kvm"}

    def _get_queryset(self) -> Any:
        return super()._get_queryset().order_by("number")


class SlicePagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
    ViewTestCases.BulkEditObjectsViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
):
    """Making a slice is tested in `test_slice_pages.py`: it is no plain form."""

    model = Slice

    @classmethod
    def setUpTestData(cls) -> None:
        admin = get_user_model().objects.create_superuser("maker of slices")
        pod = make_pod("v4", slots=range(1, 9))
        for _ in range(4):
            make_slice(pod, Wish(shape="4x4x4"), admin)
        cls.bulk_edit_data = {"description": "For the night shift"}

    def get_deletable_object(self) -> Slice:
        """Any: its circuits go with it, for to delete a slice is to release it."""
        return Slice.objects.first()


class OpticalCircuitPagesTest(ViewTestCases.PrimaryObjectViewTestCase):
    model = OpticalCircuit

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=range(1, 3))
        switch = pod.switches.get(number=0)
        for port in range(1, 5):
            OpticalCircuit.objects.create(switch=switch, a=port, b=port + 8, seen=True)
        cls.form_data = {"switch": switch.pk, "a": 20, "b": 21, "wanted": True}
        cls.bulk_edit_data = {"wanted": False}


class SubstitutionPagesTest(ViewTestCases.PrimaryObjectViewTestCase):
    model = Substitution

    @classmethod
    def setUpTestData(cls) -> None:
        pod = small_pod()
        layout = pod.to_core().layout
        first, per = layout.cube_ports, layout.ports_per_switch
        ports = {port.number: port for port in pod.ports.filter(number__gte=first)}
        for number in range(3):
            at = first + number * per
            Substitution.objects.create(port=ports[at], spare=ports[at + layout.radix - 1])
        at = first + 3 * per
        cls.form_data = {
            "port": ports[at].pk,
            "spare": ports[at + layout.radix - 1].pk,
            "reason": "its mirror sticks",
        }
        cls.bulk_edit_data = {"reason": "the same board"}


class SilencePagesTest(ViewTestCases.PrimaryObjectViewTestCase):
    model = Silence

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=[1])
        until = timezone.now() + timedelta(hours=1)
        for code in ("dark", "missing", "stale"):
            Silence.objects.create(pod=pod, code=code, until=until, reason="work")
        cls.form_data = {
            "pod": pod.pk,
            "code": "swapped",
            "until": datetime(2030, 1, 1, tzinfo=UTC),
            "reason": "hands at work",
        }
        cls.bulk_edit_data = {"reason": "longer than thought"}


class AuditRunPagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
    ViewTestCases.DeleteObjectViewTestCase,
    ViewTestCases.BulkDeleteObjectsViewTestCase,
):
    """Runs are made by audits; old ones may be deleted."""

    model = AuditRun

    @classmethod
    def setUpTestData(cls) -> None:
        pod = pod_with_findings()
        for _ in range(3):
            audit(pod)


class FindingPagesTest(
    ViewTestCases.GetObjectViewTestCase,
    ViewTestCases.GetObjectChangelogViewTestCase,
    ViewTestCases.GetObjectNotesViewTestCase,
    ViewTestCases.ListObjectsViewTestCase,
):
    """Findings are made and mended by audits."""

    model = Finding

    @classmethod
    def setUpTestData(cls) -> None:
        pod_with_findings()


class PortPagesTest(ViewTestCases.GetObjectViewTestCase, ViewTestCases.ListObjectsViewTestCase):
    """Ports are loaded, so there are no pages to add or to change them."""

    model = Port

    @classmethod
    def setUpTestData(cls) -> None:
        add_ports(make_pod("v4", slots=range(1, 3)), [0, 1, 2, 100])
