"""A database that two stacks name: one of them runs."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg2
import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.recovery.database_lock import DatabaseLock, held_alone

pytestmark = pytest.mark.integration

HOLDER = r"another stack runs on this database \(fabric-twin on .+, process \d+, since .+\)"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with TemporaryDirectory(prefix="fabric-twin-test-") as name:
        Path(name).chmod(0o711)
        postgres = Postgres(Path(name) / "postgres", throw_away=True)
        postgres.start()
        for database in ("one", "two"):
            postgres.sql(f'CREATE DATABASE "{database}"')
        yield postgres
        postgres.stop()


def lock(postgres: Postgres, database: str = "one") -> DatabaseLock:
    return DatabaseLock(postgres.settings(database))


def cut_all(postgres: Postgres) -> None:
    """End every connection, and wait until each has let go."""
    there = "FROM pg_stat_activity WHERE datname = 'one'"
    postgres.sql(f"SELECT pg_terminate_backend(pid, 30000) {there}")
    assert postgres.sql(f"SELECT count(*) {there}") == ["0"]


def test_a_second_one_is_refused_until_the_first_ends(postgres: Postgres) -> None:
    with held_alone(postgres.settings("one")) as held:
        with pytest.raises(StackRefused, match=HOLDER):
            lock(postgres).take()
        assert held.lost is None
    with held_alone(postgres.settings("one")):
        pass


def test_another_database_of_the_same_server_is_free(postgres: Postgres) -> None:
    with held_alone(postgres.settings("one")), held_alone(postgres.settings("two")):
        pass


def test_it_is_taken_again_when_the_connection_is_cut(postgres: Postgres) -> None:
    first, second = lock(postgres), lock(postgres)
    first.take()
    cut_all(postgres)
    first.keep()
    assert first.lost is None
    with pytest.raises(StackRefused, match=HOLDER):
        second.take()
    first.close()


def test_where_another_was_quicker_it_is_lost(postgres: Postgres) -> None:
    first, second = lock(postgres), lock(postgres)
    first.take()
    cut_all(postgres)
    second.take()
    first.keep()
    assert str(first.lost).startswith("database one on ")
    assert "another stack runs on this database" in str(first.lost)
    second.close()


def test_a_connection_that_the_server_has_not_given_up_yet_is_nobody_elses(
    postgres: Postgres,
) -> None:
    first = lock(postgres)
    first.take()
    kept = first._connection  # as where the network is cut, and the server does not know
    first._connection = psycopg2.connect(dbname="one", host=postgres.socket, user="postgres")
    first._connection.close()
    first.keep()
    assert first.lost is None
    kept.close()
    first.keep()
    with pytest.raises(StackRefused, match=HOLDER):
        lock(postgres).take()
    first.close()


def test_while_the_server_is_away_nothing_is_lost(postgres: Postgres) -> None:
    first = lock(postgres)
    first.take()
    postgres.stop()
    first.keep()
    assert first.lost is None
    postgres.start()
    first.keep()
    assert first.lost is None
    with pytest.raises(StackRefused, match=HOLDER):
        lock(postgres).take()
    first.close()
