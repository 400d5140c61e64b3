"""The first start makes an administrator and a token; a second changes none."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase
from nautobot.users.models import Token

from fabric_twin.stack.first_admin import NAME, main


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

    def test_an_administrator_logs_in_with_the_password_of_the_folder(self) -> None:
        main()
        admin = get_user_model().objects.get(username=NAME)
        self.assertTrue(admin.is_superuser and admin.check_password("of the folder"))
        self.assertEqual(Token.objects.get().user, admin)

    def test_what_an_administrator_changed_stays_changed(self) -> None:
        main()
        admin = get_user_model().objects.get(username=NAME)
        admin.set_password("my own")
        admin.save()
        main()
        admin.refresh_from_db()
        self.assertTrue(admin.check_password("my own"))
        self.assertEqual(Token.objects.count(), 1)
