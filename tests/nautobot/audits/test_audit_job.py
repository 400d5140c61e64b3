"""The job that audits, its schedules, and what Prometheus reads."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.apps.testing import APITestCase, TestCase
from nautobot.extras.models import Job, JobLogEntry, JobResult, ScheduledJob
from nautobot.users.models import ObjectPermission

from fabric_twin.metrics import metrics
from fabric_twin.models import AuditRun, Cube, Finding, Pod, Switch
from fabric_twin.operations.pods.audit_schedule import scheduled
from fabric_twin.operations.pods.remove import remove_pod
from tests.nautobot.bases.audits.small_findings import fade, silence, small_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.run_jobs import FAILURE, SUCCESS, log_in_this_transaction, run, said


class AuditJobTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)

    def test_new_findings_and_the_run_are_links_in_the_log(self) -> None:
        fade(self.pod, 0)
        result = run("AuditPod", pod=self.pod.pk)
        self.assertEqual(result.status, SUCCESS, said(result))
        finding, made = Finding.objects.get(), AuditRun.objects.get()
        self.assertEqual(made.job_result, result)
        lines = JobLogEntry.objects.filter(job_result=result).values_list("message", "absolute_url")
        self.assertIn((f"New: {finding.cause}", finding.get_absolute_url()), lines)
        told = "s: 1 finding, 1 new, 0 gone, 0 still there: fail."
        self.assertIn((told, made.get_absolute_url()), lines)

    def test_the_gate_fails_the_job_where_that_is_asked_for(self) -> None:
        fade(self.pod, 0)
        shut = run("AuditPod", pod=self.pod.pk, fail_on="error")
        self.assertEqual(shut.status, FAILURE)
        self.assertIn("The audit gate failed for s", said(shut))
        silence(self.pod)
        self.assertEqual(run("AuditPod", pod=self.pod.pk, fail_on="warning").status, SUCCESS)

    def test_every_pod_is_audited_where_none_is_named(self) -> None:
        small_pod("t")
        self.assertEqual(run("AuditPod").status, SUCCESS)
        runs = AuditRun.objects.order_by("pod__name").values_list("pod__name", "state")
        self.assertEqual(list(runs), [("s", "done"), ("t", "done")])

    def test_a_part_of_a_pod_is_of_a_pod(self) -> None:
        cube = self.pod.cubes.get(slot=1)
        refused = run("AuditPod", cube=cube.pk)
        self.assertIn("a part of a pod is named and no pod", said(refused))
        self.assertEqual(run("AuditPod", pod=self.pod.pk, cube=cube.pk).status, SUCCESS)
        ports = [str(port.pk) for port in self.pod.ports.order_by("number")[:2]]
        self.assertEqual(run("AuditPod", pod=self.pod.pk, ports=ports).status, SUCCESS)
        scopes = AuditRun.objects.order_by("number").values_list("scope", "places")
        told = [("cube", "s-c001"), ("ports", "s-c001-t01 2.1.1/X+, s-c001-t02 2.1.2/X+")]
        self.assertEqual(list(scopes), told)

    def test_a_light_test_is_of_the_whole_pod_and_no_dry_run(self) -> None:
        cube = self.pod.cubes.first()
        for wish, words in (
            ({"dryrun": True}, "a dry run makes no test circuits"),
            ({"cube": cube.pk}, "a light test is of the whole pod"),
        ):
            refused = run("AuditPod", pod=self.pod.pk, light_test=True, **wish)
            self.assertEqual(refused.status, FAILURE)
            self.assertIn(words, said(refused))
        self.assertFalse(AuditRun.objects.exists())

    def test_a_dry_run_writes_nothing(self) -> None:
        fade(self.pod, 0)
        result = run("AuditPod", pod=self.pod.pk, dryrun=True)
        self.assertIn("s: would find 1, 1 new, 0 gone", said(result))
        self.assertFalse(AuditRun.objects.exists() or Finding.objects.exists())

    def test_nobody_audits_a_pod_that_is_hidden(self) -> None:
        get_user_model().objects.create(username="nobody")
        refused = run("AuditPod", "nobody", pod=self.pod.pk)
        self.assertEqual(refused.status, FAILURE)
        self.assertIn("may not view this pod", said(refused))


class SchedulesTest(TestCase):
    """Nautobot's own schedules, made with the pod and gone with it."""

    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.place = hall()
        loaded = run("LoadPod", pod="s", design="small", location=self.place.pk, slots="1")
        self.assertEqual(loaded.status, SUCCESS, said(loaded))
        self.pod = Pod.objects.get()

    def test_a_pod_that_is_loaded_is_scheduled_nightly_and_hourly(self) -> None:
        made = scheduled(self.pod).order_by("name")
        self.assertEqual(
            [(one.name, one.crontab, one.kwargs["light"], str(one.user)) for one in made],
            [
                ("Audit s every hour, light only", "49 * * * *", True, "admin"),
                ("Audit s every night", "19 2 * * *", False, "admin"),
            ],
        )

    def test_what_somebody_made_of_them_stays(self) -> None:
        scheduled(self.pod).get(kwargs__light=True).delete()
        run("LoadPod", pod="s", design="small", location=self.place.pk, slots="1-2")
        self.assertEqual(scheduled(self.pod).count(), 1)

    def test_they_go_with_the_pod(self) -> None:
        remove_pod("s")
        self.assertFalse(ScheduledJob.objects.exists())


class AskedOverTheApiTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.job = Job.objects.get(job_class_name="AuditPod")
        Job.objects.filter(pk=cls.job.pk).update(enabled=True)

    def allow(self, model: type, action: str) -> None:
        permission = ObjectPermission.objects.create(name=f"{action} {model}", actions=[action])
        permission.users.add(self.user)
        permission.object_types.add(ContentType.objects.get_for_model(model))

    def ask(self, code: int, **wish: Any) -> Any:
        url = f"/api/plugins/fabric-twin/pods/{self.pod.pk}/audit/"
        response = self.client.post(url, wish, format="json", **self.header)
        self.assertHttpStatus(response, code)
        return response.json()

    def test_the_answer_is_the_job_on_its_way(self) -> None:
        self.ask(403)
        self.allow(Pod, "view")
        self.assertEqual(self.ask(403)["what"], "you may not run the job Audit pod")
        self.allow(Job, "run")
        cube = str(self.pod.cubes.get(slot=1).pk)
        # What the user may not see, and what is of another pod, is as if it were not there.
        self.assertEqual(self.ask(400, cube=cube)["what"], "the pod has no such cube")
        self.allow(Cube, "view")
        other = str(small_pod("other").cubes.get(slot=1).pk)
        self.assertEqual(self.ask(400, cube=other)["what"], "the pod has no such cube")
        whole = self.ask(400, cube=cube, light_test=True)
        self.assertEqual(whole["what"], "a light test is of the whole pod")
        no = self.ask(403, light_test=True)
        self.assertIn("may not change", no["what"])
        self.assertIn("fabric_twin.change_switch", no["remedy"])
        self.assertFalse(JobResult.objects.filter(job_model=self.job).exists())
        asked = self.ask(202, cube=cube, fail_on="error")
        result = JobResult.objects.get(pk=asked["job_result"]["id"])
        self.assertIn(str(result.pk), asked["job_result"]["url"])
        self.assertEqual(result.job_model, self.job)

    def test_who_may_change_all_switches_may_ask_for_a_light_test(self) -> None:
        self.allow(Pod, "view")
        self.allow(Job, "run")
        self.allow(Switch, "change")
        self.ask(202, light_test=True)

    def test_a_job_that_is_not_enabled_says_so(self) -> None:
        Job.objects.filter(pk=self.job.pk).update(enabled=False)
        self.allow(Pod, "view")
        self.allow(Job, "run")
        self.assertEqual(self.ask(409)["remedy"], "Enable it on the page of the job")


class MetricsTest(TestCase):
    def test_what_prometheus_reads(self) -> None:
        pod = small_pod()
        fade(pod, 0)
        log_in_this_transaction(self)
        run("AuditPod", pod=pod.pk)
        samples = {
            (sample.name, *sample.labels.values()): sample.value
            for metric in metrics
            for family in metric()
            for sample in family.samples
        }
        made = AuditRun.objects.get()
        self.assertEqual(
            samples,
            {
                ("fabric_twin_pods",): 1,
                ("fabric_twin_slots", "s", "free"): 3,
                ("fabric_twin_findings", "s", "error", "open"): 1,
                ("fabric_twin_audit_ended_seconds", "s"): made.ended.timestamp(),
                ("fabric_twin_audit_duration_seconds", "s"): made.duration,
                ("fabric_twin_audit_gate", "s", "fail"): 1,
                ("fabric_twin_watch_seen_seconds",): 0,
            },
        )
