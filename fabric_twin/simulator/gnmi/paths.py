"""gNMI paths, as what they name; a key may hold a slash, so a path is never split on it."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from fabric_twin.dialects import gnmi as pb

_COMPACT = json.JSONEncoder(separators=(",", ":"))


class Step(NamedTuple):
    """One element of a path: a name, and the keys that pick an entry of a list."""

    name: str
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def is_wild(self) -> bool:
        """Whether it leads to any name, or (`...`) any names down to the next."""
        return self.name in ("*", "...")

    def __str__(self) -> str:
        return self.name + "".join(f"[{key}={value}]" for key, value in self.keys)


Steps = tuple[Step, ...]


def steps_of(*paths: Any) -> Steps:
    """The elements of a prefix and a path."""
    return tuple(
        Step(elem.name, tuple(sorted(elem.key.items())) if elem.key else ())
        for path in paths
        for elem in path.elem
    )


def message(steps: Sequence[Step], origin: str = "", target: str = "") -> Any:
    """A path as a message."""
    elems = [pb.PathElem(name=step.name, key=dict(step.keys)) for step in steps]
    return pb.Path(elem=elems, origin=origin, target=target)


def compact(node: Any) -> bytes:
    """A value as it is sent: JSON without spaces."""
    return _COMPACT.encode(node).encode()


def words(steps: Sequence[Step]) -> str:
    """A path as people write it."""
    return "/" + "/".join(map(str, steps))
