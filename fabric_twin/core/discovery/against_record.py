"""Cables as light shows them, beside cables as they are recorded.

recorded    light shows                 what follows
7A          7A                          as recorded
8A          9A                          elsewhere: a person may accept it
nothing     8A                          no record: a person may accept it
10A         nobody in any round         not shown
11A         (a slice uses the port)     not looked at, and why
12A         lit, but not where          not told
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand, duplex_of, strand_of
from fabric_twin.core.discovery.observed import Heard, Observed, Seen
from fabric_twin.core.fabric.columns import NOT_KNOWN

#: Why a recorded cable was not looked at, where the fabric says so and not a record; of its cube
#: or block.
SILENT = "its {} did not answer"
NOT_IN_SERVICE = "its {} is not in service"
IN_CIRCUIT = "a circuit is on it"
DARK_PORT = "its port is blocked or failed"
NO_END = "neither of its ends is a port of a {}"
#: What else is said of a cable.
APART = "its strands are in different ports"
ONE_STRAND = "only one of its strands"
EMPTY_CAGE = "no transceiver"
AS_RULED = "as the rule wants it, as far as light can tell"


class Compared(StrEnum):
    """What light says of a recorded cable, or of one that is not recorded."""

    AS_RECORDED = "as-recorded"
    ELSEWHERE = "elsewhere"
    NO_RECORD = "no-record"
    NOT_SHOWN = "not-shown"
    NOT_LOOKED_AT = "not-looked-at"
    NOT_TOLD = "not-told"


class RecordedCable(NamedTuple):
    """A cable as it is recorded, by the numbers of its ports."""

    key: str
    #: The port of a cube or a block, or NOT_KNOWN.
    near: int
    #: The port of a switch; NOT_KNOWN where no port of the pod is recorded.
    end: int
    crossed: bool


class ComparedCable(NamedTuple):
    """A cable as it is recorded (`was`) and as light shows it (`now`)."""

    how: Compared
    #: The record; empty where there is none.
    key: str
    near: int
    was: int
    now: int
    #: Whether light shows its strands exchanged.
    crossed: bool
    why: str

    @property
    def can_be_accepted(self) -> bool:
        """Whether light proved both of its ends, and the record says otherwise."""
        return self.how in {Compared.ELSEWHERE, Compared.NO_RECORD} and self.now >= 0


def compare_cables(
    intended: Intended,
    observed: Observed,
    recorded: Collection[RecordedCable],
    left: Sequence[str],
    answered: Collection[int],
) -> Iterator[ComparedCable]:
    """Each recorded cable, and each that light shows and no record has.

    `left` says of each port, strand by strand, why it was left alone; empty where it was not.
    `answered` are the slots of the cubes that answered.
    """
    look = _Look(intended, observed, left, answered)
    by_port: Mapping[int, RecordedCable] = {one.near: one for one in recorded if one.near >= 0}
    for near in range(intended.names.layout.cube_ports):
        if compared := look.at(near, by_port.get(near)):
            yield compared
    for one in recorded:
        if one.near < 0:
            yield _compared(Compared.NOT_LOOKED_AT, one, NO_END.format(intended.names.part))


class _Look:
    """What a discovery says of cube ports, one by one."""

    def __init__(
        self,
        intended: Intended,
        observed: Observed,
        left: Sequence[str],
        answered: Collection[int],
    ) -> None:
        self._intended, self._observed = intended, observed
        self._left, self._answered = left, answered
        self._layout = intended.names.layout
        plant = by_strand(intended)
        self._strands = 1 if plant is intended else 2
        self._switches_from = plant.names.layout.cube_ports

    def at(self, near: int, record: RecordedCable | None) -> ComparedCable | None:
        """What is said of the cable at a cube port; None where there is nothing to say."""
        seen = {Seen(int(self._observed.seen[strand])) for strand in self._strands_of(near)}
        if seen == {Seen.LIGHT}:
            return self._proven(near, record)
        return self._not_proven(record, seen) if record else None

    def _proven(self, near: int, record: RecordedCable | None) -> ComparedCable:
        """Light shows where the cable is."""
        ends = [int(self._observed.end[strand]) for strand in self._strands_of(near)]
        now, crossed = self._place(ends)
        why = "" if now >= 0 else APART
        if record is None:
            return ComparedCable(Compared.NO_RECORD, "", near, NOT_KNOWN, now, crossed, why)
        same = now >= 0 and (record.end, record.crossed) == (now, crossed)
        how = Compared.AS_RECORDED if same else Compared.ELSEWHERE
        return _compared(how, record, why, now=now, crossed=crossed)

    def _not_proven(self, record: RecordedCable, seen: set[Seen]) -> ComparedCable:
        """Light does not show where the cable is, and why."""
        if why := self._why_not(record, seen):
            return _compared(Compared.NOT_LOOKED_AT, record, why)
        if seen & {Seen.DARK, Seen.SILENT}:
            why = ONE_STRAND if len(seen) > 1 else EMPTY_CAGE if Seen.SILENT in seen else ""
            return _compared(Compared.NOT_SHOWN, record, why)
        ruled = seen <= {Seen.FITS, Seen.LIGHT} and record.end == self._intended.want[record.near]
        return _compared(Compared.NOT_TOLD, record, AS_RULED if ruled else "")

    def _why_not(self, record: RecordedCable, seen: set[Seen]) -> str:
        """Why a cable was not looked at; empty where it was."""
        mine = self._strands_of(record.near)
        ends = self._strands_of(record.end) if record.end >= 0 else []
        heard = {int(self._observed.heard[end - self._switches_from]) for end in ends}
        answered = int(self._layout.slot[record.near]) in self._answered
        part = self._intended.names.part
        reasons = (
            (self._left_alone(mine), True),
            (NOT_IN_SERVICE.format(part), Seen.ABSENT in seen),
            (SILENT.format(part), not answered),
            (IN_CIRCUIT, bool(seen & {Seen.IN_USE, Seen.IN_USE_ELSEWHERE})),
            (self._left_alone(ends), True),
            (DARK_PORT, Heard.UNTOUCHED in heard),
        )
        return next((why for why, holds in reasons if why and holds), "")

    def _left_alone(self, strands: Iterable[int]) -> str:
        return next((why for strand in strands if (why := self._left[strand])), "")

    def _strands_of(self, port: int) -> list[int]:
        if self._strands == 1:
            return [port]
        return [int(strand_of(self._layout, np.array([port]), n)[0]) for n in (0, 1)]

    def _place(self, ends: list[int]) -> tuple[int, bool]:
        """The port that holds a cable, and whether its strands are exchanged in it."""
        if self._strands == 1:
            return ends[0], False
        one, other = duplex_of(self._layout, np.array(ends)).tolist()
        half, other_half = ((end - self._switches_from) // self._layout.radix % 2 for end in ends)
        if one != other or half == other_half:
            return NOT_KNOWN, False
        return one, half == 1


def _compared(
    how: Compared,
    record: RecordedCable,
    why: str = "",
    now: int = NOT_KNOWN,
    *,
    crossed: bool = False,
) -> ComparedCable:
    return ComparedCable(how, record.key, record.near, record.end, now, crossed, why)
