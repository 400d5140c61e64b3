"""The faults there are in a pod: made, listed and mended, by number."""

from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.simulator.faults.cabling import CABLING
from fabric_twin.simulator.faults.equipment import EQUIPMENT
from fabric_twin.simulator.faults.forwarding import FORWARDING
from fabric_twin.simulator.faults.kinds import Kind, Memo, Wish, number_of
from fabric_twin.simulator.faults.surprises import SURPRISES
from fabric_twin.simulator.faults.switching import REBOOT, SWITCHING
from fabric_twin.simulator.pod import SimulatedPod

KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (*CABLING, *EQUIPMENT, *SWITCHING, *SURPRISES, *FORWARDING)
}
#: What can be broken in a cluster: its cables have no light here, and its switches no mirrors.
OF_CLUSTERS = (
    *("swapped", "misplugged", "missing", "broken", "cube-down"),
    *("silent", "stale", "answers-late"),
    *("flows-lost", "table-full", "switch-replaced"),
    *("ignores-changes", "halves-changes", "loses-answers"),
)
#: Kinds that pass by themselves, and after how many seconds.
PASSING = {"switch-rebooting": REBOOT}


@dataclass(frozen=True)
class Fault:
    """One fault that there is."""

    number: int
    wish: Wish
    memo: Memo
    since: float
    #: Who made it: a script, chance, a hand, a technician by mistake.
    by: str

    @property
    def kind(self) -> Kind:
        """What kind it is."""
        return KINDS[self.wish["kind"]]

    def as_json(self) -> dict[str, Any]:
        """As the control port tells it."""
        return {"number": self.number, "since": round(self.since, 3), "by": self.by, **self.wish}


@dataclass(eq=False)
class FaultBook:
    """What is broken in a pod."""

    pod: SimulatedPod
    there: dict[int, Fault] = field(default_factory=dict)
    #: All that ever were, in order.
    made: int = 0

    def make(self, wish: Wish, by: str = "hand") -> Fault:
        """Break something; with "for", it mends itself after so many seconds."""
        kind = KINDS.get(str(wish.get("kind")))
        if kind is None:
            raise UnusableInput(
                f"there is no kind of fault {str(wish.get('kind'))[:40]!r}",
                where="fault",
                remedy=f"Use one of {', '.join(KINDS)}",
            )
        check_of(self.pod, kind.name)
        self._check(kind, wish)
        memo = kind.make(self.pod, wish) or {}
        self.made += 1
        fault = Fault(self.made, dict(wish), memo, self.pod.clock.now(), by)
        self.restore(fault)
        self.pod.on_configured()
        self.pod.changed()
        return fault

    def restore(self, fault: Fault) -> None:
        """Enter a fault that is there already."""
        self.there[fault.number] = fault
        lasts = _lasts(fault.wish)
        if lasts is not None:
            self._mend_at(fault, fault.since + lasts)

    def mend(self, number: int) -> Fault:
        """Mend a fault by its number."""
        fault = self.there.get(number)
        if fault is None:
            raise UnusableInput(
                f"there is no fault {number}", where="fault", remedy="List the faults there are"
            )
        fault.kind.mend(self.pod, fault.wish, fault.memo)
        del self.there[number]
        self.pod.on_configured()
        self.pod.changed()
        return fault

    def cross_out(self) -> None:
        """Forget faults that are gone because someone put the cables where they were."""
        for fault in list(self.there.values()):
            if fault.kind.is_gone(self.pod, fault.wish, fault.memo):
                del self.there[fault.number]

    def _check(self, kind: Kind, wish: Wish) -> None:
        """Refuse what is not known of a kind, and what is broken already."""
        _lasts(wish)
        if odd := wish.keys() - {"kind", "for", "pod", *kind.needs, *kind.may}:
            raise UnusableInput(
                f"a fault of the kind {kind.name} has no {min(odd)[:40]!r}",
                where="fault",
                remedy=f"Use {', '.join((*kind.needs, *kind.may, 'for'))}",
            )
        place = kind.place(wish)
        for there in self.there.values():
            name, named = there.kind.place(there.wish)
            exchanged = kind.name == "addresses-exchanged" == name and place[1] & named
            if (name, named) == place or exchanged:
                raise NotPossible(
                    f"it is so already: fault {there.number}",
                    where="fault",
                    remedy=f"Mend fault {there.number} first",
                )

    def _mend_at(self, fault: Fault, moment: float) -> None:
        def mend() -> None:
            if fault.number in self.there:
                self.mend(fault.number)

        self.pod.timeline.at(moment, mend)


def check_of(pod: SimulatedPod, kind: str) -> None:
    """Refuse a kind of fault that a pod can never have."""
    if pod.points.is_packet and kind not in OF_CLUSTERS:
        raise UnusableInput(
            f"a cluster has no faults of the kind {kind}",
            where="fault",
            remedy=f"Use one of {', '.join(OF_CLUSTERS)}",
        )


def _lasts(wish: Wish) -> float | None:
    """After how many seconds a fault mends itself."""
    lasts = wish.get("for", PASSING.get(str(wish.get("kind"))))
    return None if lasts is None else number_of({"for": lasts}, "for", 0.0, 0, 1e10)
