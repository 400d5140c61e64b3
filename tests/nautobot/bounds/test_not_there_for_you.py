"""What one may not see is as if it were not there: in forms, jobs, scopes and bodies."""

from typing import Any
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.test import Client
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Job
from nautobot.users.models import Token

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import (
    AuditRun,
    Cube,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Slice,
    Switch,
    Ticket,
    WorkOrder,
)
from fabric_twin.operations.pods.audit_schedule import ask_for_audit
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.run_jobs import FAILURE, log_in_this_transaction, run, said
from tests.nautobot.bases.users import allow

ROOT = "/api/plugins/fabric-twin/"
PAGES = "/plugins/fabric-twin/"
ALL = ["view", "add", "change", "delete"]


class NotThereTest(TestCase):
    """Somebody who may do everything in the pod `mine`, and nothing in `hidden`."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.mine, cls.hidden = small_pod("mine"), small_pod("hidden")
        cls.guest = get_user_model().objects.create(username="guest")
        allow(cls.guest, ALL, Pod, name="mine")
        of_pod = (Cube, Switch, Port, Slice, Ticket, WorkOrder, AuditRun, Silence)
        allow(cls.guest, ALL, *of_pod, pod__name="mine")
        allow(cls.guest, ALL, OpticalCircuit, switch__pod__name="mine")
        allow(cls.guest, ["run", "view"], Job)
        Job.objects.filter(module_name__startswith="fabric_twin").update(enabled=True)
        cls.switch = cls.hidden.switches.select_related("device").order_by("number").first()

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.page = Client()
        self.page.force_login(self.guest)
        key = Token.objects.create(user=self.guest).key
        self.header = {"Authorization": f"Token {key}"}

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        told = Client().post(
            f"{ROOT}{path}", body, content_type="application/json", headers=self.header
        )
        return told.status_code, told.json()

    def test_a_form_shows_no_name_of_it(self) -> None:
        jobs = Job.objects.filter(job_class_name__in=("AuditPod", "MakeSlice", "MakeOrder"))
        job_pages = [f"/extras/jobs/{job.pk}/run/" for job in jobs]
        self.assertEqual(len(job_pages), 3)
        for asked in (
            f"{PAGES}tickets/add/?pod=",
            f"{PAGES}tickets/add/?kind=maintenance&pod=",
            f"{PAGES}work-orders/add/?pod=",
            f"{PAGES}slices/add/?pod=",
            f"{PAGES}circuits/?pod=",
            *(f"{page}?pod=" for page in job_pages),
        ):
            with self.subTest(asked):
                self.assertContains(self.page.get(f"{asked}{self.mine.pk}"), ">mine<", html=False)
                shown = self.page.get(f"{asked}{self.hidden.pk}")
                self.assertNotContains(shown, "hidden-ocs")
                self.assertNotContains(shown, ">hidden<")
        shown = self.page.get(f"{PAGES}circuits/?switch={self.switch.pk}")
        self.assertNotContains(shown, self.switch.device.name)
        mine = self.mine.switches.select_related("device").first()
        shown = self.page.get(f"{PAGES}circuits/?switch={mine.pk}")
        self.assertContains(shown, mine.device.name)

    def test_a_form_that_names_it_is_answered_as_if_it_were_not_there(self) -> None:
        for path, more in (
            ("work-orders/add/?kind=install", {"slots": "999", "crews": 1, "make": ""}),
            ("tickets/add/?kind=slice", {"shape": "2x2x2", "slots": "999", "make": ""}),
            ("slices/add/", {"shape": "2x2x2", "slots": "999"}),
        ):
            told = [
                self.page.post(f"{PAGES}{path}", {"pod": key, **more}).context["form"].errors
                for key in (self.hidden.pk, uuid4())
            ]
            self.assertEqual(told[0], told[1])
            self.assertEqual(list(told[0]), ["pod"])
            self.assertIn("not one of the available choices", str(told[0]["pod"]))

    def test_a_body_that_names_it_is_answered_as_if_it_were_not_there(self) -> None:
        for path, body in (
            ("slices/", {"shape": "2x2x2", "slots": "999"}),
            ("tickets/", {"kind": "slice", "wish": {"shape": "2x2x2"}}),
            ("work-orders/", {"kind": "install", "slots": "999"}),
            ("silences/", {"reason": "hands at work", "until": "2100-01-01T00:00:00Z"}),
        ):
            told = []
            for key in (self.hidden.pk, uuid4()):
                code, said = self.post(path, {"pod": str(key), **body})
                told.append((code, str(said["pod"]).replace(str(key), "")))
            self.assertEqual(told[0], told[1], path)
            self.assertEqual(told[0][0], 400)

    def test_an_audit_of_one_pod_with_a_part_of_another_is_refused(self) -> None:
        admin = get_user_model().objects.create_superuser("admin of both")
        ports = list(self.hidden.ports.values_list("pk", flat=True)[:2])
        cube = self.hidden.cubes.first()
        for part in ({"switch": self.switch.pk}, {"cube": cube.pk}, {"ports": ports}):
            for user in (self.guest, admin):
                with self.assertRaisesRegex(UnusableInput, "the pod has no such"):
                    ask_for_audit(self.mine, user, **part)
            wish = {
                name: list(map(str, key)) if isinstance(key, list) else str(key)
                for name, key in part.items()
            }
            code, told = self.post(f"pods/{self.mine.pk}/audit/", wish)
            self.assertEqual((code, told["where"]), (400, "pod mine"))
            result = run("AuditPod", admin.username, pod=str(self.mine.pk), **wish)
            self.assertEqual(result.status, FAILURE)
            self.assertIn("is of pod hidden. Name one of the pod", said(result))
        self.assertFalse(AuditRun.objects.exists())

    def test_a_job_looks_at_the_permission_before_the_slots(self) -> None:
        more = {"MakeSlice": {"shape": "2x2x2"}, "MakeOrder": {"kind": "install"}}
        for job, wish in more.items():
            result = run(job, "guest", pod=str(self.hidden.pk), slots="999", **wish)
            self.assertEqual(result.status, FAILURE)
            self.assertEqual(
                said(result).splitlines()[-1],
                "pod: guest may not view this pod. Choose another one, or ask for the permission.",
            )

    def test_a_job_takes_a_hidden_record_over_rest_for_none(self) -> None:
        for name in ("AuditPod", "MakeSlice", "MakeOrder", "SyncPod"):
            job = Job.objects.get(job_class_name=name)
            told = []
            for key in (self.hidden.pk, uuid4()):
                answer = Client().post(
                    f"/api/extras/jobs/{job.pk}/run/",
                    {"data": {"pod": str(key), "shape": "2x2x2", "kind": "install"}},
                    content_type="application/json",
                    headers=self.header,
                )
                told.append((answer.status_code, str(answer.json()).replace(str(key), "")))
            self.assertEqual(told[0], told[1], name)

    def test_crews_have_a_default_over_rest_too(self) -> None:
        form = Job.objects.get(job_class_name="MakeOrder").job_class.as_form(
            {"pod": str(self.mine.pk), "kind": "install", "slots": "3"}
        )
        self.assertTrue(form.is_valid(), form.errors)
