"""An empty Nautobot database with the App in it, packaged: restored in a second, not migrated.

`make empty-database` makes the dump; `make check-database` migrates anew and compares the two. The
dump says what it was made of: where that has moved since, databases are migrated, in minutes.
"""

import ast
import hashlib
import json
import lzma
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.migrating import migrate_anew
from fabric_twin.stack.nautobot_server import Say
from fabric_twin.stack.postgres import Postgres

DUMP = Path(__file__).with_name("empty_database.sql.xz")
#: Stands in the dump for every time; a restored database has the time at which it was restored.
MOMENT = "2000-01-01 00:00:00+00"
#: The oldest PostgreSQL on which the dump was compared with migrations.
OLDEST_SERVER = 15
#: What PostgreSQL itself brings has lower numbers.
_FIRST_OF_USERS = 16_384

_MADE_OF = "-- Made of "
#: Rows in the dump, with the remarks after them: between two such is plain SQL, or nothing.
_COPY = re.compile(
    r"^(COPY [^\n]* FROM stdin;)\n(.*?)^\\\.\n(?:--[^\n]*\n|\n)*", re.MULTILINE | re.DOTALL
)
#: What psycopg2 calls the parts of a database's address, and what Nautobot's settings call them.
_ADDRESS = {
    "host": "HOST",
    "port": "PORT",
    "user": "USER",
    "password": "PASSWORD",
    "dbname": "NAME",
}
_APP = Path(__file__).parents[1]
#: Whose migrations an empty database has beside the App's.
WITH_TABLES = (
    "nautobot",
    "Django",
    "django-celery-beat",
    "django-celery-results",
    "django-constance",
    "django-silk",
    "django-taggit",
    "social-auth-app-django",
)


def made_of() -> Mapping[str, str]:
    """What an empty database depends on, as it is installed here."""
    digest = hashlib.sha256()
    # Migrations, the records that the App makes with its tables, and what Nautobot lists of jobs.
    for file in (*sorted((_APP / "migrations").glob("*.py")), _APP / "first_records.py"):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for file in sorted((_APP / "tasks").glob("*.py")):
        digest.update(file.name.encode() + b"\0" + _listed(file.read_text()).encode() + b"\0")
    versions = {package: _version(package) for package in WITH_TABLES}
    return {**versions, "the App's tables": digest.hexdigest()[:12]}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _listed(task: str) -> str:
    """What a module of jobs says about them: its constants, and the `Meta` of each."""
    module = ast.parse(task)
    constants = [node for node in module.body if isinstance(node, ast.Assign)]
    metas = [node for node in ast.walk(module) if getattr(node, "name", "") == "Meta"]
    return "\n".join(map(ast.unparse, (*constants, *metas)))


def fingerprint() -> str:
    """The same in one word."""
    return hashlib.sha256(json.dumps(made_of()).encode()).hexdigest()[:12]


def moved() -> str:
    """What has moved since the dump was made, in words; empty when nothing has."""
    with lzma.open(DUMP, "rt") as dump:
        then = json.loads(dump.readline().removeprefix(_MADE_OF))
    return ", ".join(
        f"{what} {now} and not {then.get(what)}"
        for what, now in made_of().items()
        if now != then.get(what)
    )


def packed(dump: str) -> bytes:
    """A dump as it is packaged, with what it was made of."""
    return lzma.compress(f"{_MADE_OF}{json.dumps(made_of())}\n{dump}".encode(), preset=9)


def holds_nothing(settings: Mapping[str, str]) -> bool:
    """Whether a database is as it was created."""
    with _transaction(settings) as cursor:
        cursor.execute(
            f"SELECT NOT EXISTS (SELECT FROM pg_class WHERE oid >= {_FIRST_OF_USERS}) "  # noqa: S608
            f"AND NOT EXISTS (SELECT FROM pg_proc WHERE oid >= {_FIRST_OF_USERS})"
        )
        return bool(cursor.fetchone()[0])


def misfit(settings: Mapping[str, str]) -> str:
    """Why the dump is not for a database, in words; empty when it is."""
    with _transaction(settings) as cursor:
        major = cursor.connection.server_version // 10_000
    return f"PostgreSQL {major}, older than {OLDEST_SERVER}" if major < OLDEST_SERVER else moved()


def restore(settings: Mapping[str, str]) -> None:
    """Fill a database that holds nothing, whole or not at all."""
    now = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
    text = lzma.decompress(DUMP.read_bytes()).decode().replace(MOMENT, now)
    statements, *copies = _COPY.split(text)
    with _transaction(settings) as cursor:
        cursor.execute(statements)
        for copy, rows, statements in zip(*[iter(copies)] * 3, strict=True):
            cursor.copy_expert(copy, StringIO(rows))
            if statements:
                cursor.execute(statements)


def address_of(settings: Mapping[str, str]) -> dict[str, str | None]:
    """Where a database of Nautobot's settings is, as psycopg2 is told."""
    return {to: settings.get(f"NAUTOBOT_DB_{name}") or None for to, name in _ADDRESS.items()}


@contextmanager
def _transaction(settings: Mapping[str, str]) -> Iterator[Any]:
    """A cursor on the database that settings of Nautobot name: all it does is kept, or nothing."""
    import psycopg2

    named = address_of(settings)
    try:
        with (
            closing(psycopg2.connect(**named)) as connection,
            connection,
            connection.cursor() as cursor,
        ):
            yield cursor
    except psycopg2.Error as error:
        raise StackRefused(
            f"the database was not made: {str(error).strip()}",
            where=f"database {named['dbname']} on {named['host']}",
            remedy="Mend what it names, then start again",
        ) from None


def make_database(postgres: Postgres, name: str, fill: Callable[[Mapping[str, str]], None]) -> None:
    """Make a database under another name first: one of the right name is whole."""
    draft = f"{name}_{os.getpid()}"
    postgres.sql(f'DROP DATABASE IF EXISTS "{draft}" WITH (FORCE)')
    postgres.sql(f'CREATE DATABASE "{draft}"')
    fill(postgres.settings(draft))
    postgres.sql(f'ALTER DATABASE "{draft}" RENAME TO "{name}"')


def ensure_empty_database(postgres: Postgres, say: Say) -> str:
    """Name an empty database on this server that nobody is connected to, to be copied."""
    name = f"empty_{fingerprint()}"
    if not postgres.has(name):
        if why := moved():
            say(f"Migrating, which takes minutes: run `make empty-database`, since here is {why}.")
            make_database(postgres, name, lambda settings: migrate_anew(settings, say))
        else:
            make_database(postgres, name, restore)
    return name
