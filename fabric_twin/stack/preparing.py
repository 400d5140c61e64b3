"""What is done once before pages are served: tables, static files, the first administrator.

Each is done again when what it is made of has changed: done.json remembers.
"""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from fabric_twin.stack.console import Console
from fabric_twin.stack.empty_database import fingerprint, holds_nothing, misfit, restore
from fabric_twin.stack.migrating import back_up, migrate
from fabric_twin.stack.parts import DATABASE, Stack

_STATIC = Path(__file__).parents[1] / "static"


def make_tables(stack: Stack, console: Console) -> None:
    """Restore the packaged database; one that holds something is dumped, and migrated."""
    postgres = stack.postgres
    # Tables on somebody else's server are looked at every time.
    if postgres and stack.folder.done.get("tables") == fingerprint():
        return
    with console.step("Tables"):
        if postgres and not postgres.has(DATABASE):
            postgres.sql(f'CREATE DATABASE "{DATABASE}"')
        if not holds_nothing(stack.database):
            if postgres:
                now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
                back_up(postgres, DATABASE, stack.folder.path / "backups" / f"{now}.sql.gz")
            migrate(stack.environment, stack.folder.log("migrate"), console.tell)
        elif why := misfit(stack.database):
            console.say(f"  The packaged database is not for {why}.", fg="yellow")
            console.say("  All migrations are run instead, which takes minutes.", fg="yellow")
            migrate(stack.environment, stack.folder.log("migrate"), console.tell)
        else:
            restore(stack.database)
    stack.folder.mark_done("tables", fingerprint())


def needed_by_web(stack: Stack) -> Mapping[str, str]:
    """What the web server makes before it serves, and of what: see web.py."""
    stack.folder.secret("admin-password", 8)
    stack.folder.secret("api-token", 20)
    server = "embedded" if stack.postgres else os.environ["NAUTOBOT_DB_HOST"]
    made_of = {"static": _of_static_files(), "administrator": server}
    return {what: of for what, of in made_of.items() if stack.folder.done.get(what) != of}


def _of_static_files() -> str:
    """The versions of Nautobot and of ours."""
    ours = (file for file in sorted(_STATIC.rglob("*")) if file.is_file())
    digest = sha256(f"{version('nautobot')} {version('django')}".encode())
    for file in ours:
        digest.update(str(file.relative_to(_STATIC)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]
