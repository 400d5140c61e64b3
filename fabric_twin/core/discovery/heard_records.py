"""Cables as devices hear each other, beside cables as they are recorded: of a cluster.

recorded   they hear                          what follows
1 -- 11    1 and 11 each other                as recorded
2 -- 12    2 and 13 each other                elsewhere: a person may accept it
nothing    4 and 14 each other                no record: a person may accept it
5 -- 15    nobody                             not shown
6 -- 16    (no device of theirs answered)     not looked at
7 -- 17    7 hears 17, 17 another or nobody   not told
8 -- 18    one that is not of the cluster     not told
"""

from collections.abc import Collection, Iterator

import numpy as np

from fabric_twin.core.discovery.against_record import Compared, ComparedCable, RecordedCable
from fabric_twin.core.discovery.rounds import agreed_sightings
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column

NO_END = "neither of its ends is a port of the cluster"
NOBODY_ANSWERED = "no device that it is on has an address and answered"
STRANGER = "its port hears a device that is not of the cluster"
_NOT_RECORDED = RecordedCable("", NOT_KNOWN, NOT_KNOWN, crossed=False)
CONTRADICT = "its ends do not agree whom they hear"


def heard_pairs(claims: Column) -> Column:
    """By port: the port that it and nobody else has a cable to; NO_PORT where that is not known.

    >>> heard_pairs(np.array([2, NO_PORT, 0, 3], np.int32)).tolist() == [2, NO_PORT, 0, NO_PORT]
    True
    """
    meets, every = agreed_sightings(claims), np.arange(len(claims))
    # Who hears itself has a loopback plug, and no cable.
    paired = (meets >= 0) & (meets != every)
    paired[paired] = meets[meets[paired]] == every[paired]
    return np.where(paired, meets, NO_PORT).astype(np.int32)


class _Open:
    """Pairs of ports that hear each other, and that no record has taken yet."""

    def __init__(self, claims: Column) -> None:
        # Who answers that its port hears nobody has no cable there, whoever hears that port.
        pairs = heard_pairs(claims)
        self._pairs = np.where((claims == NO_PORT) | (claims[pairs] == NO_PORT), NO_PORT, pairs)
        self.ports = set(np.flatnonzero(self._pairs >= 0).tolist())

    def holds(self, one: RecordedCable) -> bool:
        """Whether a cable is where it is recorded."""
        return one.near >= 0 and one.end >= 0 and self._pairs[one.near] == one.end

    def take(self, port: int) -> int:
        """The other end of the cable that is in a port, once; else NOT_KNOWN."""
        if port not in self.ports:
            return NOT_KNOWN
        other = int(self._pairs[port])
        self.ports.difference_update((port, other))
        return other

    def why_not_shown(self, claims: Column, one: RecordedCable) -> tuple[Compared, str]:
        """What is to be said of a cable that is heard at neither of its ports."""
        ends = [end for end in (one.near, one.end) if end >= 0]
        if not ends:
            return Compared.NOT_LOOKED_AT, NO_END
        # At a port that is known to hold another cable it is not.
        heard = {int(claims[end]) if self._pairs[end] == NO_PORT else NO_PORT for end in ends}
        if heard == {NOT_KNOWN}:
            return Compared.NOT_LOOKED_AT, NOBODY_ANSWERED
        if heard <= {NOT_KNOWN, NO_PORT}:
            return Compared.NOT_SHOWN, ""
        return Compared.NOT_TOLD, STRANGER if NOT_OF_DESIGN in heard else CONTRADICT


def compare_heard(claims: Column, recorded: Collection[RecordedCable]) -> Iterator[ComparedCable]:
    """Each recorded cable, and each that devices hear and no record has.

    `claims` says by port whom it hears; NOT_KNOWN where its device did not answer.
    """
    still_open = _Open(claims)
    left = []
    for one in recorded:
        if still_open.holds(one):
            still_open.take(one.near)
            yield _compared(Compared.AS_RECORDED, one, one.near, one.end, one.end)
        else:
            left.append(one)
    # The end that is heard at its port stays, and the other one went elsewhere: the near one first.
    for turn in (0, 1):
        again, left = left, []
        for one in again:
            stays, was = (one.near, one.end) if turn == 0 else (one.end, one.near)
            if (now := still_open.take(stays)) >= 0:
                yield _compared(Compared.ELSEWHERE, one, stays, was, now)
            else:
                left.append(one)
    for one in left:
        how, why = still_open.why_not_shown(claims, one)
        yield _compared(how, one, one.near, one.end, NOT_KNOWN, why)
    for port in sorted(still_open.ports):
        if (now := still_open.take(port)) >= 0:
            yield _compared(Compared.NO_RECORD, _NOT_RECORDED, port, NOT_KNOWN, now)


def _compared(
    how: Compared, one: RecordedCable, near: int, was: int, now: int, why: str = ""
) -> ComparedCable:
    return ComparedCable(how, one.key, near, was, now, False, why)
