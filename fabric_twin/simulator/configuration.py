"""The configuration of a switch, changed in one transaction or not at all.

One A port to one B port: SONiC's schema does not say so, so whoever writes must be held to it.
"""

from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.dialects.sonic import circuit_key
from fabric_twin.simulator.mirrors import Mirrors
from fabric_twin.simulator.points import NOWHERE

LONGEST_LABEL = 255


@dataclass
class Draft:
    """A switch's configuration as a transaction leaves it, until it is committed."""

    #: The A ports in use by name, and the B port each is joined to.
    circuits: dict[str, str]
    blocked: set[str]
    labels: dict[str, str]
    radix: int

    def __post_init__(self) -> None:
        """Know circuits from their other end as well."""
        self._by_b = {b: a for a, b in self.circuits.items()}

    @classmethod
    def of(cls, mirrors: Mirrors, switch: int) -> Self:
        """The configuration of a switch as it is."""
        names, radix = mirrors.points.simplex_names, mirrors.radix
        joined = mirrors.configured[switch]
        a = np.flatnonzero(joined != NOWHERE).tolist()
        return cls(
            {names[n]: names[radix + int(joined[n])] for n in a},
            {names[n] for n in np.flatnonzero(mirrors.blocked[switch]).tolist()},
            dict(mirrors.labels[switch]),
            radix,
        )

    def write(self, mirrors: Mirrors, switch: int) -> None:
        """Make this the configuration of a switch; its mirrors are not moved yet."""
        numbers, radix = mirrors.points.simplex_numbers, mirrors.radix
        joined = mirrors.configured[switch]
        joined[:] = NOWHERE
        for a, b in self.circuits.items():
            joined[numbers[a]] = numbers[b] - radix
        mirrors.blocked[switch] = False
        mirrors.blocked[switch][[numbers[port] for port in self.blocked]] = True
        mirrors.labels[switch] = self.labels
        mirrors.changed()

    def delete(self, key: str) -> None:
        """Take a circuit away; one that is not there is gone already."""
        a, _, b = key.partition("-")
        if self.circuits.get(a) == b:
            del self.circuits[a], self._by_b[b]

    def clear(self) -> None:
        """Take every circuit away."""
        self.circuits.clear()
        self._by_b.clear()

    def add(self, key: str, a: str, b: str) -> None:
        """Add a circuit between free ports; one that is there already may be added again."""
        a_ports, b_ports = _ports(self.radix)
        if a not in a_ports or b not in b_ports:
            self._check(a, "A", key)
            self._check(b, "B", key)
        if key != circuit_key(a, b):
            raise UnusableInput(
                f"Invalid cross-connect: its key says {key[:40]!r}, its ports {a} and {b}",
                remedy=f"Call it {circuit_key(a, b)}",
            )
        from_a, to_b = self.circuits.get(a, b), self._by_b.get(b, a)
        if from_a != b:
            raise _conflict(key, a, circuit_key(a, from_a))
        if to_b != a:
            raise _conflict(key, b, circuit_key(to_b, b))
        self.circuits[a], self._by_b[b] = b, a

    def force(self, port: str, blocked: bool) -> None:
        """Keep a port dark, or no longer."""
        self._check(port, port[-1:], port)
        (self.blocked.add if blocked else self.blocked.discard)(port)

    def reset(self, port: str = "") -> None:
        """Leave a port, or every port, without a label and not blocked."""
        if not port:
            self.labels.clear()
            self.blocked.clear()
            return
        self.force(port, blocked=False)
        self.label(port, "")

    def label(self, port: str, text: str) -> None:
        """Write on a port."""
        self._check(port, port[-1:], port)
        if len(text) > LONGEST_LABEL or not text.isprintable():
            raise UnusableInput(f"Invalid label of {port}", remedy="Write one line of text")
        if text:
            self.labels[port] = text
        else:
            self.labels.pop(port, None)

    def _check(self, port: str, side: str, key: str) -> None:
        number = port[:-1]
        well_formed = (
            len(number) < 5 and number.isascii() and number.isdigit() and number == str(int(number))
        )
        if port[-1:] != side or side not in ("A", "B") or not well_formed:
            raise UnusableInput(
                f"Invalid port {port[:40]!r} in {key[:80]!r}", remedy="Write ports like 1A and 2B"
            )
        if not 1 <= int(number) <= self.radix:
            raise UnusableInput(
                f"Error: the switch has no port {port[:40]!r}",
                remedy=f"Name ports from 1 to {self.radix}",
            )


@cache
def _ports(radix: int) -> tuple[frozenset[str], frozenset[str]]:
    """The A ports and the B ports of a switch by name."""
    a, b = (frozenset(f"{n}{side}" for n in range(1, radix + 1)) for side in "AB")
    return a, b


def _conflict(key: str, port: str, other: str) -> NotPossible:
    return NotPossible(
        f"{key}: port {port} is used by existing cross-connect {other}",
        remedy=f"Delete {other} in the same transaction",
    )
