"""An empty Nautobot database with the App in it: migrated once, kept, and copied from then on.

    Nautobot's migrations  --- minutes --->  core-<versions>.sql
    and those of the App   --- seconds --->  empty-<and migrations>.sql

Both are dumps in the user's cache folder: clones share them, and the tests use them too.
"""

import fcntl
import gzip
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from fabric_twin.stack.nautobot_server import nautobot_server, run_to_end
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings

_MIGRATIONS = Path(__file__).parents[1] / "migrations"
#: Records the App makes when the database is ready, beside what migrations make.
_FIRST_RECORDS = Path(__file__).parents[1] / "first_records.py"
#: Jobs that Nautobot makes records of when it migrates.
_JOBS = Path(__file__).parents[1] / "tasks" / "__init__.py"

#: Called with what is being done, and again as it goes on.
Say = Callable[[str], None]


def cache_folder() -> Path:
    """Where dumps are kept: FABRIC_TWIN_CACHE, or the user's cache folder."""
    default = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fabric-twin"
    return Path(os.environ.get("FABRIC_TWIN_CACHE") or default)


def versions() -> str:
    """What Nautobot's own tables depend on."""
    return _digest(f"{name}={version(name)}".encode() for name in ("nautobot", "django"))


def fingerprint() -> str:
    """What an empty database depends on: Nautobot's tables, ours, and how they are made."""
    files = [*sorted(_MIGRATIONS.glob("*.py")), _FIRST_RECORDS, _JOBS, Path(__file__)]
    content = (part for file in files for part in (file.name.encode(), file.read_bytes()))
    return _digest([versions().encode(), *content])


def _digest(parts: Iterator[bytes] | list[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def ensure_empty_database(postgres: Postgres, say: Say) -> str:
    """Name a migrated, empty database on this server that nobody is connected to."""
    name = f"empty_{fingerprint()}"
    if not postgres.has(name):
        dump = cache_folder() / f"empty-{fingerprint()}.sql.gz"
        with _alone_in(cache_folder(), say):
            if not dump.exists():
                _make(dump, say)
        say("restoring the empty database")
        _restore(postgres, dump, name)
    return name


@contextmanager
def _alone_in(folder: Path, say: Say) -> Iterator[None]:
    """Let one process make dumps; others wait for what it makes."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another process that makes the tables")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(dump: Path, say: Say) -> None:
    """Migrate from as far as there is a dump, on a server that is thrown away."""
    core = cache_folder() / f"core-{versions()}.sql.gz"
    with tempfile.TemporaryDirectory(prefix="fabric-twin-") as name:
        root = Path(name)
        root.chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        postgres, redis = Postgres(root / "postgres", throw_away=True), Redis(root / "redis")
        try:
            postgres.start()
            redis.start()
            environment = {
                "NAUTOBOT_ROOT": str(root / "nautobot"),
                "NAUTOBOT_SECRET_KEY": "of no use: the database is empty",
                **redis_settings(redis.folder),
            }
            if not core.exists():
                say("Nautobot's tables: minutes, once on this machine")
                postgres.sql('CREATE DATABASE "core"')
                migrate({**environment, **postgres.settings("core")}, root / "log", say, plugins="")
                dump_database(postgres, "core", core)
            say("the App's tables")
            postgres.sql('CREATE DATABASE "empty"')
            _fill(postgres, core, "empty")
            whole = {**environment, **postgres.settings("empty")}
            migrate(whole, root / "log", say)
            # Nautobot's migrations leave types of models that are gone, and its pages warn of them.
            command = nautobot_server("remove_stale_contenttypes", "--no-input")
            run_to_end(command, whole, root / "log")
            dump_database(postgres, "empty", dump)
        finally:
            redis.stop()
            postgres.stop()


def migrate(
    environment: Mapping[str, str], log: Path, say: Say, plugins: str = "fabric_twin"
) -> None:
    """Bring a database's tables up to date."""
    start = log.stat().st_size if log.exists() else 0
    counted = 0

    def tick() -> None:
        nonlocal counted
        with log.open("rb") as file:
            file.seek(start)
            count = file.read().count(b"  Applying ")
        if count > counted:
            say(f"{count} migrations")
            counted = count

    whole = {**environment, "FABRIC_TWIN_PLUGINS": plugins, "PYTHONUNBUFFERED": "1"}
    run_to_end(nautobot_server("migrate", "--no-input"), whole, log, tick)


def dump_database(postgres: Postgres, database: str, dump: Path) -> None:
    """Write a dump that is there whole or not at all."""
    dump.parent.mkdir(parents=True, exist_ok=True)
    text = postgres.run("pg_dump", "--no-owner", "--no-privileges", database=database)
    draft = dump.with_name(f"{dump.name}.{os.getpid()}")
    draft.touch(mode=0o600)
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
