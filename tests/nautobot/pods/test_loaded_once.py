"""What classes of tests begin with is the same, whether it was loaded or copied."""

from django.db import transaction
from nautobot.apps.testing import TestCase

from fabric_twin.models import Pod
from tests.nautobot.bases.pods import loaded_once


class LoadedOnceTest(TestCase):
    """The small design, which no other class loads this way."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.loaded, cls.copied = map(cls.written, ("127.0.0.1:4123", "127.0.0.1:55"))

    @staticmethod
    def written(address: str) -> dict[tuple[str, str], bytes]:
        """The rows of a pod behind an address, which are taken back."""
        with transaction.atomic():
            pod = loaded_once.pod_loaded("small", (1, 2), address)
            key, rows = str(pod.pk).encode(), loaded_once._written()
            transaction.set_rollback(True)
        return {
            of: text.replace(key, b"pod").replace(address.encode(), b"there")
            for of, text in rows.items()
        }

    def test_a_copy_has_every_row_of_the_loading_under_a_key_of_its_own(self) -> None:
        self.assertEqual(self.loaded, self.copied)
        lines = {table: rows.count(b"\n") for (table, _), rows in self.copied.items()}
        self.assertEqual((lines["fabric_twin_pod"], lines["fabric_twin_port"]), (1, 144))
        self.assertFalse(Pod.objects.exists())
