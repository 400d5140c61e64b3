"""Somebody who may see one pod of two: everywhere the other one is not there."""

from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from nautobot.apps.testing import APITestCase
from nautobot.users.models import ObjectPermission

from fabric_twin.models import (
    AgreedCable,
    AuditRun,
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Slice,
    SlicePart,
    Substitution,
    Switch,
    WrittenEnd,
)
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.audits.small_findings import audit, silence, substitute_one
from tests.nautobot.bases.pods.small_pod import (
    add_agreed_cables,
    add_ports,
    add_written_ends,
    make_pod,
)

ROOT = "/api/plugins/fabric-twin/"

#: The list of each kind of record, its model, and how one finds its pod.
LISTS = {
    "pods": (Pod, "name"),
    "cubes": (Cube, "pod__name"),
    "switches": (Switch, "pod__name"),
    "ports": (Port, "pod__name"),
    "slices": (Slice, "pod__name"),
    "slice-parts": (SlicePart, "slice__pod__name"),
    "written-ends": (WrittenEnd, "pod__name"),
    "agreed-cables": (AgreedCable, "agreement__pod__name"),
    "optical-circuits": (OpticalCircuit, "switch__pod__name"),
    "audit-runs": (AuditRun, "pod__name"),
    "findings": (Finding, "pod__name"),
    "finding-places": (FindingPlace, "finding__pod__name"),
    "silences": (Silence, "pod__name"),
    "substitutions": (Substitution, "port__pod__name"),
}


class OnePodOfTwoTest(APITestCase):
    """The user may do everything in pod mine, and nothing in pod other."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.mine, cls.other = (make_pod(name, slots=range(1, 4)) for name in ("mine", "other"))
        cls.admin = cls.make_admin()
        for pod in (cls.mine, cls.other):
            add_ports(pod, [0])
            make_slice(pod, Wish(shape="4x4x8"), cls.admin)
            add_written_ends(pod)
            add_agreed_cables(pod)
            audit(pod)  # every cable is missing
            silence(pod, code="missing")
            substitute_one(pod)

    @classmethod
    def make_admin(cls) -> Any:
        from django.contrib.auth import get_user_model

        return get_user_model().objects.create_superuser("admin of two")

    def setUp(self) -> None:
        super().setUp()
        for model, path in LISTS.values():
            permission = ObjectPermission.objects.create(
                name=f"{model.__name__} of mine",
                constraints={path: "mine"},
                actions=["view", "add", "change", "delete"],
            )
            permission.users.add(self.user)
            permission.object_types.add(ContentType.objects.get_for_model(model))

    def get(self, path: str, code: int = 200) -> Any:
        response = self.client.get(f"{ROOT}{path}", **self.header)
        self.assertHttpStatus(response, code)
        return response.json()

    def test_a_cut_sheet_is_of_a_pod_that_one_may_see(self) -> None:
        said = self.get(f"pods/{self.mine.pk}/cut-sheet/", 403)
        self.assertEqual(said["what"], f"{self.user} may not view 3 of 3 cables")
        self.assertIn("dcim.view_cable", said["remedy"])
        self.add_permissions("dcim.view_cable", "dcim.view_interface", "dcim.view_device")
        sheet = self.client.get(f"{ROOT}pods/{self.mine.pk}/cut-sheet/", **self.header)
        self.assertHttpStatus(sheet, 200)
        rows = sheet.content.decode().splitlines()
        self.assertEqual(rows[0], "cable,a_device,a_port,b_device,b_port,status,length_m,label")
        self.assertEqual(len(rows), 4)
        self.get(f"pods/{self.other.pk}/cut-sheet/", 404)

    def test_maps_are_drawn_for_who_may_see_all_of_the_pod(self) -> None:
        said = self.get(f"pods/{self.mine.pk}/drawn/", 403)
        self.assertEqual(said["what"], f"{self.user} may not view 3 of 3 cables")
        self.add_permissions("dcim.view_cable", "dcim.view_interface", "dcim.view_device")
        said = self.get(f"pods/{self.mine.pk}/drawn/", 403)
        self.assertIn("dcim.view_rack", said["remedy"])
        self.add_permissions("dcim.view_rack")
        self.assertEqual(self.get(f"pods/{self.mine.pk}/drawn/")["pod"], "mine")
        self.get(f"pods/{self.other.pk}/drawn/", 404)

    def test_lists_leave_the_other_out(self) -> None:
        for path, (model, its_pod) in LISTS.items():
            with self.subTest(path):
                mine = model.objects.filter(**{its_pod: "mine"}).count()
                said = self.get(f"{path}/?limit=1000")
                self.assertEqual((said["count"], len(said["results"])), (mine, mine))

    def test_the_other_has_no_details(self) -> None:
        for path, (model, its_pod) in LISTS.items():
            for pod, code in (("mine", 200), ("other", 404)):
                with self.subTest(f"{path} of {pod}"):
                    record = model.objects.filter(**{its_pod: pod}).first()
                    self.get(f"{path}/{record.pk}/", code)

    def test_actions_of_the_other_are_not_there(self) -> None:
        pods = {"mine": (self.mine, 200), "other": (self.other, 404)}
        for name, (pod, code) in pods.items():
            made = pod.slices.get()
            with self.subTest(name):
                self.get(f"pods/{pod.pk}/utilisation/", code)
                report = f"{ROOT}audit-runs/{pod.audit_runs.get().pk}/report/"
                self.assertHttpStatus(self.client.get(report, **self.header), code)
                found = f"{ROOT}findings/{pod.findings.first().pk}/"
                said = self.client.post(
                    f"{found}acknowledge/", {"why": "x"}, format="json", **self.header
                )
                self.assertHttpStatus(said, code)
                self.get(f"slices/{made.pk}/circuits/", code)
                url = f"{ROOT}slices/{made.pk}/release/"
                self.assertHttpStatus(self.client.post(url, **self.header), code)
        self.assertEqual([str(pod) for pod in Pod.objects.filter(slices__isnull=False)], ["other"])

    def test_slices_are_made_in_mine_alone(self) -> None:
        for pod, code in ((self.mine, 201), (self.other, 400)):  # it is not there to be named
            wish = {"pod": pod.pk, "shape": "4x4x4"}
            response = self.client.post(f"{ROOT}slices/", wish, format="json", **self.header)
            self.assertHttpStatus(response, code)
        self.assertEqual(self.other.slices.count(), 1)

    def test_records_are_not_carried_over_to_the_other(self) -> None:
        cube = self.mine.cubes.get(slot=3)
        for change in ({"pod": self.other.pk, "slot": 9}, {"pod": str(self.other.pk)}):
            url = f"{ROOT}cubes/{cube.pk}/"
            response = self.client.patch(url, change, format="json", **self.header)
            self.assertIn(response.status_code, (400, 403))
        cube.refresh_from_db()
        self.assertEqual(cube.pod, self.mine)

    def test_a_wish_cannot_name_cubes_that_are_not_seen(self) -> None:
        cube = self.other.cubes.first()
        wish = {"pod": self.mine.pk, "shape": "4x4x4", "cubes": [cube.pk]}
        response = self.client.post(f"{ROOT}slices/", wish, format="json", **self.header)
        self.assertHttpStatus(response, 400)
        self.assertNotIn("other", response.content.decode())

    def test_half_of_a_slices_circuits_are_not_shown_as_all(self) -> None:
        permission = ObjectPermission.objects.get(name="OpticalCircuit of mine")
        permission.constraints = {"switch__pod__name": "mine", "switch__axis": "x"}
        permission.save()
        with connection.cursor() as cursor:  # as it would be by itself outside a transaction
            cursor.execute("ANALYZE fabric_twin_opticalcircuit, fabric_twin_switch")
        made = self.mine.slices.get()
        said = self.get(f"slices/{made.pk}/circuits/", 403)
        self.assertEqual(said["what"], "you may not see all circuits of the slice")

    def test_nested_records_of_the_other_are_brief(self) -> None:
        """A record that is seen may point at one that is not: no more than its name is told."""
        permission = ObjectPermission.objects.get(name="Cube of mine")
        permission.constraints = {}
        permission.save()
        cube = self.other.cubes.first()
        said = self.get(f"cubes/{cube.pk}/?depth=1")
        self.assertEqual(set(said["pod"]), {"id", "object_type", "url", "display"})

    def test_graphql_leaves_the_other_out(self) -> None:
        query = """{
            pods { name cubes { slot } switches { circuits { a b } } slices { name } }
            cubes { pod { name } } switches { pod { name } }
            findings { pod { name } } audit_runs { pod { name } } silences { pod { name } }
            slices { name pod { name } parts { place cube { slot } } }
            optical_circuits { a b wanted seen switch { pod { name } } slice { name } }
        }"""
        response = self.client.post("/api/graphql/", {"query": query}, format="json", **self.header)
        self.assertHttpStatus(response, 200)
        said = response.json()["data"]
        self.assertEqual([pod["name"] for pod in said["pods"]], ["mine"])
        self.assertEqual(len(said["pods"][0]["cubes"]), 3)
        self.assertEqual(sum(len(s["circuits"]) for s in said["pods"][0]["switches"]), 192)
        self.assertEqual([part["cube"]["slot"] for part in said["slices"][0]["parts"]], [1, 2])
        for records in ("cubes", "switches", "slices", "findings", "audit_runs", "silences"):
            self.assertEqual({r["pod"]["name"] for r in said[records]}, {"mine"})
        circuits = said["optical_circuits"]
        self.assertEqual({c["switch"]["pod"]["name"] for c in circuits}, {"mine"})
        self.assertEqual(len(circuits), 192)

    def test_graphql_filters_as_lists_do(self) -> None:
        query = '{ optical_circuits(drift: true, port: ["1A"], axis: ["x"]) { a } }'
        response = self.client.post("/api/graphql/", {"query": query}, format="json", **self.header)
        self.assertEqual(response.json()["data"]["optical_circuits"], [{"a": 1}] * 16)
