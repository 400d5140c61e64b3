"""One Set: deletes, then replaces, then updates; all of it, or nothing."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import Dialect
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.gnmi.paths import Steps, steps_of, words
from fabric_twin.simulator.gnmi.refusals import Refusal, invalid

_FORCED = {sonic.NORMAL: False, sonic.FORCE_BLOCKED: True}


def changed(draft: Draft, request: Any, dialect: Dialect) -> Draft:
    """A draft with what a SetRequest asks for, or a refusal."""
    try:
        prefix = steps_of(request.prefix)
        above = pb.Path(elem=request.prefix.elem).SerializeToString()
        for path in request.delete:
            _delete(draft, *_place(above, path.SerializeToString()))
        for update in request.replace:
            steps = prefix + steps_of(update.path)
            _delete(draft, steps, *_table(steps), replaced=True)
            _put(draft, steps, _value(update), dialect)
        for update in request.update:
            _put(draft, prefix + steps_of(update.path), _value(update), dialect)
    except FabricTwinError as error:
        raise Refusal.of(error) from None
    return draft


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


@lru_cache(2**15)
def _result(path: bytes, op: int) -> bytes:
    result = pb.UpdateResult(path=pb.Path.FromString(path), op=op)
    written: bytes = pb.SetResponse(response=[result]).SerializeToString()
    return written


def _value(update: Any) -> Any:
    """The value of an update, whatever it is written in."""
    kind = update.val.WhichOneof("value")
    if kind in ("json_ietf_val", "json_val"):
        try:
            return json.loads(getattr(update.val, kind))
        except (ValueError, RecursionError):
            raise invalid("the value is not JSON") from None
    if kind in ("string_val", "ascii_val"):
        return getattr(update.val, kind)
    raise invalid(f"a value of the kind {kind} cannot be read")


def _table(steps: Steps) -> tuple[str, list[str]]:
    """The table of the configuration that a path leads into, and the steps below it."""
    names = [step.name for step in steps]
    if names[:2] != [sonic.CONFIG, sonic.HOST] or any(step.keys for step in steps):
        raise invalid(f"{words(steps)} cannot be changed: only {sonic.CONFIG} can")
    if len(names) < 3 or names[2] not in (sonic.CROSS_CONNECT, sonic.PORT):
        raise invalid(f"{words(steps)} cannot be changed")
    return names[2], names[3:]


@lru_cache(2**15)
def _place(prefix: bytes, path: bytes) -> tuple[Steps, str, list[str]]:
    """Where a path as it was sent leads; the same ones come for every switch."""
    steps = steps_of(pb.Path.FromString(prefix), pb.Path.FromString(path))
    return (steps, *_table(steps))


def _delete(
    draft: Draft, steps: Steps, table: str, below: Sequence[str], *, replaced: bool = False
) -> None:
    if table == sonic.PORT:
        if replaced and len(below) < 2:
            # What a replacement leaves out is as it is by default.
            draft.reset(*below)
            return
        if len(below) != 2 or below[1] != sonic.LABEL:
            if replaced:
                return
            raise invalid(f"{words(steps)}: a port cannot be deleted, only its label")
        draft.label(below[0], "")
    elif not below:
        draft.clear()
    elif len(below) == 1:
        draft.delete(below[0])
    else:
        raise invalid(f"{words(steps)}: a field of a cross-connect cannot be changed alone")


def _put(draft: Draft, steps: Steps, value: Any, dialect: Dialect) -> None:
    table, below = _table(steps)
    if table == sonic.PORT and len(below) == 2:
        below, value = below[:1], {below[1]: value}
    if len(below) > 1:
        raise invalid(f"{words(steps)}: a field of a cross-connect cannot be changed alone")
    rows = {below[0]: value} if below else value
    if not isinstance(rows, dict):
        raise invalid(f"{words(steps)}: the value is not an object of rows")
    for key, row in rows.items():
        if table == sonic.CROSS_CONNECT and row == _circuit(key):
            draft.add(key, row[sonic.A_SIDE], row[sonic.B_SIDE])
            continue
        if not isinstance(row, dict) or set(map(type, row.values())) - {str}:
            raise invalid(f"{words(steps)}: {key[:40]!r} is not an object of texts")
        if table == sonic.PORT:
            _put_port(draft, key, row, dialect)
        elif row.keys() != {sonic.A_SIDE, sonic.B_SIDE}:
            raise invalid(f"Invalid cross-connect {key[:40]!r}: it needs a_side and b_side")
        else:
            draft.add(key, row[sonic.A_SIDE], row[sonic.B_SIDE])


@lru_cache(2**15)
def _circuit(key: str) -> dict[str, str]:
    """The row that a key wants; most rows are like it."""
    a, _, b = key.partition("-")
    return {sonic.A_SIDE: a, sonic.B_SIDE: b}


def _put_port(draft: Draft, port: str, row: dict[str, str], dialect: Dialect) -> None:
    for name, cell in row.items():
        if name == sonic.LABEL:
            draft.label(port, cell)
        elif name == dialect.forced and cell in _FORCED:
            draft.force(port, _FORCED[cell])
        else:
            raise invalid(f"Invalid field {name[:40]!r} of {port[:40]!r}, or its value")
