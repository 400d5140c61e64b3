"""Tables are whole, whichever thread makes another of the same kind meanwhile."""

import sys
from concurrent.futures import ThreadPoolExecutor

from django.db import connection
from nautobot.apps.testing import TestCase

from fabric_twin.models import Cube
from fabric_twin.tables import CubeTable

THREADS, MANY = 8, 400


def make_many() -> set[tuple[str, ...]]:
    """The columns of each of many tables, the same each time."""
    try:
        return {tuple(CubeTable(Cube.objects.none()).sequence) for _ in range(MANY // THREADS)}
    finally:
        connection.close()


class TablesAtOnceTest(TestCase):
    def test_threads_make_the_same_table_whole(self) -> None:
        whole = tuple(CubeTable(Cube.objects.none()).sequence)
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        self.addCleanup(sys.setswitchinterval, before)
        with ThreadPoolExecutor(THREADS) as pool:
            made = [pool.submit(make_many) for _ in range(THREADS)]
        self.assertEqual(set().union(*(one.result() for one in made)), {whole})
        self.assertEqual((whole[0], whole[-1]), ("pk", "actions"))
