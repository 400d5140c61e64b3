"""Nautobot's own bulk deletion and CSV import, on the App's records."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.apps.testing import TestCase, TransactionTestCase, run_job_for_testing
from nautobot.extras.models import Job, JobResult

from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.pods.small_pod import make_location, make_pod
from tests.nautobot.bases.run_jobs import log_in_this_transaction, said


class InBulkTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("admin of many")
        cls.pod = make_pod("v4", slots=range(1, 5))
        for name in ("one", "two"):
            make_slice(cls.pod, Wish(shape="4x4x4", name=name), cls.admin)

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)

    def run_job(self, name: str, model: type, **wish: Any) -> JobResult:
        job = Job.objects.get(module_name__startswith="nautobot.", job_class_name=name)
        wish |= {"content_type": ContentType.objects.get_for_model(model).pk}
        return run_job_for_testing(job, username=self.admin.username, job_kwargs=wish)

    def delete(self, *records: Any) -> JobResult:
        keys = [str(record.pk) for record in records]
        return self.run_job("BulkDeleteObjects", type(records[0]), pk_list=keys)

    def bring(self, model: type, text: str) -> JobResult:
        return self.run_job("ImportObjects", model, csv_data=text)

    def test_a_pod_with_slices_is_not_deleted_and_an_empty_one_is(self) -> None:
        result = self.delete(self.pod)
        self.assertEqual(result.status, "FAILURE")
        self.assertIn("Caught ProtectedError", said(result))
        self.delete(*Slice.objects.all())
        result = self.delete(self.pod)
        self.assertEqual(result.status, "SUCCESS", said(result))
        self.assertFalse(Pod.objects.exists() or Cube.objects.exists())

    def test_pods_and_cubes_come_from_csv(self) -> None:
        hall = make_location("Hall of CSV")
        result = self.bring(Pod, f"name,design,location,status\nnew,tpu-v4,{hall.name},Active\n")
        self.assertEqual(result.status, "SUCCESS", said(result))
        rack = Cube.objects.get(slot=4).rack
        Cube.objects.filter(slot=4).delete()
        result = self.bring(Cube, f"pod__name,slot,rack,status\nnew,2,{rack.pk},Planned\n")
        self.assertEqual(result.status, "SUCCESS", said(result))
        self.assertEqual(str(Cube.objects.get(pod__name="new")), "new cube 2")

    def test_what_is_wrong_in_a_row_is_said(self) -> None:
        hall = make_location("Hall of CSV")
        result = self.bring(Pod, f"name,design,location,status\nNew,v0,{hall.name},Active\n")
        self.assertEqual(result.status, "FAILURE")
        self.assertIn("Row 1: `name`", said(result))

    def test_a_slice_without_cubes_does_not_come_from_csv(self) -> None:
        result = self.bring(Slice, "pod__name,name,shape,status\nv4,three,4x4x4,Active\n")
        self.assertEqual(result.status, "FAILURE")
        self.assertIn("Make slices on their page, by the job or over REST", said(result))
        self.assertEqual(Slice.objects.count(), 2)


class SlicesInBulkTest(TransactionTestCase):
    """Deleted by a job that has transactions of its own, as in a worker, and none of the test's."""

    databases = ("default", "job_logs")

    def test_slices_are_released_by_a_bulk_deletion(self) -> None:
        admin = get_user_model().objects.create_superuser("admin of slices")
        pod = make_pod("v4", slots=range(1, 5))
        for name in ("one", "two"):
            make_slice(pod, Wish(shape="4x4x4", name=name), admin)
        seen = pod.slices.get(name="one").circuits.first()
        OpticalCircuit.objects.filter(pk=seen.pk).update(seen=True)
        result = run_job_for_testing(
            Job.objects.get(
                module_name__startswith="nautobot.", job_class_name="BulkDeleteObjects"
            ),
            username=admin.username,
            content_type=ContentType.objects.get_for_model(Slice).pk,
            pk_list=[str(made.pk) for made in Slice.objects.all()],
        )
        self.assertEqual(result.status, "SUCCESS", said(result))
        self.assertIn("Deleted 2 slices", said(result))
        self.assertFalse(Slice.objects.exists())
        left = OpticalCircuit.objects.get()
        self.assertEqual((left.pk, left.wanted, left.slice), (seen.pk, False, None))
