"""The facts of a ticket, of which its page and its documents are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.tickets.called import Called, called
from fabric_twin.documents.sheet import Cells


@dataclass(frozen=True)
class StageFacts:
    """How far a stage is."""

    state: str
    started: datetime | None = None
    ended: datetime | None = None
    tries: int = 0
    #: Circuits that were bad, in words.
    bad: Cells = ()
    #: Circuits that pass, and whose light was better before, in words.
    worse: Cells = ()


@dataclass(frozen=True)
class Said:
    """A line of the history."""

    number: int
    at: datetime
    who: str
    what: str
    said: str


@dataclass(frozen=True)
class Drained:
    """A slice that has to be drained, and who said that it is."""

    name: str
    by: str = ""
    at: datetime | None = None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class TicketFacts:
    """A ticket's facts now, in the words of the records."""

    name: str
    pod: str
    design: str
    kind: str
    title: str
    state: str
    author: str
    reason: str = ""
    risk: str = ""
    risk_reason: str = ""
    on_failure: str = ""
    most_bad: int = 0
    window: tuple[datetime | None, datetime | None] = (None, None)
    submitted_at: datetime | None = None
    approved_by: str = ""
    approved_at: datetime | None = None
    emergency: bool = False
    reviewed_by: str = ""
    reviewed_at: datetime | None = None
    review: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    message: str = ""
    contacts: Cells = ()
    revises: str = ""
    blast: Mapping[str, Any] = field(default_factory=dict)
    warnings: Cells = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    stages: Sequence[StageFacts] = ()
    drains: Sequence[Drained] = ()
    history: Sequence[Said] = ()
    #: Ports and cubes that are its own as long as it is open.
    ports_held: int = 0
    cubes_held: int = 0
    #: When it was last changed, and where its page is.
    changed: datetime | None = None
    page: str = ""
    #: In which moments are told: a page has its reader's, a file has UTC.
    zone: tzinfo = UTC
    #: Whether there is such a ticket, or it is only proposed.
    is_made: bool = True

    @property
    def called(self) -> Called:
        """The words for what it changes."""
        return called(self.plan)

    @property
    def circuits(self) -> tuple[Stage, ...]:
        """What each stage does to circuits."""
        return tuple(
            Stage(*(tuple(map(self._circuit, one.get(does, ()))) for does in ("remove", "add")))
            for one in self.plan.get("stages", ())
        )

    @property
    def heading(self) -> str:
        """What is written over it."""
        return f"{self.name}: {self.title}"

    def _circuit(self, row: Mapping[str, str]) -> Circuit:
        port = self.called.port
        return Circuit(row["switch"], port(row["a"]), port(row["b"]), row.get("owner", ""))
