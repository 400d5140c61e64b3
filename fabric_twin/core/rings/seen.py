"""What switches showed of their entries, held against the rings of jobs as they are wanted now.

entries at ports that somebody changes now        as they should be, and prove nothing
entries that are wanted and make no whole ring    not judged: a change was stopped halfway
a switch that did not answer                      not judged, and told
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fabric_twin.core.audit.findings import Finding, finding_id
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.rings.audit import audit_rings
from fabric_twin.core.rings.change import entries
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State

#: A device, and the side of a port of it that comes in or goes out: `2A`, `5B`.
Side = tuple[int, str]


@dataclass(frozen=True)
class Unread:
    """Why a switch did not tell its entries."""

    why: str
    #: What a person should check, where something answered, and not as it was asked.
    check: str = ""


@dataclass(frozen=True)
class Sight:
    """What the switches of a cluster showed; all by device number."""

    #: Our entries, by switch that was read.
    shown: Mapping[int, frozenset[Entry]]
    #: Rows of ours that are no entries.
    odd: Mapping[int, Sequence[str]] = field(default_factory=dict)
    #: Who was asked and did not tell.
    unread: Mapping[int, Unread] = field(default_factory=dict)


@dataclass(frozen=True)
class Judgement:
    """A cluster's switches, judged by its jobs."""

    state: State
    sight: Sight
    #: Entries that are wanted and make no whole ring.
    loose: frozenset[Entry] = frozenset()
    #: What somebody changes now.
    in_hand: frozenset[Side] = frozenset()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Each fault of rings, and each switch that did not tell its entries."""
        shown, devices = self.sight.shown, range(len(self.state.names.devices))
        judged = {entry for entry in self._there - self.loose if not self._is_in_hand(entry)}
        judged |= {entry for entry in self._wanted if self._is_in_hand(entry)}
        unread = [device for device in devices if device not in shown]
        report = audit_rings(self.state, judged, unread, self.sight.odd)
        return (*report.findings, *self._not_told())

    def is_well(self, proof: Proof) -> bool:
        """Whether a switch was read, and is as it should be at a place."""
        if proof.look is Look.ANSWERS:
            return self._number.get(proof.device) in self.sight.shown or (
                not proof.device and bool(self.sight.shown)
            )
        number = self._number.get(proof.device)
        if proof.look is not Look.ENTRIES or number is None or number not in self.sight.shown:
            return False
        if not proof.port:
            return not self.sight.odd.get(number)
        side = number, proof.port
        wanted = self._wanted | (self._there & self.loose)
        return side not in self.in_hand and self._at(side, self._there) == self._at(side, wanted)

    @cached_property
    def _there(self) -> frozenset[Entry]:
        return frozenset().union(*self.sight.shown.values())

    @cached_property
    def _wanted(self) -> frozenset[Entry]:
        return frozenset(entries(self.state))

    @cached_property
    def _number(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.state.names.devices)}

    def _is_in_hand(self, entry: Entry) -> bool:
        return not self.in_hand.isdisjoint(_sides(entry))

    @staticmethod
    def _at(side: Side, some: frozenset[Entry]) -> set[Entry]:
        return {entry for entry in some if side in _sides(entry)}

    def _not_told(self) -> Iterator[Finding]:
        """A finding for each switch that did not tell; one for all, where nobody answers."""
        unread = self.sight.unread
        if len(unread) > 1 and not self.sight.shown and not any(u.check for u in unread.values()):
            yield Finding(
                id=finding_id(["stale all packet switches"]),
                code="stale",
                cause=f"None of the {len(unread)} packet switches that were asked for their "
                "entries answers: the network to them is interrupted, or they have no power",
                strays=(),
                remedy=(),
                evidence={"switches": len(unread)},
                looks=(Proof(Look.ANSWERS, ""),),
            )
            return
        for number, one in sorted(unread.items()):
            name = self.state.names.device(number)
            code = "refused" if one.check else "stale"
            cause = f"{name} does not tell its entries ({one.why}): what is known of them is old"
            yield Finding(
                id=finding_id([f"{code} entries of {name}"]),
                code=code,
                cause=f"{name}: {one.why}. {one.check}" if one.check else cause,
                strays=(),
                remedy=(),
                places=((name, ""),),
                evidence={"why": one.why} | ({"check": one.check} if one.check else {}),
                looks=(Proof(Look.ANSWERS, name),),
            )


def _sides(entry: Entry) -> tuple[Side, Side]:
    return (entry.switch, f"{entry.into}A"), (entry.switch, f"{entry.out}B")
