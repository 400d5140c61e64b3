"""The jobs: what they say, what they attach, and whom they refuse."""

import csv
import io
from unittest import mock

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, Interface, Location, Rack
from nautobot.extras.models import FileProxy, Job, JobLogEntry, JobResult, ObjectChange
from nautobot.users.models import ObjectPermission

from fabric_twin.models import Cube, Pod, Slice, Switch
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.tasks import jobs
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.pods.small_sheet import sheet
from tests.nautobot.bases.run_jobs import FAILURE, SUCCESS, log_in_this_transaction, run, said


class JobsTest(TestCase):
    """Jobs are thin: what they do is tested elsewhere."""

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.place = hall()

    def test_every_job_says_what_it_is(self) -> None:
        for job in jobs:
            with self.subTest(job.__name__):
                record = Job.objects.get(job_class_name=job.__name__, grouping="Fabric Twin")
                self.assertTrue(record.installed)
                self.assertTrue(job.__module__.startswith("fabric_twin.tasks."))
                self.assertTrue(job.description.endswith("."))
                self.assertLess(job.soft_time_limit, job.time_limit)
                self.assertFalse(job.has_sensitive_variables)
                self.assertNotEqual(job.supports_dryrun, job.read_only)
                job.as_form_class()()

    def test_a_pod_is_loaded_and_logged(self) -> None:
        wish = {"pod": "s", "design": "small", "location": self.place.pk}
        dry = run("LoadPod", **wish, dryrun=True)
        self.assertEqual(dry.status, SUCCESS)
        self.assertIn("would load", said(dry))
        self.assertFalse(Pod.objects.exists())
        result = run("LoadPod", **wish, slots="1-2")
        self.assertEqual(result.status, SUCCESS, said(result))
        pod = Pod.objects.get()
        entry = JobLogEntry.objects.get(job_result=result, message__contains="Cubes in slots 1-2")
        self.assertEqual(entry.absolute_url, pod.get_absolute_url())
        change = ObjectChange.objects.get(changed_object_id=pod.pk)
        self.assertEqual((change.user_name, change.change_context), ("admin", "job"))

    def test_a_refusal_fails_the_job_in_its_own_words(self) -> None:
        wish = {"pod": "s", "design": "small", "location": self.place.pk, "slots": "1-9"}
        result = run("LoadPod", **wish)
        self.assertEqual(result.status, FAILURE)
        self.assertIn("slots: 1-9 is not within slots 1 to 3. Name slots", said(result))
        self.assertFalse(result.traceback)

    def test_a_cut_sheet_goes_in_and_comes_out(self) -> None:
        load_pod("s", "small", self.place, slots=[1])
        result = run("ExportCutSheet", pod=Pod.objects.get().pk)
        self.assertEqual(result.status, SUCCESS, said(result))
        file = FileProxy.objects.get(job_result=result)
        self.assertEqual(file.name, "s-cables.csv")
        rows = list(csv.DictReader(io.TextIOWrapper(file.file.open("rb"))))
        self.assertEqual(len(rows), 24)
        uploaded = FileProxy.objects.create(
            name="in.csv", file=SimpleUploadedFile("in.csv", file.file.open("rb").read())
        )
        wish = {"pod": "s", "design": "small", "location": self.place.pk}
        again = run("LoadPod", **wish, cut_sheet=uploaded.pk)
        self.assertEqual(again.status, SUCCESS, said(again))
        self.assertIn("nothing to load", said(again))

    def test_all_mistakes_of_a_sheet_are_told_at_once_and_it_comes_back_with_remarks(self) -> None:
        bad = sheet(
            **{
                "s-c001:2.1.1/X+": {"length_m": "abc"},
                "s-c002:2.1.1/X+": {"status": "connectd"},
                "s-c003:2.1.1/X+": {"cable": "s-c001:2.1.1/X+"},
            }
        )
        uploaded = FileProxy.objects.create(name="in.csv", file=SimpleUploadedFile("in.csv", bad))
        wish = {"pod": "s", "design": "small", "location": self.place.pk}
        result = run("LoadPod", **wish, cut_sheet=uploaded.pk)
        self.assertEqual((result.status, Pod.objects.exists()), (FAILURE, False))
        logged = JobLogEntry.objects.filter(job_result=result, log_level="error")
        words = [
            message for message in logged.values_list("message", flat=True) if "line" in message
        ]
        self.assertEqual(len(words), 3)
        for wrong in (
            "'abc' is not a length",
            "cables have no status 'connectd'",
            "is there already",
        ):
            self.assertEqual(len([one for one in words if wrong in one]), 1, words)
        self.assertIn("cut sheet: it has 3 mistakes. Correct them all.", said(result))
        back = result.files.get()
        self.assertEqual(back.name, "s-remarks.csv")
        rows = list(csv.DictReader(io.TextIOWrapper(back.file.open("rb"))))
        self.assertEqual(len(rows), len(bad.splitlines()) - 1)
        self.assertEqual(len([row for row in rows if row["remarks"]]), 3)

    def test_documents_are_attached(self) -> None:
        load_pod("s", "small", self.place)
        pod = Pod.objects.get().pk
        switch = Switch.objects.order_by("number").first()
        one = run("RenderDocuments", pod=pod, kind="port-map", form="svg", switch=switch.pk)
        self.assertEqual(one.status, SUCCESS, said(one))
        self.assertEqual(one.files.get().name, "s-ocs-x-1-1-port-map.svg")
        every = run("RenderDocuments", pod=pod, kind="port-map", form="txt")
        self.assertEqual(every.files.get().name, "s-port-map.zip")
        odd = run("RenderDocuments", pod=pod, kind="labels", form="svg")
        self.assertEqual(odd.status, FAILURE)
        self.assertIn("svg is not a format of labels", said(odd))

    def test_a_pod_is_adopted_and_removed(self) -> None:
        load_pod("s", "small", self.place)
        gone = run("RemovePod", pod=Pod.objects.get().pk, dryrun=False)
        self.assertEqual(gone.status, SUCCESS, said(gone))
        wish = {"pod": "s", "design": "small", "location": self.place.pk, "dryrun": False}
        neither = run("AdoptPod", **wish)
        self.assertIn("give either a file or patterns", said(neither))
        cube, switch = "{any}-c{slot}/{any}/{chip}/{face}", "{any}/{any}-ocs-{axis}-{index}/{port}"
        result = run("AdoptPod", **wish, cube_ports=cube, switch_ports=switch)
        self.assertEqual(result.status, SUCCESS, said(result))
        self.assertEqual(Cube.objects.count(), 3)
        gone = run("RemovePod", pod=Pod.objects.get().pk, hardware=True, dryrun=False)
        self.assertEqual(gone.status, SUCCESS, said(gone))
        self.assertFalse(Rack.objects.exists())


class PermissionsTest(TestCase):
    """A user who may see one place and load one pod."""

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.mine, self.other = hall("Hall 1"), hall("Hall 2")
        self.user = get_user_model().objects.create(username="half")
        self.allow(("view",), Location, {"name": "Hall 1"})

    def allow(self, actions: tuple[str, ...], model: type, constraints: object = None) -> None:
        """Give the user a permission."""
        permission = ObjectPermission.objects.create(
            name=f"{model.__name__} {actions} {constraints}",
            actions=list(actions),
            constraints=constraints,
        )
        permission.object_types.add(ContentType.objects.get_for_model(model))
        permission.users.add(self.user)

    def load(self, pod: str, place: Location) -> JobResult:
        """Load a pod as this user."""
        return run("LoadPod", "half", pod=pod, design="small", location=place.pk, slots="1")

    def test_a_refusal_is_the_result_of_its_job(self) -> None:
        self.assertEqual(
            self.load("a", self.other).result,
            {
                "exc_type": "NotPermitted",
                "exc_module": "fabric_twin.core.errors",
                "exc_message": "location: half may not view this location. Choose another one, or "
                "ask for the permission.",
                "refused": {
                    "what": "half may not view this location",
                    "where": "location",
                    "remedy": "Choose another one, or ask for the permission",
                },
                "exit_code": 2,
            },
        )

    def test_what_is_not_permitted_is_not_loaded(self) -> None:
        self.assertIn("may not view this location", said(self.load("a", self.other)))
        self.assertIn("may not add pods", said(self.load("a", self.mine)))
        self.allow(("add", "view"), Pod, {"name": "a"})
        for model in (Cube, Switch, Rack, Device):
            self.allow(("add",), model)
        with mock.patch("fabric_twin.repositories.bulk_insert.Writer.insert") as writing:
            self.assertIn("may not add cables", said(self.load("a", self.mine)))
        self.assertFalse(writing.called)
        self.allow(("add",), Cable, {"label": "another"})
        self.assertIn("may not add 24 of 24 cables", said(self.load("a", self.mine)))
        self.assertIn("may not add 1 of 1 pods", said(self.load("b", self.mine)))
        self.assertFalse(Pod.objects.exists())

    def test_what_is_permitted_is_loaded(self) -> None:
        self.allow(("add", "view"), Pod, {"name": "a"})
        for model in (Cube, Switch, Rack, Device, Cable):
            self.allow(("add",), model)
        result = self.load("a", self.mine)
        self.assertEqual(result.status, SUCCESS, said(result))

    def see_pod_a(self, **but: object) -> None:
        """See pod a and all that it is made of; of some kinds only what `but` says."""
        of_a: dict[type, object] = {
            Pod: {"name": "a"},
            Device: {"name__startswith": "a-"},
            Rack: {"name__startswith": "a-"},
            Cable: {"label__startswith": "a-"},
            Interface: {"device__name__startswith": "a-"},
            Cube: {"pod__name": "a"},
            Switch: {"pod__name": "a"},
        }
        for model, constraints in of_a.items():
            self.allow(("view",), model, but.get(model.__name__, constraints))

    def test_a_sheet_and_documents_are_for_who_may_see_all_that_they_name(self) -> None:
        """A part of a sheet would be read as the rest being missing."""
        load_pod("a", "small", self.mine, slots=[1])
        self.see_pod_a(Device={"name__startswith": "a-c001"}, Rack={"name": "none"})
        wish = {"pod": Pod.objects.get().pk}
        document = wish | {"kind": "cut-list", "form": "csv"}
        refused = run("ExportCutSheet", "half", **wish)
        self.assertEqual((refused.status, refused.files.count()), (FAILURE, 0))
        self.assertIn(
            "permissions: half may not view 12 of 14 devices. Ask for the permission "
            "dcim.view_device for these devices. Nothing was shown.",
            said(refused),
        )
        self.assertIn("12 of 14 devices", said(run("RenderDocuments", "half", **document)))
        self.allow(("view",), Device, {"name__startswith": "a-ocs"})
        self.assertEqual(run("ExportCutSheet", "half", **wish).status, SUCCESS)
        self.assertIn("may not view 1 of 1 racks", said(run("RenderDocuments", "half", **document)))
        self.allow(("view",), Rack, {"name__startswith": "a-"})
        self.assertEqual(run("RenderDocuments", "half", **document).status, SUCCESS)
        Slice.objects.create(
            name="secret", pod_id=wish["pod"], shape="2x2x2", status=status_of(Slice)
        )
        refused = run("RenderDocuments", "half", **document)
        self.assertIn("may not view 1 of 1 slices", said(refused))
        self.assertNotIn("secret", said(refused))

    def test_only_what_is_visible_is_exported(self) -> None:
        load_pod("a", "small", self.mine, slots=[1])
        load_pod("b", "small", self.other, slots=[1])
        self.see_pod_a()
        mine, other = Pod.objects.get(name="a").pk, Pod.objects.get(name="b").pk
        self.assertEqual(run("ExportCutSheet", "half", pod=mine).status, SUCCESS)
        for job, wish in (
            ("ExportCutSheet", {}),
            ("RenderDocuments", {"kind": "cut-list", "form": "csv"}),
            ("RemovePod", {"dryrun": False}),
        ):
            with self.subTest(job):
                refused = run(job, "half", pod=other, **wish)
                self.assertEqual(refused.status, FAILURE)
                self.assertIn("may not view this pod", said(refused))
        removed = run("RemovePod", "half", pod=mine, dryrun=False)
        self.assertIn("may not delete", said(removed))
        self.assertEqual(Pod.objects.count(), 2)
