"""OpenConfig's tree of one device, as text; who asks for less than a section gets it from that."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabric_twin.dialects import openconfig as oc
from fabric_twin.simulator.gnmi.paths import Step, Steps, words
from fabric_twin.simulator.gnmi.refusals import not_found
from fabric_twin.simulator.pod import SimulatedPod

_INTERFACE = (
    '{"name":"%s","state":{"name":"%s","type":"iana-if-type:ethernetCsmacd",'
    '"admin-status":"UP","oper-status":"%s"}%s}'
)


class OpenConfigTree:
    """What one device says of itself, section by section."""

    def __init__(self, pod: SimulatedPod, name: str) -> None:
        self._pod, self._name = pod, name

    def text(self, steps: Steps) -> bytes:
        """All there is, or one section, as JSON."""
        if steps:
            return self._section(steps)().encode()
        sections = (f'"{name}":{make()}' for name, make in self._sections().items())
        return ("{" + ",".join(sections) + "}").encode()

    def find(self, steps: Steps) -> list[tuple[Steps, Any]]:
        """What a path leads to: all entries of a list whose keys it does not give."""
        if not steps:
            return [(steps, json.loads(self.text(steps)))]
        found = list(_follow(self._tree(steps), (), steps))
        if not found:
            raise not_found(f"{words(steps)}: there is nothing here")
        return found

    def entries(self, steps: Steps) -> Iterator[tuple[Steps, Any]]:
        """A subtree as what is subscribed to: list entry by list entry; it may be there later."""
        if not steps:
            for name in self._sections():
                yield from self.entries((Step(name.rpartition(":")[2]),))
            return
        for path, node in _follow(self._tree(steps), (), steps):
            yield from _entries(path, node)

    def _tree(self, steps: Steps) -> Any:
        """All that a path may lead into: one section, or every one."""
        if steps[0].is_wild:
            return json.loads(self.text(()))
        return {steps[0].name: json.loads(self._section(steps)())}

    def _section(self, steps: Steps) -> Callable[[], str]:
        for name, make in self._sections().items():
            if name.rpartition(":")[2] == steps[0].name.rpartition(":")[2] and not steps[0].keys:
                return make
        raise not_found(f"{words(steps)}: there is nothing here")

    def _sections(self) -> Mapping[str, Callable[[], str]]:
        """What makes the text of each section."""
        return {oc.SYSTEM: self._system}

    def _system(self) -> str:
        return f'{{"state":{{"hostname":"{self._name}"}}}}'


def interface(name: str, speeds: str = "", *, is_up: bool) -> str:
    """One interface, as text."""
    return _INTERFACE % (name, name, oc.UP if is_up else oc.DOWN, speeds)


def _follow(node: Any, done: Steps, rest: Steps) -> Iterator[tuple[Steps, Any]]:
    """Follow a path into a tree; a list at its end, without keys, is whole."""
    if not rest:
        yield done, node
        return
    step, name = rest[0], rest[0].name.rpartition(":")[2]
    if name == "...":
        # Here already, or any number of names further down.
        yield from _follow(node, done, rest[1:])
        for below, inner in _children(node):
            yield from _follow(inner, (*done, *below), rest)
        return
    keys = node if isinstance(node, dict) else ()
    for key in (key for key in keys if name in ("*", key.rpartition(":")[2])):
        below, called = node[key], key.rpartition(":")[2] if name == "*" else step.name
        if not isinstance(below, list):
            yield from _follow(below, (*done, Step(called)), rest[1:])
        elif len(rest) == 1 and not step.keys:
            yield (*done, Step(called)), below
        else:
            for row in below:
                if all(value in ("*", str(row.get(key))) for key, value in step.keys):
                    yield from _follow(row, (*done, _entry(called, row)), rest[1:])


def _children(node: Any) -> Iterator[tuple[Steps, Any]]:
    """Everything one name below a node; of lists each entry."""
    for key, below in node.items() if isinstance(node, dict) else ():
        name = key.rpartition(":")[2]
        if isinstance(below, list):
            yield from (((_entry(name, row),), row) for row in below)
        else:
            yield (Step(name),), below


def _entry(name: str, row: Any) -> Step:
    """The step to an entry of a list, with its key."""
    key = next(key for key in ("name", "id", "index") if key in row)
    return Step(name, ((key, str(row[key])),))


def _entries(steps: Steps, node: Any) -> Iterator[tuple[Steps, Any]]:
    """What stands in lists under a node, each with its key; a node without a list is one."""
    if isinstance(node, dict) and len(node) == 1:
        [(name, below)] = node.items()
        if isinstance(below, list):
            for row in below:
                yield (*steps, _entry(name, row)), row
            return
        if isinstance(below, dict):
            yield from _entries((*steps, Step(name)), below)
            return
    yield steps, node
