"""An OpenConfig tree from an answer, into however many updates the server has cut it.

Names are the same with and without their module's. What makes an entry of a list is its keys: the
only leaves that OpenConfig puts into an entry itself.
"""

from collections.abc import Iterable
from typing import Any

from fabric_twin.switches.answer_json import value_of
from fabric_twin.switches.conversation import Entry, Told


def tree_of(told: Iterable[Told]) -> dict[str, Any]:
    """The whole tree, however it is cut."""
    tree: dict[str, Any] = {}
    for steps, text in told:
        value = value_of(text)
        if steps and isinstance(value, dict):
            # What a value begins with may be written with its module, as if it were the top; a
            # node that others added keeps theirs.
            value = {
                _bare(name) if name.startswith("openconfig-") else name: below
                for name, below in value.items()
            }
        for step in reversed(steps):
            if isinstance(step, Entry):
                value = [{**step.keys_of_entry, **value}]
            value = {str(step): value}
        _merge(tree, value)
    return tree


def _merge(node: dict[str, Any], more: dict[str, Any]) -> None:
    at = {_bare(name): name for name in node}
    for name, value in more.items():
        there = at.get(_bare(name), name)
        was = node.get(there)
        if isinstance(was, dict) and isinstance(value, dict):
            _merge(was, value)
        elif isinstance(was, list) and isinstance(value, list):
            _merge_entries(was, value)
        else:
            node[there] = value


def _merge_entries(entries: list[Any], more: list[Any]) -> None:
    known = {_keys(entry): entry for entry in entries}
    for entry in more:
        keys = _keys(entry)
        if keys and keys in known:
            _merge(known[keys], entry)
        else:
            entries.append(entry)
            known[keys] = entry


def _keys(entry: Any) -> frozenset[tuple[str, str]]:
    leaves = entry.items() if isinstance(entry, dict) else ()
    return frozenset((_bare(k), str(v)) for k, v in leaves if not isinstance(v, dict | list))


def _bare(name: str) -> str:
    return name.rpartition(":")[2]
