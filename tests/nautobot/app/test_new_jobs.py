"""Jobs of the App can be run as soon as it is installed; then an administrator decides."""

from django.apps import apps
from django.db.migrations.state import ProjectState
from nautobot.apps import nautobot_database_ready
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ApprovalWorkflowDefinition, CustomField, Job
from nautobot.extras.signals import refresh_job_models

from fabric_twin.first_records import FIELDS, make_first_records
from fabric_twin.tasks import jobs

ALL = {job.__name__ for job in jobs}


class NewJobsTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.ours = Job.objects.filter(module_name__startswith="fabric_twin.")

    def upgrade(self) -> None:
        """As every `nautobot-server migrate` and `post_upgrade` does."""
        refresh_job_models(apps.get_app_config("extras"), apps=apps)
        make_first_records(apps.get_app_config("fabric_twin"), apps=apps)

    def enabled(self) -> set[str]:
        return set(self.ours.filter(enabled=True).values_list("job_class_name", flat=True))

    def test_an_installation_enables_all_of_them_and_none_of_others(self) -> None:
        others = Job.objects.exclude(module_name__startswith="fabric_twin.").filter(enabled=False)
        before = set(others.values_list("job_class_name", flat=True))
        self.assertEqual(self.enabled(), ALL)
        CustomField.objects.filter(key__in=FIELDS).delete()
        self.ours.all().delete()
        self.upgrade()
        self.assertEqual(self.enabled(), ALL)
        self.assertEqual(set(others.values_list("job_class_name", flat=True)), before)

    def test_an_upgrade_enables_neither_what_is_disabled_nor_what_is_new(self) -> None:
        self.ours.filter(job_class_name="RemovePod").update(enabled=False)
        self.ours.filter(job_class_name="CarryOutTicket").delete()
        self.upgrade()
        self.assertEqual(self.enabled(), ALL - {"RemovePod", "CarryOutTicket"})

    def test_an_app_whose_migrations_are_taken_back_makes_nothing_that_would_stay(self) -> None:
        ours = ApprovalWorkflowDefinition.objects.filter(name="Fabric tickets")
        config = apps.get_app_config("fabric_twin")
        ours.delete()
        nautobot_database_ready.send(config, apps=ProjectState().apps)
        self.assertFalse(ours.exists())
        nautobot_database_ready.send(config, apps=apps)
        self.assertTrue(ours.exists())

    def test_saving_a_job_does_not_enable_it(self) -> None:
        job = self.ours.get(job_class_name="RemovePod")
        Job.objects.filter(pk=job.pk).delete()
        job.enabled = False
        job.save(force_insert=True)
        self.assertNotIn("RemovePod", self.enabled())
