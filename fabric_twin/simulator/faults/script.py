"""Faults from a file: when, what, and for how long; mistakes of those who cabled; rates.

{"version": 1, "mistakes": 12, "rates": {"dirty": 2.0},
 "faults": [{"at": 60, "for": 600, "kind": "dirty", "device": "iw1-ocs-x-1-1", "port": "7A"}]}
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.simulator.faults.book import KINDS, FaultBook
from fabric_twin.simulator.faults.rates import read_rates

#: Kinds that are made when a pod is cabled, in equal parts.
MISTAKES = ("swapped", "misplugged", "missing", "dirty", "wrong-transceiver", "wrong-serial")
MOST_MISTAKES = 100_000


@dataclass(frozen=True)
class Script:
    """What a faults file wants."""

    faults: tuple[Mapping[str, Any], ...] = ()
    mistakes: int = 0
    #: Faults a day by kind; the published rates where nothing is said.
    rates: Mapping[str, float] | None = None
    source: str = field(default="", compare=False)

    def begin(self, book: FaultBook, name: Callable[[Mapping[str, Any]], bool]) -> None:
        """Enter the faults of one pod (those that `name` says are its own) into its timeline."""
        for wish in self.faults:
            if name(wish):
                plain = {key: value for key, value in wish.items() if key != "at"}
                moment = float(wish.get("at", 0.0))
                if moment <= book.pod.clock.now():
                    book.make(plain, by="script")
                else:
                    book.pod.timeline.at(moment, _making(book, plain))


def _making(book: FaultBook, wish: Mapping[str, Any]) -> Callable[[], None]:
    def make() -> None:
        try:
            book.make(wish, by="script")
        except FabricTwinError:
            # A technician was quicker: what it names is no longer there.
            return

    return make


def read_script(content: Mapping[str, Any], source: str) -> Script:
    """What a file says, or a refusal that says which fault cannot be read."""
    odd = content.keys() - {"version", "faults", "mistakes", "rates"}
    if odd:
        raise UnusableInput(
            f"there is no {min(odd)[:40]!r} in a faults file",
            where=source,
            remedy='Use "faults", "mistakes" and "rates"',
        )
    faults, mistakes = content.get("faults", []), content.get("mistakes", 0)
    if not isinstance(faults, list) or not all(isinstance(fault, dict) for fault in faults):
        raise UnusableInput('"faults" is not a list of objects', where=source, remedy="Write one")
    if type(mistakes) is not int or not 0 <= mistakes <= MOST_MISTAKES:
        raise UnusableInput(
            '"mistakes" is not a number', where=source, remedy="Write a whole number"
        )
    for number, fault in enumerate(faults, 1):
        where = f"{source}, fault {number}"
        if fault.get("kind") not in KINDS:
            raise UnusableInput(
                f"there is no kind of fault {str(fault.get('kind'))[:40]!r}",
                where=where,
                remedy=f"Use one of {', '.join(KINDS)}",
            )
        at = fault.get("at", 0.0)
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < 1e10:
            raise UnusableInput('"at" is not a number of seconds', where=where, remedy="Write 60")
    rates = read_rates(content["rates"]) if "rates" in content else None
    return Script(tuple(faults), mistakes, rates, source)


def make_mistakes(book: FaultBook, many: int, seed: int) -> None:
    """Cable the pod as people do: with so many mistakes, each by somebody."""
    random = np.random.default_rng([seed, 5])
    made = tries = 0
    while made < many and tries < 20 * many:
        tries += 1
        kind = KINDS[MISTAKES[int(random.integers(len(MISTAKES)))]]
        try:
            wish = {"kind": kind.name, **kind.anywhere(book.pod, random)}
            book.make(wish, by=f"technician {int(random.integers(1, 9))}")
            made += 1
        except FabricTwinError:
            # The port is taken, or nothing is free: another mistake, then.
            continue
