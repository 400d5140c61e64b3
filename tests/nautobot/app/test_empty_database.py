"""The packaged database, of which every test has a copy, is what this checkout would make."""

from django.db import connection
from nautobot.apps.testing import TestCase

from tests.nautobot.bases.processes.own_database import Database


def records(database: Database, name: str = "") -> set[str]:
    """All rows of all tables, but for when they were last saved."""
    tables = " UNION ALL ".join(
        f"SELECT '{table}: ' || (to_jsonb(it) - 'last_updated')::text AS found FROM {table} AS it"  # noqa: S608
        for table in connection.introspection.table_names()
    )
    return set(database.ask(f"SELECT jsonb_agg(found) FROM ({tables}) AS rows", name))  # noqa: S608


class EmptyDatabaseTest(TestCase):
    def test_to_migrate_it_changes_nothing(self) -> None:
        """The database of tests is a copy that was migrated once more when it was made."""
        with Database("packaged") as packaged:
            before = records(packaged)
        after = records(packaged, str(connection.settings_dict["NAME"]))
        self.assertEqual((before - after, after - before), (set(), set()), "make empty-database")
