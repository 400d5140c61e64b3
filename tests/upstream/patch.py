"""How a Set of CONFIG_DB is judged: upstream's own look at a checkpoint, then the config updater.

Facts read in sonic-gnmi 5ec1c20 (`mixed_db_client.go`, `json_client.go`), sonic-host-services
c2a4cdf (`gcu.py`) and sonic-utilities 691b1bb (`generic_config_updater`).
"""

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.upstream.words import Refused, Tables, failed

Operation = dict[str, Any]


@dataclass(frozen=True)
class Release:
    """Where releases of SONiC differ; as it stands, that of August 2026."""

    #: A row of a table that is not there. RFC 6902: the parent must exist, so the patch fails.
    #: Upstream since October 2025 (sonic-utilities #4095, `append_emptytables_if_required`) adds
    #: the table first. Older switches refuse, as the RFC says.
    makes_tables: bool = True
    #: A table whose last row is removed alone: refused, as ConfigDb cannot show empty tables.
    keeps_empty_tables: bool = False
    #: A patch at the root. Upstream refuses ("Wrong patch with empty path."); section 10 says that
    #: it replaces all of CONFIG_DB, which shows a client's mistake at once: so do we.
    root_replaces: bool = True


TODAY = Release()


class Checkpoint:
    """The copy of CONFIG_DB that a Set tries its paths on, before it makes a patch of them."""

    def __init__(self, tables: Tables) -> None:
        self.tables: dict[str, Any] = deepcopy(tables)

    def get(self, names: Sequence[str]) -> Any:
        """What is there, or a refusal in words that name the depth."""
        if len(names) > 3:
            raise failed(f"Invalid db table Path {list(names)}")
        here: Any = self.tables
        for depth, name in enumerate(names):
            if not isinstance(here, dict) or name not in here:
                raise failed(f"Invalid {'entry' if depth else 'database'} {name} in {here}")
            here = here[name]
        return here

    def remove(self, names: Sequence[str]) -> None:
        """Remove it, and what is empty then."""
        if not names:
            raise failed("Invalid db table Path []")
        self.get(names)
        for depth in range(len(names), 0, -1):
            parent = self.get(names[: depth - 1])
            if depth == len(names) or not parent[names[depth - 1]]:
                del parent[names[depth - 1]]

    def add(self, names: Sequence[str], text: bytes) -> None:
        """Put it there with all parents. A value of another encoding is empty here."""
        if not 1 <= len(names) <= 3:
            raise failed(f"Invalid db table Path {list(names)}")
        try:
            content = json.loads(text)
        except ValueError:
            raise failed(f"Fail to parse {text.decode(errors='replace')}") from None
        if len(names) == 3 and not isinstance(content, str | list):
            raise failed(f"Invalid field {content}")
        if len(names) < 3 and not isinstance(content, dict):
            raise failed(f"Invalid {'table' if len(names) == 1 else 'entry'} {content}")
        here = self.tables
        for name in names[:-1]:
            here = here.setdefault(name, {})
        here[names[-1]] = content

    def replace(self, names: Sequence[str], text: bytes) -> None:
        """Only what is there can be replaced, also in RFC 6902."""
        self.remove(names)
        self.add(names, text)


def updated(running: Tables, patch: Sequence[Operation], release: Release) -> Tables:
    """CONFIG_DB after the config updater has applied the patch: all of it, or nothing."""
    patch = list(patch)
    if not release.root_replaces and any(not operation["path"] for operation in patch):
        raise failed("Error: Wrong patch with empty path.")
    if release.makes_tables:
        patch = _with_missing_tables(running, patch)
    after: Tables = deepcopy(running)
    try:
        for operation in patch:
            after = _applied(after, operation)
    except (KeyError, TypeError) as problem:
        words = f"Error: Validate json patch: {patch} failed due to: {problem}"
        raise failed(words) from None
    if not release.keeps_empty_tables and not all(after.values()):
        raise _empty(after)
    return {table: rows for table, rows in after.items() if rows}  # Redis has no empty tables


def _empty(after: Tables) -> Refused:
    """Why is in the second line, which the D-Bus service does not hand on."""
    refusal = failed("Error: Failed to apply patch on the following scopes:")
    refusal.add_note(f"empty: {[table for table, rows in after.items() if not rows]}")
    return refusal


def _with_missing_tables(running: Tables, patch: list[Operation]) -> list[Operation]:
    """A table that is not there is added before the first row in it.

    What counts is the configuration before the patch: a table that the patch itself removes is
    not made again, and rows added to it fail.
    """
    made: set[str] = set()
    whole = []
    for operation in patch:
        table = operation["path"].split("/")[1] if operation["path"] else ""
        if table and table not in running and table not in made:
            whole.append({"op": "add", "path": f"/{table}", "value": {}})
            made.add(table)
        whole.append(operation)
    return whole


def _applied(tables: Any, operation: Operation) -> Any:
    """One operation of RFC 6902: `add` replaces a member that exists."""
    if not operation["path"]:
        if operation["op"] == "remove":
            raise KeyError("the root cannot be removed")
        return deepcopy(operation["value"])
    *parents, name = operation["path"].split("/")[1:]
    here = tables
    for parent in parents:
        if parent not in here:
            raise KeyError(f"member '{parent}' not found in {here}")
        here = here[parent]
    if operation["op"] != "add" and name not in here:
        raise KeyError(f"can't {operation['op']} a non-existent object '{name}'")
    if operation["op"] == "remove":
        del here[name]
    else:
        here[name] = deepcopy(operation["value"])
    return tables
