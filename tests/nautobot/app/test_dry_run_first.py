"""A job that writes what a person gives it tries that first; one click then does it for real."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import (
    ApprovalWorkflowDefinition,
    FileProxy,
    Job,
    JobResult,
    ScheduledJob,
)
from nautobot.users.models import ObjectPermission

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import Pod, Slice, WrittenEnd
from fabric_twin.operations.calls.for_real import run_for_real
from fabric_twin.tasks import jobs
from fabric_twin.tasks.load_pod import LoadPod
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_sheet import sheet
from tests.nautobot.bases.run_jobs import FAILURE, SUCCESS, at_once, run, said

#: What a person gives is written: records of a pod, a slice, an order.
TRIED_FIRST = {"AdoptPod", "CorrectRecords", "ImportDemand", "LoadNetwork", "LoadPod", "MakeOrder",
               "MakeSlice", "ReleaseSlice", "RemovePod", "SetAddresses", "WireHosts"}  # fmt: skip
#: What a switch says is written, or what was decided is done.
DONE_AT_ONCE = {
    "AuditPod",
    "CarryOutTicket",
    "CheckBundle",
    "ConfirmSwitch",
    "DiscoverCables",
    "SyncPod",
}


class FormsTest(TestCase):
    def test_the_form_is_ticked_where_a_person_gives_what_is_written(self) -> None:
        ticked = {
            job.__name__: bool(job.as_form().fields["dryrun"].initial)
            for job in jobs
            if job.supports_dryrun
        }
        self.assertEqual({name for name, is_on in ticked.items() if is_on}, TRIED_FIRST)
        self.assertEqual({name for name, is_on in ticked.items() if not is_on}, DONE_AT_ONCE)

    def test_the_form_that_a_pod_fills_in_is_ticked_too(self) -> None:
        form = LoadPod.as_form(initial={"pod": "s", "design": "small"})
        self.assertIs(form.fields["dryrun"].initial, True)

    def test_rest_and_the_command_line_write_as_ever_unless_they_ask_for_a_dry_run(self) -> None:
        """Nautobot takes what they send through this."""
        wish = {"pod": "s", "design": "ironwood", "location": str(hall().pk)}
        self.assertIs(LoadPod.validate_data(wish)["dryrun"], False)
        self.assertIs(LoadPod.validate_data(wish | {"dryrun": True})["dryrun"], True)


class ForRealTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        at_once(self)
        self.admin = get_user_model().objects.create_superuser("operator")
        self.client.force_login(self.admin)
        self.wish: dict[str, Any] = {"pod": "s", "design": "small", "location": str(hall().pk)}

    def tried(self, job: str = "LoadPod", **wish: Any) -> JobResult:
        result = run(job, **(wish or self.wish), dryrun=True)
        self.assertEqual(result.status, SUCCESS, said(result))
        result.refresh_from_db()
        return result

    def press(self, tried: JobResult) -> JobResult:
        """The button on the page of a dry run: the page of the new job follows."""
        url = reverse("plugins:fabric_twin:for_real", args=[tried.pk])
        page = self.client.get(tried.get_absolute_url())
        self.assertContains(page, f'action="{url}"')
        self.assertContains(page, "Run for Real")
        answer = self.client.post(url)
        done = JobResult.objects.exclude(pk=tried.pk).latest()
        self.assertRedirects(answer, done.get_absolute_url(), fetch_redirect_response=False)
        return done

    def test_a_dry_run_says_what_would_be_and_one_click_does_it(self) -> None:
        tried = self.tried(**self.wish, slots="1-2")
        self.assertContains(
            self.client.get(tried.get_absolute_url()), "Pod s: would load 1 manufacturer, "
        )
        self.assertFalse(Pod.objects.exists())
        done = self.press(tried)
        self.assertEqual((done.status, done.user), (SUCCESS, self.admin), said(done))
        self.assertEqual(done.task_kwargs, {**tried.task_kwargs, "dryrun": False})
        self.assertEqual(list(Pod.objects.get().cubes.values_list("slot", flat=True)), [1, 2])
        self.assertNotContains(self.client.get(done.get_absolute_url()), "Run for Real")

    def test_the_cut_sheet_of_the_dry_run_is_the_one_that_is_loaded(self) -> None:
        doubled = {"s-c002:2.1.1/X+": {"b_port": "1A"}}
        given = SimpleUploadedFile("mine.csv", sheet(**doubled))
        proxy = FileProxy.objects.create(name="mine.csv", file=given)
        tried = self.tried(**self.wish, cut_sheet=str(proxy.pk))
        self.assertEqual([one.name for one in tried.files.all()], ["cut-sheet.csv"])
        for _ in range(2):
            done = self.press(tried)
            self.assertEqual(done.status, SUCCESS, said(done))
        self.assertIn("nothing to load", said(done))
        self.assertEqual(WrittenEnd.objects.count(), 1)
        kept = tried.files.get().file.read()
        self.assertEqual(kept, sheet(**doubled))

    def test_a_sheet_that_was_not_kept_is_asked_for_by_the_form(self) -> None:
        proxy = FileProxy.objects.create(name="in.csv", file=SimpleUploadedFile("in.csv", sheet()))
        tried = self.tried(**self.wish, cut_sheet=str(proxy.pk))
        tried.files.get().delete()
        self.leads_to_the_form(tried, "The file of the dry run was not kept: choose it again.")

    def test_where_jobs_need_an_approval_the_form_asks_for_it(self) -> None:
        tried = self.tried()
        ApprovalWorkflowDefinition.objects.create(
            name="Loads",
            model_content_type=ContentType.objects.get_for_model(ScheduledJob),
            model_constraints={"job_model__name": "Load pod"},
        )
        self.leads_to_the_form(tried, "This job needs an approval: send the form, which asks for")
        self.assertFalse(ScheduledJob.objects.exists())
        with self.assertRaisesMessage(NotPossible, "this job needs an approval"):
            run_for_real(tried, self.admin)

    def leads_to_the_form(self, tried: JobResult, why: str) -> None:
        answer = self.client.post(reverse("plugins:fabric_twin:for_real", args=[tried.pk]))
        form = reverse("extras:job_run", args=[tried.job_model.pk])
        asked = f"{form}?kwargs_from_job_result={tried.pk}&dryrun="
        self.assertRedirects(answer, asked, fetch_redirect_response=False)
        page = self.client.get(asked)
        self.assertContains(page, why)
        fields = page.context["job_form"]
        self.assertEqual(fields["pod"].value(), "s")
        self.assertFalse(fields["dryrun"].value())
        self.assertEqual(JobResult.objects.count(), 1)

    def test_what_was_no_dry_run_or_was_refused_has_no_button(self) -> None:
        refused = run("LoadPod", **self.wish, slots="1-9", dryrun=True)
        self.assertEqual(refused.status, FAILURE)
        loaded = run("LoadPod", **self.wish)
        for result in (refused, loaded):
            result.refresh_from_db()
            url = reverse("plugins:fabric_twin:for_real", args=[result.pk])
            self.assertNotContains(self.client.get(result.get_absolute_url()), url)
            told = self.client.post(url, follow=True)
            self.assertContains(told, "it is no dry run that ended well")
            self.assertRedirects(self.client.get(url), result.get_absolute_url())

    def test_other_jobs_do_the_same(self) -> None:
        pod = small_pod("t")
        tried = self.tried("MakeSlice", pod=str(pod.pk), shape="2x2x4", slice_name="one")
        self.assertFalse(Slice.objects.exists())
        done = self.press(tried)
        self.assertEqual(done.status, SUCCESS, said(done))
        self.assertEqual(Slice.objects.get().name, "one")

    def test_who_may_not_run_the_job_is_refused_and_who_may_not_see_it_finds_nothing(self) -> None:
        tried = self.tried()
        nobody, somebody = map(get_user_model().objects.create_user, ("nobody", "somebody"))
        url = reverse("plugins:fabric_twin:for_real", args=[tried.pk])
        self.client.force_login(nobody)
        self.assertEqual(self.client.post(url).status_code, 404)
        self.client.force_login(somebody)
        may = ObjectPermission.objects.create(name="looks", actions=["view"])
        may.object_types.set(ContentType.objects.get_for_models(Job, JobResult).values())
        may.users.add(somebody)
        self.assertNotContains(self.client.get(tried.get_absolute_url()), url)
        told = self.client.post(url, follow=True)
        self.assertContains(told, "you may not run the job Load pod")
        with self.assertRaises(NotPermitted):
            run_for_real(tried, somebody)
        self.assertFalse(Pod.objects.exists())
