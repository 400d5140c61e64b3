"""Who answers at an address: what a device says of itself, held against what is recorded.

    serial told and recorded   it decides, whatever the name
    name told                  it decides, where there is no serial to compare
    neither                    it cannot tell: somebody confirms it, or a test circuit does

A device that nobody confirmed, and of which no serial is recorded, is asked for who it is and for
nothing else.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

#: What SONiC calls itself until somebody names it: it tells nothing.
FACTORY_NAMES = frozenset({"", "sonic", "localhost"})


class Told(NamedTuple):
    """What a device says of itself; empty where it does not say."""

    name: str = ""
    serial: str = ""

    @property
    def is_nothing(self) -> bool:
        """Whether it cannot tell who it is."""
        return not self.serial and short_name(self.name) in FACTORY_NAMES

    def __str__(self) -> str:
        said = [f"serial {self.serial}" if self.serial else "", self.name]
        return ", ".join(filter(None, said)) or "it does not tell who it is"


class ConfirmedBy(StrEnum):
    """How it came to be known that the device at an address is the one recorded."""

    NOBODY = ""
    #: A load named it, so it has to call itself so.
    LOAD = "load"
    PERSON = "person"
    ORDER = "order"
    TEST_CIRCUIT = "test-circuit"


@dataclass(frozen=True)
class Known:
    """The device that should answer."""

    name: str
    serial: str = ""
    by: ConfirmedBy = ConfirmedBy.NOBODY


class Answering(StrEnum):
    """Who answers."""

    RIGHT = "right"
    ANOTHER = "another"
    #: It may be the right one; nobody has said so yet.
    NOT_CONFIRMED = "not-confirmed"


def who_answers(known: Known, told: Told) -> Answering:
    """Whether a device is the one that should answer.

    >>> who_answers(Known("ocs-1", "S1"), Told("ocs-2", "S1")).value
    'right'
    >>> who_answers(Known("ocs-1", "S1"), Told("ocs-1", "S2")).value
    'another'
    >>> who_answers(Known("ocs-1", by=ConfirmedBy.LOAD), Told("ocs-2.example.com")).value
    'another'
    >>> who_answers(Known("ocs-1", by=ConfirmedBy.LOAD), Told("sonic")).value
    'not-confirmed'
    """
    if known.serial and told.serial:
        return Answering.RIGHT if known.serial == told.serial else Answering.ANOTHER
    if short_name(told.name) not in FACTORY_NAMES:
        if not known.serial and not known.by:
            return Answering.NOT_CONFIRMED
        same = short_name(told.name) == short_name(known.name)
        return Answering.RIGHT if same else Answering.ANOTHER
    confirmed = known.by not in (ConfirmedBy.NOBODY, ConfirmedBy.LOAD)
    return Answering.RIGHT if confirmed else Answering.NOT_CONFIRMED


def in_words(known: Known, told: Told, answering: Answering) -> str:
    """Why a device is not spoken to; empty where it is."""
    if answering is Answering.RIGHT:
        return ""
    if answering is Answering.ANOTHER:
        recorded = Told(known.name, known.serial)
        return f"another device answers at its address ({told}); recorded is {recorded}"
    return f"nobody has confirmed who answers at its address ({told})"


def short_name(name: str) -> str:
    """A host's name without its domain, in lower case."""
    return name.strip().partition(".")[0].lower()
