"""A database's tables by Nautobot's migrations: all of them from nothing, or what is missing."""

import gzip
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fabric_twin.stack.nautobot_server import Say, nautobot_server, run_to_end
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings


def migrate(environment: Mapping[str, str], log: Path, say: Say) -> None:
    """Bring a database's tables up to date."""
    start = log.stat().st_size if log.exists() else 0
    counted = 0

    def count() -> None:
        nonlocal counted
        with log.open("rb") as file:
            file.seek(start)
            applied = file.read().count(b"  Applying ")
        if applied > counted:
            say(f"{applied} migrations")
            counted = applied

    environment = {**environment, "PYTHONUNBUFFERED": "1"}
    run_to_end(nautobot_server("migrate", "--no-input"), environment, log, count)
    if counted:  # they leave types of models that are gone, and Nautobot's pages warn of them
        run_to_end(nautobot_server("remove_stale_contenttypes", "--no-input"), environment, log)


def migrate_anew(settings: Mapping[str, str], say: Say) -> None:
    """Fill a database that holds nothing by all migrations there are; it takes minutes."""
    with tempfile.TemporaryDirectory(prefix="fabric-twin-") as name:
        root = Path(name)
        redis = Redis(root / "redis")
        redis.start()
        try:
            environment = {
                "NAUTOBOT_ROOT": str(root / "nautobot"),
                "NAUTOBOT_SECRET_KEY": "of no use: the database is empty",
                **redis_settings(redis.folder),
                **settings,
            }
            migrate(environment, root / "log", say)
        finally:
            redis.stop()


def back_up(postgres: Postgres, database: str, dump: Path) -> None:
    """Write a dump that is there whole or not at all."""
    dump.parent.mkdir(parents=True, exist_ok=True)
    text = postgres.dump(database)
    draft = dump.with_name(f"{dump.name}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_bytes(gzip.compress(text.encode(), compresslevel=3))
    draft.replace(dump)
