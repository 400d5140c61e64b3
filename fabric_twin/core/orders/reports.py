"""What somebody in the aisle says of a step, and what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.life import StepIs

LONGEST_ID, LONGEST_REASON = 64, 1000
#: Reports that are sent at once, at most: a phone's day.
MOST_REPORTS = 500
#: Bytes of a photo; and pixels of all photos of a request, which a few bytes may unpack to.
LARGEST_PHOTO, MOST_PIXELS = 12_000_000, 50_000_000


class Told(StrEnum):
    """What a report says."""

    DONE = "done"
    CANNOT = "cannot"
    UNDONE = "undone"


def check_count(reports: int) -> None:
    """Refuse more reports at once than a phone keeps."""
    if reports > MOST_REPORTS:
        raise UnusableInput(
            f"{reports:,} reports came at once",
            where="reports",
            remedy=f"Send {MOST_REPORTS} at a time",
        )


@dataclass(frozen=True, kw_only=True)
class Report:
    """What somebody says of one step."""

    #: Chosen by the reporter, once for each thing said.
    id: str
    step: int
    told: Told
    by: str = ""
    #: When it was, by the reporter's clock, in seconds since 1970.
    at: float = 0.0
    #: What was read off the label, for a scan.
    scanned: str = ""
    #: Why it cannot be done, and the name of a photo.
    reason: str = ""
    photo: str = ""

    def __post_init__(self) -> None:
        """Refuse what says nothing."""
        if not 0 < len(self.id) <= LONGEST_ID or not self.id.isprintable():
            raise UnusableInput(
                "a report has no id of its own",
                where="report",
                remedy="Make one, such as a random UUID, and send it with every try",
            )
        if max(len(self.scanned), len(self.reason)) > LONGEST_REASON:
            raise UnusableInput(
                f"a text of it has more than {LONGEST_REASON:,} characters",
                where="report",
                remedy="Say it shorter",
            )
        if self.told == Told.CANNOT and not self.reason.strip():
            raise UnusableInput(
                "it does not say why the step cannot be done",
                where="report",
                remedy="Give a reason",
            )

    def as_json(self) -> dict[str, Any]:
        """The report as a program reads it."""
        facts = {"id": self.id, "step": self.step, "told": str(self.told), "by": self.by}
        more = {"scanned": self.scanned, "reason": self.reason, "photo": self.photo}
        return facts | {"at": self.at} | {name: text for name, text in more.items() if text}

    @classmethod
    def from_json(cls, facts: Mapping[str, Any], where: str = "report") -> "Report":
        """Read a report, or refuse it."""
        texts = {name: facts.get(name, "") for name in ("id", "by", "scanned", "reason", "photo")}
        step, at = facts.get("step"), facts.get("at", 0.0)
        if (
            not all(
                isinstance(text, str) and len(text) <= LONGEST_REASON for text in texts.values()
            )
            or not isinstance(step, int)
            or isinstance(step, bool)
            or not isinstance(at, int | float)
            or facts.get("told") not in set(Told)
        ):
            raise UnusableInput(
                "this is not a report of a step",
                where=where,
                remedy='Write {"id": "..", "step": 7, "told": "done"}',
            )
        return cls(**texts, step=step, at=float(at), told=Told(facts["told"]))


@dataclass(frozen=True)
class Answer:
    """What became of a report."""

    taken: bool
    #: Where the step stands now.
    state: StepIs
    #: Why it was refused, and what would be right.
    why: str = ""
    #: It had been sent before.
    again: bool = False
