"""The first start makes an administrator, a token and enabled jobs; a second changes none."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Job
from nautobot.users.models import Token

from fabric_twin.stack.first_admin import NAME, main
from fabric_twin.tasks import jobs


class FirstAdminTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "admin-password").write_text("of the folder\n")
        (Path(folder.name) / "api-token").write_text("0123456789abcdef0123456789abcdef01234567\n")
        told = {"NAUTOBOT_CONFIG": "told already", "FABRIC_TWIN_STATE": folder.name}
        for patch in (mock.patch.dict(os.environ, told), mock.patch("nautobot.setup")):
            patch.start()
            self.addCleanup(patch.stop)
        get_user_model().objects.filter(username=NAME).delete()
        Job.objects.update(enabled=False)
        self.ours = Job.objects.filter(module_name__startswith="fabric_twin.")

    def test_who_logs_in_may_run_the_jobs_of_the_app_and_no_others(self) -> None:
        main()
        admin = get_user_model().objects.get(username=NAME)
        self.assertTrue(admin.is_superuser and admin.check_password("of the folder"))
        self.assertEqual(Token.objects.get().user, admin)
        names = {job.__name__ for job in jobs}
        enabled = Job.objects.filter(enabled=True)
        self.assertEqual(set(enabled.values_list("job_class_name", flat=True)), names)

    def test_what_an_administrator_changed_stays_changed(self) -> None:
        main()
        self.ours.filter(job_class_name="RemovePod").update(enabled=False)
        admin = get_user_model().objects.get(username=NAME)
        admin.set_password("my own")
        admin.save()
        main()
        admin.refresh_from_db()
        self.assertTrue(admin.check_password("my own"))
        self.assertFalse(self.ours.get(job_class_name="RemovePod").enabled)
        self.assertEqual(Token.objects.count(), 1)
