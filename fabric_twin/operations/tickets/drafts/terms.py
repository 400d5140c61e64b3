"""What people decide about a ticket, beside what it changes: words, a window, what it bears."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Final

from django.utils import timezone

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.moments import moment
from fabric_twin.models import Ticket

#: Bad circuits that a ticket may bear, at most: more than any pod has.
MOST_BAD = 100_000


class Unsaid(Enum):
    """What stands where nothing is said: None would say that there is to be nothing."""

    UNSAID = 1


UNSAID: Final = Unsaid.UNSAID


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What people decide about a ticket; of what nothing is said, it stays or is chosen.

    A window's end that is None is one that there is not.
    """

    title: str | Unsaid = UNSAID
    reason: str | Unsaid = UNSAID
    window_start: datetime | Unsaid | None = UNSAID
    window_end: datetime | Unsaid | None = UNSAID
    on_failure: str | Unsaid = UNSAID
    most_bad: int | Unsaid = UNSAID
    custom_fields: Mapping[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Any]:
        """What was decided, for the record."""
        names = ("title", "reason", "window_start", "window_end", "on_failure", "most_bad")
        said = {name: getattr(self, name) for name in names}
        return {name: value for name, value in said.items() if value is not UNSAID}


def check_ahead(ticket: Ticket) -> None:
    """Refuse a window that nobody can keep any more."""
    if ticket.window_end and ticket.window_end <= timezone.now():
        raise NotPossible(
            f"its window is over since {moment(ticket.window_end)}",
            where=f"ticket {ticket.name}",
            remedy="Give another one, or none yet",
        )


def set_terms(ticket: Ticket, terms: Mapping[str, Any]) -> None:
    """Set what was decided on a ticket, or refuse it; nothing is written yet."""
    for name, value in terms.items():
        setattr(ticket, name, value)
    check_terms(
        ticket.window_start, ticket.window_end, ticket.most_bad, where=f"ticket {ticket.name}"
    )


def check_terms(
    begins: datetime | None, ends: datetime | None, most_bad: int, *, where: str = "terms"
) -> None:
    """Refuse a window that ends before it begins, and more bad circuits than any pod has."""
    if not 0 <= most_bad <= MOST_BAD:
        raise UnusableInput(
            f"it cannot allow {most_bad:,} bad circuits",
            where=where,
            remedy=f"Give 0 to {MOST_BAD:,}",
        )
    if begins and ends and ends <= begins:
        raise UnusableInput(
            f"its window would end at {moment(ends)}, and begin at {moment(begins)}",
            where=where,
            remedy="Give both ends of another window, or neither",
        )
