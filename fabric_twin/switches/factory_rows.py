"""What pairs lost in the factory, by key: the table of all pairs is megabytes."""

from collections.abc import Mapping, Sequence
from typing import Any

from fabric_twin.dialects import sonic
from fabric_twin.switches.conversation import Conversation, Refused
from fabric_twin.switches.sonic_rows import path, rows_of

_FACTORY = (sonic.STATE, sonic.FACTORY_LOSS)


def factory_rows(talk: Conversation, keys: Sequence[str]) -> Mapping[str, Any]:
    """Rows of the table of all pairs by key; where one is not there, some refuse all."""
    rows = _by_key(talk, keys)
    if rows is not None or len(keys) == 1:
        return rows or {}
    # Measured under other conditions, none is there: two are as good as all.
    if not any(_by_key(talk, [key]) for key in (keys[0], keys[-1])):
        return {}
    return _halved(talk, keys)


def _halved(talk: Conversation, keys: Sequence[str]) -> Mapping[str, Any]:
    rows = _by_key(talk, keys)
    if rows is not None or len(keys) == 1:
        return rows or {}
    half = len(keys) // 2
    return {**_halved(talk, keys[:half]), **_halved(talk, keys[half:])}


def _by_key(talk: Conversation, keys: Sequence[str]) -> Mapping[str, Any] | None:
    """Rows of factory losses; None where the switch refuses to tell them."""
    table = path(_FACTORY)
    try:
        told, _ = talk.get(sonic.ORIGIN, [(*table, key) for key in keys])
    except Refused:
        return None
    return rows_of(told).get(_FACTORY, {})
