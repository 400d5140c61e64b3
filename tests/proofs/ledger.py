"""How findings live through a month: opened, seen, closed, opened again; keyed by their id."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from fabric_twin.core.audit.findings import Finding


@dataclass(eq=False)
class Entry:
    """One finding's life."""

    finding: Finding
    opened: float
    seen: float
    closed: float | None = None
    #: How often it came back.
    reopened: int = 0
    #: When someone goes there, and how often someone did since it was opened.
    due: float = 0.0
    visits: int = 0


@dataclass(eq=False)
class Ledger:
    """All findings there were."""

    entries: dict[str, Entry] = field(default_factory=dict)

    @property
    def open(self) -> list[Entry]:
        """Findings that are not closed."""
        return [entry for entry in self.entries.values() if entry.closed is None]

    def enter(
        self, findings: Iterable[Finding], now: float, left_out: Collection[str] = ()
    ) -> list[Entry]:
        """Take what a run found, and say what of it is new, or is back.

        What a run does not show is closed if the run looks for its code, and if someone was there:
        a cable that no circuit uses any more shows nothing, and its work order stands all the same.
        """
        shown = {finding.id: finding for finding in findings if finding.code not in left_out}
        fresh = []
        for key, finding in shown.items():
            entry = self.entries.get(key)
            if entry is None:
                entry = self.entries[key] = Entry(finding, now, now)
                fresh.append(entry)
            elif entry.closed is not None:
                entry.closed, entry.opened, entry.visits = None, now, 0
                entry.reopened += 1
                fresh.append(entry)
            entry.seen, entry.finding = now, finding
        for key, entry in self.entries.items():
            looked_for = entry.finding.code not in left_out
            if entry.closed is None and key not in shown and looked_for and entry.visits:
                entry.closed = now
        return fresh
