"""What is done before Nautobot starts: tables, static files, the first administrator.

Each is done once, and again when what it is made of has changed: done.json remembers.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from fabric_twin.stack.console import Console
from fabric_twin.stack.empty_database import (
    dump_database,
    ensure_empty_database,
    fingerprint,
    migrate,
    versions,
)
from fabric_twin.stack.nautobot_server import nautobot_server, run_to_end
from fabric_twin.stack.parts import DATABASE, Stack

_STATIC = Path(__file__).parents[1] / "static"
_FIRST_ADMIN = Path(__file__).with_name("first_admin.py")


def prepare(stack: Stack, console: Console) -> None:
    """Do what has not been done."""
    server = "embedded" if stack.postgres else os.environ["NAUTOBOT_DB_HOST"]
    once(stack, console, "tables", _of_tables(stack), make_tables)
    once(stack, console, "static files", _of_static_files(), collect_static_files)
    once(stack, console, "administrator", server, make_administrator)


def once(
    stack: Stack,
    console: Console,
    what: str,
    made_of: str,
    do: Callable[[Stack, Console], None],
) -> None:
    """Do something, unless it was done with the same."""
    if made_of and stack.folder.done.get(what) == made_of:
        return
    with console.step(what.capitalize()):
        do(stack, console)
    stack.folder.mark_done(what, made_of)


def make_tables(stack: Stack, console: Console) -> None:
    """Copy an empty database; one that holds something is migrated, and dumped before that."""
    log = stack.folder.log("migrate")
    if (postgres := stack.postgres) is None:
        migrate(stack.environment, log, console.tell)
    elif not postgres.has(DATABASE):
        postgres.copy(ensure_empty_database(postgres, console.tell), DATABASE)
    else:
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        dump_database(postgres, DATABASE, stack.folder.path / "backups" / f"{now}.sql.gz")
        migrate(stack.environment, log, console.tell)


def collect_static_files(stack: Stack, console: Console) -> None:
    """Put the files of all pages where the web server finds them."""
    command = nautobot_server("collectstatic", "--no-input", "--clear")
    run_to_end(command, stack.environment, stack.folder.log("static"), console.tick)


def make_administrator(stack: Stack, console: Console) -> None:
    """Make a password and a token, and the user they are for."""
    stack.folder.secret("admin-password", 8)
    stack.folder.secret("api-token", 20)
    # -P: beside it stand modules of ours that are named as others of Nautobot's.
    command = [sys.executable, "-P", str(_FIRST_ADMIN)]
    run_to_end(command, stack.environment, stack.folder.log("administrator"), console.tick)


def _of_tables(stack: Stack) -> str:
    """Nothing for somebody else's server, whose tables are looked at every time."""
    return fingerprint() if stack.postgres else ""


def _of_static_files() -> str:
    """The versions of Nautobot and of ours."""
    ours = (file for file in sorted(_STATIC.rglob("*")) if file.is_file())
    digest = sha256(versions().encode())
    for file in ours:
        digest.update(str(file.relative_to(_STATIC)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]
