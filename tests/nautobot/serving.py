"""The live server as a process of its own, for as long as a test wants it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_twin.stack.postgres import Postgres

SERVER = Path(__file__).with_name("live_server.py")


@contextmanager
def serving(*records: str) -> Iterator[list[str]]:
    """Its address, and tokens of the users that its records have."""
    postgres = Postgres(Path(os.environ["NAUTOBOT_ROOT"]).parent / "postgres")
    postgres.start()  # joins the one that runs, which ends with the tests
    database = f"live_{os.getpid()}"
    postgres.copy(os.environ["FABRIC_TWIN_TEST_TEMPLATE"], database)
    server = subprocess.Popen(
        [sys.executable, SERVER, *records],
        env=os.environ | {"NAUTOBOT_DB_NAME": database},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said = server.stdout.readline().split()
        assert len(said) >= 2, "the server did not start"
        yield said
    finally:
        server.communicate(timeout=60)
        postgres.sql(f'DROP DATABASE "{database}" WITH (FORCE)')
