"""What one check of an installation found."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class How(StrEnum):
    """How serious it is."""

    GOOD = "good"
    #: It works, and somebody should look at it.
    LOOK = "look"
    #: Something that an operator needs does not work.
    BAD = "bad"


@dataclass(frozen=True)
class Checked:
    """One check: what was looked at, what was found, and what to do."""

    what: str
    how: How
    found: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """For programs."""
        return {name: str(value) for name, value in asdict(self).items()}


def good(what: str, found: str) -> Checked:
    """A check that found nothing to do."""
    return Checked(what, How.GOOD, found)


def look(what: str, found: str, remedy: str) -> Checked:
    """A check that found what somebody should look at."""
    return Checked(what, How.LOOK, found, remedy)


def bad(what: str, found: str, remedy: str) -> Checked:
    """A check that found what does not work."""
    return Checked(what, How.BAD, found, remedy)
