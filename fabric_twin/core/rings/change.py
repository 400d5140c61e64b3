"""A change of rings: entries to remove and to add, and the fewest that any plan changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State


@dataclass(frozen=True)
class Change:
    """From one state of a cluster to the next."""

    before: State
    after: State
    #: No plan removes and adds fewer entries than this.
    lower_bound: int
    #: What happens to which job, in sentences without a stop.
    told: tuple[str, ...] = ()
    #: Jobs that are interrupted: some of their rings go another way, or go.
    interrupted: tuple[str, ...] = field(default=())

    @cached_property
    def remove(self) -> tuple[Entry, ...]:
        """Entries that go, of switches that are there: first of all."""
        return self._gone(there=True)

    @cached_property
    def gone(self) -> tuple[Entry, ...]:
        """Entries that a lost switch took along."""
        return self._gone(there=False)

    @cached_property
    def add(self) -> tuple[Entry, ...]:
        """Entries that come, once those of `remove` are gone."""
        return tuple(sorted(entries(self.after) - entries(self.before)))

    @property
    def changes(self) -> int:
        """How many entries are removed and added."""
        return len(self.remove) + len(self.add)

    def _gone(self, *, there: bool) -> tuple[Entry, ...]:
        gone = sorted(entries(self.before) - entries(self.after))
        return tuple(entry for entry in gone if (entry.switch not in self.after.lost) is there)


def entries(state: State) -> set[Entry]:
    """What all switches of a cluster should forward."""
    return {entry for ring in state.rings for entry in ring.entries}


def by_switch(found: Iterable[Entry]) -> dict[int, list[Entry]]:
    """Entries, by the switch that they are on."""
    switches: dict[int, list[Entry]] = {}
    for entry in sorted(found):
        switches.setdefault(entry.switch, []).append(entry)
    return switches
