"""What was asked of switches so that they have the entries of rings, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.written import entries_json


@dataclass(frozen=True)
class NotDone:
    """An entry, or another row of ours, that is not as it should be; and why."""

    act: str
    switch: int
    #: `2->5`, or a row in words.
    what: str
    why: str


@dataclass(frozen=True)
class Sending:
    """Entries that go and come on the switches of a cluster."""

    state: State
    #: Switches that were asked, and those that have no address.
    asked: int
    unasked: int
    #: Entries that switches showed, and how many they should.
    there: int
    wanted: int
    remove: Sequence[Entry] = ()
    #: Rows of ours that are no entries, by switch, in words: they go too.
    odd: Sequence[tuple[int, str]] = ()
    add: Sequence[Entry] = ()
    #: Only said, and not sent.
    dry_run: bool = False
    #: As read back.
    not_done: Sequence[NotDone] = ()
    #: Whether some switch no longer answered.
    silent: bool = False

    @property
    def changes(self) -> int:
        """How many rows go and come."""
        return len(self.remove) + len(self.odd) + len(self.add)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        state = self.state
        name = state.names.device
        return {
            "version": 1,
            "cluster": state.names.pod,
            "design": state.wiring.design.name,
            "asked": self.asked,
            "without_address": self.unasked,
            "entries": self.there,
            "expected": self.wanted,
            "sent": bool(self.changes) and not self.dry_run,
            "remove": entries_json(state, self.remove),
            "remove_odd": [{"switch": name(switch), "row": row} for switch, row in self.odd],
            "add": entries_json(state, self.add),
            "not_done": [
                {"do": one.act, "switch": name(one.switch), "what": one.what, "why": one.why}
                for one in self.not_done
            ],
        }
