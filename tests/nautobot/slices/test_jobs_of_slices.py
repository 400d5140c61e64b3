"""The jobs that make and release slices: what they log, and who may."""

import json
from typing import Any

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase, TransactionTestCase, run_job_for_testing
from nautobot.extras.models import Job, JobLogEntry, JobResult

from fabric_twin.models import OpticalCircuit, Slice
from fabric_twin.operations.slices.as_json import slice_json
from fabric_twin.tasks import jobs
from tests.nautobot.bases.pods.small_pod import make_pod


class SliceJobTest(TransactionTestCase):
    """Jobs write their logs on a second connection, so this test's rows are there for all."""

    databases = ("default", "job_logs")

    def setUp(self) -> None:
        super().setUp()
        self.pod = make_pod("v4", slots=range(1, 5))

    def run_job(self, name: str, *, username: str = "operator", **wish: Any) -> JobResult:
        job = Job.objects.get(module_name=f"fabric_twin.tasks.{name}")
        return run_job_for_testing(job, username=username, job_kwargs=wish)

    def log(self, result: JobResult) -> list[tuple[str, str, str]]:
        """Level, message and linked object of every line of ours."""
        lines = JobLogEntry.objects.filter(job_result=result, grouping="run")
        lines = lines.exclude(message__startswith="Created file")
        return list(lines.values_list("log_level", "message", "log_object"))

    def test_slices_are_made_and_released(self) -> None:
        """One test, since each one empties and fills the whole database."""
        wish = {"pod": self.pod.pk, "shape": "4x4x8", "dryrun": True}
        places = [
            ("info", "Place 0,0,0: slot 1", "v4 cube 1"),
            ("info", "Place 0,0,1: slot 2", "v4 cube 2"),
        ]
        with self.subTest("a dry run says which cubes and circuits"):
            said = "Would make 4x4x8-1: 4x4x8 on 2 cubes, 192 circuits on 48 switches"
            result = self.run_job("make_slice", **wish)
            self.assertEqual(result.status, "SUCCESS", result.traceback)
            self.assertEqual(self.log(result), [*places, ("success", said, "v4")])
            self.assertFalse(Slice.objects.exists() or OpticalCircuit.objects.exists())

        with self.subTest("only a box of a static pod may begin anywhere"):
            result = self.run_job("make_slice", **wish, anywhere=True)
            self.assertEqual(result.status, "FAILURE")
            self.assertIn("no places to choose from. Leave it out.", self.log(result)[0][1])

        with self.subTest("who may not see the pod or make slices makes none"):
            get_user_model().objects.create(username="visitor")
            result = self.run_job("make_slice", username="visitor", **wish)
            self.assertEqual(result.status, "FAILURE")
            self.assertIn("Choose another one, or ask for the permission", self.log(result)[0][1])

        with self.subTest("it is made, and attached in the form of the command line"):
            said = "Made 4x4x8-1: 4x4x8 on 2 cubes, 192 circuits on 48 switches"
            result = self.run_job("make_slice", **wish | {"dryrun": False})
            self.assertEqual(self.log(result), [*places, ("success", said, "4x4x8-1")])
            attached = json.loads(result.files.get().file.read())
            made = Slice.objects.get()
            for facts in (attached, recorded := slice_json(made, result.user)):
                facts["circuits"].sort(key=lambda circuit: tuple(circuit.values()))
            self.assertEqual(attached, recorded)

        with self.subTest("a refusal is a failure in the words of the command line"):
            result = self.run_job("make_slice", **wish | {"shape": "8x8x8", "dryrun": False})
            self.assertEqual(result.status, "FAILURE")
            self.assertEqual(
                self.log(result),
                [
                    (
                        "failure",
                        "slice: 8x8x8 takes 8 cubes, and 2 of 4 cubes are free (2 in use). "
                        "The largest 3D shapes that fit now: 4x4x8, 4x4x4.",
                        "",
                    )
                ],
            )

        with self.subTest("a dry run of its release leaves it"):
            result = self.run_job("release_slice", slice=made.pk, dryrun=True)
            said = "Would release 4x4x8-1: slots 1-2, 192 circuits, 0 of them still seen"
            self.assertEqual(result.status, "SUCCESS", result.traceback)
            self.assertEqual(self.log(result)[-1], ("success", said, "v4"))
            self.assertEqual(made.circuits.count(), 192)

        with self.subTest("who may not release it leaves it"):
            result = self.run_job("release_slice", username="visitor", slice=made.pk, dryrun=False)
            self.assertEqual(result.status, "FAILURE")
            self.assertEqual(made.circuits.count(), 192)

        with self.subTest("it is released"):
            result = self.run_job("release_slice", slice=made.pk, dryrun=False)
            self.assertEqual(result.status, "SUCCESS", result.traceback)
            self.assertFalse(Slice.objects.exists() or OpticalCircuit.objects.exists())


class JobFactsTest(TestCase):
    """What is said of the jobs is said of each of them."""

    def test_every_job_has_limits_a_description_and_a_dry_run_unless_it_only_reads(self) -> None:
        for job in jobs:
            with self.subTest(job.__name__):
                self.assertTrue(0 < job.soft_time_limit < job.time_limit)
                self.assertTrue(job.description)
                self.assertNotEqual(job.supports_dryrun, job.read_only)
                self.assertFalse(job.has_sensitive_variables)
                self.assertEqual(job.grouping, "Fabric Twin")
