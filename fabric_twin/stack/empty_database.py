"""An empty Nautobot database with the App in it: migrated once, kept, and copied from then on.

    Nautobot's migrations  --- minutes --->  core-<versions>.sql
    and those of the App   --- seconds --->  empty-<and migrations>.sql

Both are dumps in the user's cache folder: clones share them, and the tests use them too.
"""

import gzip
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings

CONFIG = Path(__file__).with_name("nautobot_config.py")
NAUTOBOT_SERVER = str(Path(sys.executable).with_name("nautobot-server"))
_MIGRATIONS = Path(__file__).parents[1] / "migrations"
#: Records the App makes when the database is ready, beside what migrations make.
_FIRST_RECORDS = Path(__file__).parents[1] / "first_records.py"

#: Called with what is being done.
Say = Callable[[str], None]


def cache_folder() -> Path:
    """Where dumps are kept: FABRIC_TWIN_CACHE, or the user's cache folder."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fabric-twin"
    return Path(os.environ.get("FABRIC_TWIN_CACHE") or default)


def versions() -> str:
    """What Nautobot's own tables depend on."""
    return _digest(f"{name}={version(name)}".encode() for name in ("nautobot", "django"))


def fingerprint() -> str:
    """What an empty database depends on: Nautobot's tables and ours."""
    files = [*sorted(_MIGRATIONS.glob("*.py")), _FIRST_RECORDS]
    return _digest([versions().encode(), *(file.read_bytes() for file in files)])


def _digest(parts: Iterator[bytes] | list[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def ensure_empty_database(postgres: Postgres, say: Say) -> str:
    """Name a migrated, empty database on this server that nobody is connected to."""
    name = f"empty_{fingerprint()}"
    if not postgres.has(name):
        dump = cache_folder() / f"empty-{fingerprint()}.sql.gz"
        if not dump.exists():
            _make(postgres, dump, say)
        say("restoring the empty database")
        _restore(postgres, dump, name)
    return name


def _make(postgres: Postgres, dump: Path, say: Say) -> None:
    """Migrate from as far as there is a dump."""
    core = cache_folder() / f"core-{versions()}.sql.gz"
    if not core.exists():
        say("making Nautobot's tables: minutes, once on this machine")
        with _scratch(postgres) as scratch:
            _migrate(postgres, scratch, plugins="")
            _dump(postgres, scratch, core)
    say("making the App's tables")
    with _scratch(postgres) as scratch:
        _fill(postgres, core, scratch)
        _migrate(postgres, scratch, plugins="fabric_twin")
        _dump(postgres, scratch, dump)


@contextmanager
def _scratch(postgres: Postgres) -> Iterator[str]:
    name = f"migrating_{os.getpid()}"
    postgres.sql(f'DROP DATABASE IF EXISTS "{name}"')
    postgres.sql(f'CREATE DATABASE "{name}"')
    try:
        yield name
    finally:
        postgres.sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _migrate(postgres: Postgres, database: str, *, plugins: str) -> None:
    with tempfile.TemporaryDirectory() as root:
        redis = Redis(Path(root, "redis"))
        redis.start()
        environment = {
            "NAUTOBOT_ROOT": root,
            "NAUTOBOT_SECRET_KEY": "of no use: the database is empty",
            "FABRIC_TWIN_PLUGINS": plugins,
            **postgres.settings(database),
            **redis_settings(redis.folder),
        }
        try:
            done = subprocess.run(  # noqa: S603
                [NAUTOBOT_SERVER, "--config", str(CONFIG), "migrate", "--no-input"],
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            redis.stop()
    if done.returncode:
        raise StackRefused(
            f"the migration failed: {done.stderr.strip()[-800:]}",
            where=f"database {database}",
            remedy="Mend what it names, then start again: nothing was kept",
        )


def _dump(postgres: Postgres, database: str, dump: Path) -> None:
    """Write a dump that appears whole or not at all."""
    dump.parent.mkdir(parents=True, exist_ok=True)
    text = postgres.run("pg_dump", "--no-owner", "--no-privileges", database=database)
    draft = dump.with_name(f"{dump.name}.{os.getpid()}")
    draft.write_bytes(gzip.compress(text.encode(), compresslevel=3))
    draft.replace(dump)


def _restore(postgres: Postgres, dump: Path, name: str) -> None:
    """Restore under another name first: a database of the right name is whole."""
    draft = f"{name}_{os.getpid()}"
    postgres.sql(f'DROP DATABASE IF EXISTS "{draft}" WITH (FORCE)')
    postgres.sql(f'CREATE DATABASE "{draft}"')
    _fill(postgres, dump, draft)
    if postgres.has(name):
        postgres.sql(f'DROP DATABASE "{draft}"')
    else:
        postgres.sql(f'ALTER DATABASE "{draft}" RENAME TO "{name}"')


def _fill(postgres: Postgres, dump: Path, database: str) -> None:
    options = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=" + os.devnull)
    text = gzip.decompress(dump.read_bytes()).decode()
    postgres.run("psql", *options, database=database, input=text)
