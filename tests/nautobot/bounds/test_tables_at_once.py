"""Tables are whole, whichever thread makes another of the same kind meanwhile: Nautobot's own too.

A record's page has three of Nautobot's: its contacts, its groups and its metadata.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ContactAssociation
from nautobot.extras.tables import AssociatedContactsTable

from fabric_twin.models import Cube
from fabric_twin.tables import CubeTable

THREADS, MANY = 8, 400

Columns = tuple[tuple[str, ...], frozenset[str]]


def make_one(table: Callable[[Any], Any], model: Any) -> Columns:
    """The columns of a table: shown in their order, and offered."""
    made = table(model.objects.none())
    return tuple(made.sequence), frozenset(made.base_columns)


def make_many(table: Callable[[Any], Any], model: Any) -> set[Columns]:
    """The columns of each of many tables, the same each time."""
    try:
        return {make_one(table, model) for _ in range(MANY // THREADS)}
    finally:
        connection.close()


class TablesAtOnceTest(TestCase):
    def test_threads_make_the_same_table_whole(self) -> None:
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        self.addCleanup(sys.setswitchinterval, before)
        for table, model in (
            (CubeTable, Cube),
            (AssociatedContactsTable, ContactAssociation),
        ):
            with self.subTest(table.__name__):
                whole = make_one(table, model)
                with ThreadPoolExecutor(THREADS) as pool:
                    made = [pool.submit(make_many, table, model) for _ in range(THREADS)]
                self.assertEqual(set().union(*(one.result() for one in made)), {whole})
                columns, offered = whole
                self.assertEqual((columns[0], columns[-1]), ("pk", "actions"))
                self.assertLessEqual({"pk", "actions"}, offered)
