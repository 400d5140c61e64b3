"""Jobs of the App can be run as soon as it is installed, and what somebody disables stays so."""

from django.apps import apps
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Job
from nautobot.extras.signals import refresh_job_models

from fabric_twin.tasks import jobs


class NewJobsTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.ours = Job.objects.filter(module_name__startswith="fabric_twin.")

    def refresh(self) -> None:
        """As every `nautobot-server migrate` and `post_upgrade` does."""
        refresh_job_models(apps.get_app_config("extras"), apps=apps)

    def enabled(self) -> set[str]:
        return set(self.ours.filter(enabled=True).values_list("job_class_name", flat=True))

    def test_an_installation_enables_all_of_them(self) -> None:
        self.assertEqual(self.enabled(), {job.__name__ for job in jobs})

    def test_what_somebody_disabled_stays_so_and_what_is_new_is_enabled(self) -> None:
        self.ours.filter(job_class_name="RemovePod").update(enabled=False)
        self.ours.filter(job_class_name="CarryOutTicket").delete()
        others = Job.objects.exclude(module_name__startswith="fabric_twin.").filter(enabled=False)
        before = set(others.values_list("job_class_name", flat=True))
        self.refresh()
        self.assertEqual(self.enabled(), {job.__name__ for job in jobs} - {"RemovePod"})
        self.assertEqual(set(others.values_list("job_class_name", flat=True)), before)
