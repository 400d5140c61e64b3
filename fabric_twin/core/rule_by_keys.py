"""A wiring rule by keys: what names a cube port, counted, gives its switch and its place there.

port 4.3.2/X+ of slot 7:    slot 7   sign +   i 3   j 2   lane 1       (i and j are its index)

switch: [i, j/2]            ocs-x-3-1: of the pairs of j, 2 is in the first
port: {slot: 1, j%2: 64}    71: from port 1, six slots on and, as second of its pair, 64 on
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.rule import CubePorts, SwitchPorts

#: What names a port of a cube beside its axis, which is in the name of every switch.
NAMES = ("slot", "sign", "lane", "i", "j")
_KEY = re.compile(rf"({'|'.join(NAMES)})(?:([/%])([1-9]\d{{0,3}}))?", re.ASCII)


@dataclass(frozen=True)
class Key:
    """One of the names, or a part of it where it is counted in groups.

    >>> [str(Key("j")), str(Key("j", "/", 2)), str(Key("j", "%", 2))]
    ['j', 'j/2', 'j%2']
    """

    of: str
    #: `/` is which group, `%` is which place in it; neither is the whole.
    part: str = ""
    group: int = 1

    def __str__(self) -> str:
        return f"{self.of}{self.part}{self.group if self.part else ''}"

    def many(self, counts: Mapping[str, int]) -> int:
        """How many there are, where so many of each name are."""
        of = counts[self.of]
        return {"": of, "/": ceil(of / self.group), "%": min(of, self.group)}[self.part]

    def counted(self, port: CubePorts) -> NDArray[np.int64]:
        """Which it is of every port, from 0."""
        whole = {
            "slot": lambda: port.slot - 1,
            "sign": lambda: port.sign,
            "lane": lambda: port.lane - 1,
            "i": lambda: port.index[:, 0] - 1,
            "j": lambda: port.index[:, 1] - 1,
        }[self.of]().astype(np.int64)
        if self.part == "/":
            return whole // self.group
        return whole % self.group if self.part else whole


def parse_key(text: str) -> Key | None:
    """Read a key; None where it is none.

    >>> parse_key("j/2"), parse_key("k")
    (Key(of='j', part='/', group=2), None)
    """
    found = _KEY.fullmatch(text)
    return Key(found[1], found[2] or "", int(found[3] or 1)) if found else None


def is_told_apart(name: str, keys: Iterable[Key]) -> bool:
    """Whether these keys say which of a name a port is: the whole, or group and place in it."""
    parts = {(key.part, key.group) for key in keys if key.of == name}
    return ("", 1) in parts or any(("%", of) in parts for part, of in parts if part == "/")


@dataclass(frozen=True)
class RuleByKeys:
    """A rule that is asked as any other is."""

    #: The numbers of the switch's name, after its axis.
    switch: tuple[Key, ...]
    #: How many ports further the next of a key is.
    port: tuple[tuple[Key, int], ...]
    #: The port where all are counted from.
    first: int = 1
    #: The side of `+` and the side of `-`; 0 is A, 1 is B, and a port of pairs is always 0.
    sides: tuple[int, int] = (0, 1)

    def __call__(self, port: CubePorts) -> SwitchPorts:
        """Name the switch port of every cube port."""
        number: NDArray[Any] = np.empty((len(port.slot), len(self.switch)), np.int32)
        for column, key in enumerate(self.switch):
            number[:, column] = key.counted(port) + 1
        at = np.full(len(port.slot), self.first, np.int64)
        for key, step in self.port:
            at += key.counted(port) * step
        return SwitchPorts(
            axis=port.axis,
            number=number,
            side=np.array(self.sides, np.int32)[port.sign],
            port=np.clip(at, 0, 2**30).astype(np.int32),  # far beyond stays beyond
        )
