"""One Set as SONiC's gNMI server does it: a patch of CONFIG_DB, all of it or nothing.

Deletes come first, then replaces, then updates. An update is "this is the value now": of a table it
replaces every row. Ports are not checked: the client has to know them.
"""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import sonic
from fabric_twin.simulator.configuration import Tables
from fabric_twin.simulator.gnmi.refusals import Refusal, failed
from fabric_twin.simulator.gnmi.sonic_paths import DEEPEST, Asked
from fabric_twin.simulator.shape import Names


def patched(before: Tables, request: Any, asked: Asked, *, makes_tables: bool) -> Tables:
    """The configuration after a SetRequest, or a refusal.

    Since October 2025 a table that is not there is made before its first row; older releases refuse
    that, as a patch without the parent of what it adds.
    """
    if asked.database != sonic.CONFIG:
        raise failed(f"Set RPC does not support {asked.database}")
    shape = len(request.delete), len(request.replace), len(request.update)
    if not any(asked.names) and shape in ((1, 0, 1), (0, 1, 0)):
        whole = _tables(_value((*request.replace, *request.update)[0]))
        # A delete and an update of everything are laid aside for a reload.
        return whole if shape[1] else before
    patch = _Patch(before, makes_tables)
    names = iter(asked.names)
    for path in request.delete:
        patch.delete(next(names), at_root=not path.elem)
    for update in request.replace:
        patch.replace(next(names), update)
    for update in request.update:
        patch.add(next(names), update)
    return patch.tables()


def set_response(request: Any, timestamp: int) -> Any:
    """What was done with each path of a request, in its order."""
    response = pb.SetResponse(prefix=request.prefix, timestamp=timestamp)
    for op, paths in (
        (pb.UpdateResult.DELETE, request.delete),
        (pb.UpdateResult.REPLACE, [update.path for update in request.replace]),
        (pb.UpdateResult.UPDATE, [update.path for update in request.update]),
    ):
        # Messages written one after the other are read as one.
        results = (_result(path.SerializeToString(), op) for path in paths)
        response.MergeFromString(b"".join(results))
    return response


class _Patch:
    """A configuration while a patch is applied to it; what it was before is left as it is."""

    def __init__(self, before: Tables, makes_tables: bool) -> None:
        self._tables: dict[str, Any] = dict(before)
        self._makes_tables = makes_tables
        #: Tables that are copies of its own already, and those that it took away.
        self._own: set[str] = set()
        self._gone: set[str] = set()

    def tables(self) -> Tables:
        """The configuration afterwards: none of its tables may be without rows."""
        empty = [table for table, rows in self._tables.items() if not rows]
        if empty:
            raise failed("Error: Failed to apply patch on the following scopes: empty tables")
        return self._tables

    def delete(self, names: Names, *, at_root: bool) -> None:
        """Take it away; what is not there is skipped in silence."""
        if at_root:
            raise _does_not_apply("the root cannot be removed")
        if not self._is_there(names):
            return
        if len(names) == 1:
            del self._tables[names[0]]
            self._gone.add(names[0])
            return
        rows = self._rows(names[0])
        if len(names) == 2:
            del rows[names[1]]
        else:
            rows[names[1]] = {k: v for k, v in rows[names[1]].items() if k != names[2]}

    def replace(self, names: Names, update: Any) -> None:
        """Put something in the place of what is there."""
        _check(names, update)
        if names and not self._is_there(names):
            raise failed(f"Invalid {'entry' if len(names) > 1 else 'database'} {names[-1][:40]}")
        self._put(names, update)

    def add(self, names: Names, update: Any) -> None:
        """Make this the value now, whatever was there."""
        _check(names, update)
        self._put(names, update)

    def _put(self, names: Names, update: Any) -> None:
        if not names:
            self._tables, self._own = dict(_tables(_value(update))), set()
            return
        value, table = _READ[len(names)](update.val.json_ietf_val), names[0]
        if len(names) == 1:
            self._tables[table] = value
            self._own.discard(table)
            return
        # A table that the patch itself took away is never made.
        if table not in self._tables and (table in self._gone or not self._makes_tables):
            raise _does_not_apply(f"member '{table[:40]}' not found")
        rows = self._rows(table)
        if len(names) == 2:
            rows[names[1]] = value
        elif names[1] not in rows:
            raise _does_not_apply(f"member '{names[1][:40]}' not found")
        else:
            rows[names[1]] = {**rows[names[1]], names[2]: value}

    def _is_there(self, names: Names) -> bool:
        """Whether a path leads to something; to a table without rows it does not."""
        here: Any = self._tables
        for name in names:
            here = here.get(name) if isinstance(here, dict) else None
        return bool(names) and len(names) <= DEEPEST and here not in (None, {})

    def _rows(self, table: str) -> dict[str, Any]:
        if table not in self._own:
            self._tables[table] = dict(self._tables.get(table, {}))
            self._own.add(table)
        rows: dict[str, Any] = self._tables[table]
        return rows


def _check(names: Names, update: Any) -> None:
    if not update.HasField("val"):
        raise failed(f"Invalid update {str(update)[:80]}")
    # Without any element a path is the root; with the database's alone it is nothing.
    if len(names) > DEEPEST or (not names and update.path.elem):
        raise failed(f"Invalid db table Path {list(names)}")
    if not update.val.json_ietf_val:
        raise failed("Value encoding is not IETF JSON")


def _value(update: Any) -> Any:
    if not update.HasField("val") or not update.val.json_ietf_val:
        raise failed("Value encoding is not IETF JSON")
    return _read(update.val.json_ietf_val)


def _read(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise failed(f"Fail to parse {text.decode(errors='replace')[:80]}") from None


def _field(text: bytes) -> Any:
    return _as_field(_read(text))


def _as_field(value: Any) -> Any:
    """A field: text, or a list of texts."""
    several = isinstance(value, list) and all(isinstance(one, str) for one in value)
    if not several and not isinstance(value, str):
        raise failed(f"Invalid field {value!r:.80}")
    return value


@lru_cache(2**15)
def _row(text: bytes) -> Any:
    """A row; the same ones come for every switch, and are never changed in place."""
    return _as_row(_read(text))


def _as_row(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise failed(f"Invalid entry {value!r:.80}")
    return {name: _as_field(below) for name, below in value.items()}


def _table(text: bytes) -> Any:
    return _as_table(_read(text))


def _as_table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise failed(f"Invalid table {value!r:.80}")
    return {key: _as_row(row) for key, row in value.items()}


def _tables(value: Any) -> Tables:
    """A whole configuration."""
    if not isinstance(value, dict):
        raise failed(f"Invalid database {value!r:.80}")
    return {name: _as_table(table) for name, table in value.items()}


#: How a value is read, by how many names lead to it.
_READ: dict[int, Callable[[bytes], Any]] = {1: _table, 2: _row, 3: _field}


def _does_not_apply(why: str) -> Refusal:
    return failed(f"Error: Validate json patch: failed due to: {why}")


@lru_cache(2**15)
def _result(path: bytes, op: int) -> bytes:
    result = pb.UpdateResult(path=pb.Path.FromString(path), op=op)
    written: bytes = pb.SetResponse(response=[result]).SerializeToString()
    return written
