"""What classes of tests begin with is the same, whether it was loaded or copied."""

from django.db import transaction
from nautobot.apps.testing import TestCase

from fabric_twin.models import Pod
from tests.nautobot.bases.pods import loaded_once
from tests.nautobot.bases.pods.small import SMALL


class LoadedOnceTest(TestCase):
    """The small design, which no other class loads this way."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.loaded, cls.copied = map(cls.written, ("127.0.0.1:4123", "127.0.0.1:55"))

    @staticmethod
    def written(address: str) -> dict[tuple[str, str], list[bytes]]:
        """The rows of a pod behind an address, which are taken back.

        In an order of their own: where they stand on the disk, a vacuum in between decides.
        """
        with transaction.atomic():
            pod = loaded_once.pod_loaded(SMALL.name, (1, 2), address)
            key, rows = str(pod.pk).encode(), loaded_once._written()
            transaction.set_rollback(True)
        return {
            of: sorted(text.replace(key, b"pod").replace(address.encode(), b"there").splitlines())
            for of, text in rows.items()
        }

    def test_a_copy_has_every_row_of_the_loading_under_a_key_of_its_own(self) -> None:
        self.assertEqual(list(self.loaded), list(self.copied))
        for table, rows in self.loaded.items():
            with self.subTest(table[0]):
                self.assertEqual(rows, self.copied[table])
        lines = {table: len(rows) for (table, _), rows in self.copied.items()}
        self.assertEqual((lines["fabric_twin_pod"], lines["fabric_twin_port"]), (1, 144))
        self.assertFalse(Pod.objects.exists())
