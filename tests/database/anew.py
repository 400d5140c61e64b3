"""A database that is migrated anew, on a server of its own that is thrown away."""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_twin.stack.empty_database import make_database
from fabric_twin.stack.migrating import migrate_anew
from fabric_twin.stack.postgres import Postgres


@contextmanager
def server() -> Iterator[Postgres]:
    """A server that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="fabric-twin-") as name:
        Path(name).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        postgres = Postgres(Path(name, "postgres"), throw_away=True)
        postgres.start()
        try:
            yield postgres
        finally:
            postgres.stop()


def migrated(postgres: Postgres) -> str:
    """The dump of a database made by all migrations, which takes minutes."""
    begun, said = time.monotonic(), 0.0

    def say(words: str) -> None:
        nonlocal said
        if (now := time.monotonic()) > said + 10:
            said = now
            print(f"  {now - begun:4.0f} s  {words}", file=sys.stderr)

    make_database(postgres, "migrated", lambda settings: migrate_anew(settings, say))
    return postgres.dump("migrated")
