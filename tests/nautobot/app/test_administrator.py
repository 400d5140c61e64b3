"""The first start makes an administrator and a token; a second changes none."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase
from nautobot.users.models import Token

from fabric_twin.stack.web import NAME, make_administrator


class AdministratorTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "admin-password").write_text("of the folder\n")
        (Path(folder.name) / "api-token").write_text("0123456789abcdef0123456789abcdef01234567\n")
        self.enterContext(mock.patch.dict(os.environ, FABRIC_TWIN_STATE=folder.name))
        get_user_model().objects.filter(username=NAME).delete()

    def test_an_administrator_logs_in_with_the_password_of_the_folder(self) -> None:
        make_administrator()
        admin = get_user_model().objects.get(username=NAME)
        self.assertTrue(admin.is_superuser and admin.check_password("of the folder"))
        self.assertEqual(Token.objects.get().user, admin)

    def test_what_an_administrator_changed_stays_changed(self) -> None:
        make_administrator()
        admin = get_user_model().objects.get(username=NAME)
        admin.set_password("my own")
        admin.save()
        make_administrator()
        admin.refresh_from_db()
        self.assertTrue(admin.check_password("my own"))
        self.assertEqual(Token.objects.count(), 1)
