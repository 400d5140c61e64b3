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

#: What SONiC calls itself until somebody names it, and what stands for no serial: it tells nothing.
FACTORY_NAMES = frozenset({"", "sonic", "localhost"})
NO_SERIALS = frozenset({"", "n/a", "na", "none", "unknown", "not available", "0"})


class Told(NamedTuple):
    """What a device says of itself; empty where it does not say."""

    name: str = ""
    serial: str = ""

    @property
    def is_nothing(self) -> bool:
        """Whether it cannot tell who it is."""
        return not serial_of(self.serial) and not name_of(self.name)

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
    recorded, serial = serial_of(known.serial), serial_of(told.serial)
    if recorded and serial:
        return Answering.RIGHT if recorded == serial else Answering.ANOTHER
    if name_of(told.name):
        if not recorded and not known.by:
            return Answering.NOT_CONFIRMED
        return Answering.RIGHT if is_same_name(told.name, known.name) else Answering.ANOTHER
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


def name_of(name: str) -> str:
    """A host's name as it is compared; empty where it tells nothing.

    >>> name_of(" OCS-1.example.com "), name_of("sonic")
    ('ocs-1.example.com', '')
    """
    plain = name.strip().lower().rstrip(".")
    return "" if plain.partition(".")[0] in FACTORY_NAMES else plain


def serial_of(serial: str) -> str:
    """A serial as it is compared; empty where something only stands in its place.

    >>> serial_of(" ocs1 "), serial_of("N/A")
    ('OCS1', '')
    """
    plain = serial.strip()
    return "" if plain.lower() in NO_SERIALS else plain.upper()


def is_another(one: str, other: str) -> bool:
    """Whether two serials are those of two devices; who has none to tell is nobody else.

    >>> is_another("S1", "s1 "), is_another("S1", "N/A"), is_another("S1", "S2")
    (False, False, True)
    """
    plain = serial_of(one), serial_of(other)
    return all(plain) and plain[0] != plain[1]


def is_same_name(one: str, other: str) -> bool:
    """Whether two names are one host's: one of them may leave out the domain.

    >>> is_same_name("ocs-1.example.com", "OCS-1"), is_same_name("ams1.ocs-1", "ams1.ocs-2")
    (True, False)
    """
    short, long = sorted((name_of(one), name_of(other)), key=len)
    return bool(short) and (short == long or long.startswith(f"{short}."))
