"""What a pod stands on is not deleted unnoticed; what is deleted all the same is missed."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase, TransactionTestCase, run_job_for_testing
from nautobot.core.jobs.bulk_actions import BulkDeleteObjects
from nautobot.dcim.models import Device
from nautobot.extras.models import Job

from fabric_twin.models import Pod, Port
from fabric_twin.operations.pods.adopt import adopt_pod
from fabric_twin.operations.pods.bind_ports import Binding
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.presenters.attention import attention
from fabric_twin.presenters.visible_pod import Sight
from tests.nautobot.bases.pods.small import SMALL, hall

NUMBERS = 'SELECT "fabric_twin_port"."number"'


class HardwareHoldsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.hall = hall()
        load_pod("small", SMALL.name, cls.hall, slots=[1, 2])
        cls.pod = Pod.objects.get(name="small")
        cls.tray = Device.objects.get(name="small-c001-t01")

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def matters(self) -> dict[str, int]:
        return {matter.what: matter.many for matter in attention(Sight(self.pod, self.user))}

    def test_a_trays_page_refuses_to_delete_it_and_says_for_which_ports(self) -> None:
        url = reverse("dcim:device_delete", args=[self.tray.pk])
        answer = self.client.post(url, {"confirm": True}, follow=True)
        self.assertHttpStatus(answer, 200)
        page = answer.content.decode()
        self.assertIn("referenced through protected foreign keys", page)
        self.assertIn("small-c001-t01 1.1.1/X-", page)
        self.assertEqual(self.pod.ports.filter(interface__device=self.tray).count(), 12)

    def test_the_api_refuses_it_as_a_conflict(self) -> None:
        url = reverse("dcim-api:device-detail", args=[self.tray.pk])
        answer = self.client.delete(url)
        self.assertHttpStatus(answer, 409)
        self.assertIn("dependent objects were found", answer.json()["detail"])
        many = [{"id": str(self.tray.pk)}]
        url = reverse("dcim-api:device-list")
        answer = self.client.delete(url, many, content_type="application/json")
        self.assertHttpStatus(answer, 409)
        self.assertTrue(Device.objects.filter(pk=self.tray.pk).exists())

    def test_an_interface_is_refused_as_its_device_is(self) -> None:
        interface = self.pod.ports.first().interface
        url = reverse("dcim:interface_delete", args=[interface.pk])
        answer = self.client.post(url, {"confirm": True}, follow=True)
        self.assertIn("through protected foreign keys", answer.content.decode())
        self.assertTrue(Port.objects.filter(interface=interface).exists())

    def test_a_pod_of_which_all_is_there_misses_no_ports(self) -> None:
        self.assertEqual(self.matters(), {"slot without a cube": 1})

    def test_ports_that_went_are_missed_with_one_query(self) -> None:
        self.pod.ports.filter(interface__device=self.tray).delete()
        layout = SMALL.layout
        (end,) = layout.mate[layout.ports_per_cube :][:1].tolist()
        self.pod.ports.filter(number=end).delete()
        sight = Sight(self.pod, self.user)
        with CaptureQueriesContext(connection) as queries:
            found = {matter.what: matter for matter in attention(sight)}
        asked = [q["sql"] for q in queries if q["sql"].startswith(NUMBERS)]
        self.assertEqual(len(asked), 1)
        cubes = found["ports of cubes not recorded"]
        self.assertEqual((cubes.many, cubes.level), (12, "danger"))
        self.assertIn("slots=1", cubes.url)
        switches = found["port of switches not recorded, where cables of cubes go"]
        self.assertEqual((switches.many, switches.level), (1, "danger"))
        listed = self.client.get(switches.url, headers={"HX-Request": "true"})
        self.assertHttpStatus(listed, 200)

    def test_a_cube_or_a_switch_is_deleted_by_whoever_was_told_what_goes(self) -> None:
        for record, told in (
            (self.pod.cubes.get(slot=1), "Its 24 ports are then no ports of the pod any more"),
            (self.pod.switches.get(number=0), "and its 0 circuits are forgotten"),
        ):
            name = record._meta.model_name
            url = reverse(f"plugins:fabric_twin:{name}_delete", args=[record.pk])
            self.assertIn(told, self.client.get(url).content.decode())
            self.assertHttpStatus(self.client.post(url, {"confirm": True}, follow=True), 200)
        matters = self.matters()
        self.assertEqual(matters["switch of the design not recorded"], 1)
        self.assertEqual(matters["slots without a cube"], 2)

    def test_what_was_deleted_is_adopted_again(self) -> None:
        before = set(self.pod.ports.values_list("number", "interface"))
        self.pod.cubes.get(slot=1).delete()
        self.pod.switches.get(number=0).delete()
        adopt_pod(
            "small",
            SMALL.name,
            self.hall,
            Binding(
                cube_ports="{any}/small-c{slot}-{any}/{chip}/{face}",
                switch_ports="{any}/small-ocs-{axis}-{index}/{port}",
            ),
        )
        self.assertEqual(set(self.pod.ports.values_list("number", "interface")), before)

    def test_the_pods_own_removing_takes_all_of_it(self) -> None:
        remove_pod("small", hardware=True)
        self.assertFalse(Device.objects.filter(name__startswith="small-").exists())
        self.assertFalse(Port.objects.exists())


class BulkDeleteTest(TransactionTestCase):
    databases = ("default", "job_logs")

    def test_a_bulk_delete_of_trays_fails_and_says_why(self) -> None:
        load_pod("small", SMALL.name, hall(), slots=[1])
        trays = Device.objects.filter(name__startswith="small-c001")
        keys: list[Any] = [str(pk) for pk in trays.values_list("pk", flat=True)]
        admin = get_user_model().objects.create_superuser("admin of trays")
        job = BulkDeleteObjects
        result = run_job_for_testing(
            Job.objects.get(module_name=job.__module__, job_class_name=job.__name__),
            username=admin.username,
            content_type=ContentType.objects.get_for_model(Device).pk,
            pk_list=keys,
            delete_all=False,
        )
        self.assertEqual(result.status, "FAILURE")
        said = " ".join(result.job_log_entries.values_list("message", flat=True))
        self.assertIn("Caught ProtectedError while attempting to delete objects", said)
        self.assertEqual(trays.count(), len(keys))
