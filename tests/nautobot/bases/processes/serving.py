"""The live server as a process of its own, for as long as a test wants it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_twin.stack.postgres import Postgres

SERVER = Path(__file__).with_name("live_server.py")
WORKER = SERVER.with_name("live_worker.py")


@contextmanager
def serving(*records: str, worker: bool = False) -> Iterator[list[str]]:
    """Its address, and tokens of the users that its records have.

    Jobs are done in the server itself, unless a worker does them beside it.
    """
    postgres = Postgres(Path(os.environ["NAUTOBOT_ROOT"]).parent / "postgres")
    postgres.start()  # joins the one that runs, which ends with the tests
    database = f"live_{os.getpid()}"
    postgres.copy(os.environ["FABRIC_TWIN_TEST_TEMPLATE"], database)
    environment = os.environ | {"NAUTOBOT_DB_NAME": database}
    if worker:
        environment["FABRIC_TWIN_TEST_WORKER"] = "1"
    server = subprocess.Popen(
        [sys.executable, SERVER, *records],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    beside = subprocess.Popen([sys.executable, WORKER], env=environment) if worker else None
    try:
        said = server.stdout.readline().split()
        assert len(said) >= 2, "the server did not start"
        yield said
    finally:
        if beside:
            beside.terminate()
            beside.wait(60)
        server.communicate(timeout=60)
        postgres.sql(f'DROP DATABASE "{database}" WITH (FORCE)')
