"""The circuits of a discovery: set and taken away, round by round, and noted before it is done."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.strand_plant import circuit_ends
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.discovery.rounds import circuits_of
from fabric_twin.core.errors import FabricTwinError, NoAnswer
from fabric_twin.core.pods.names import Names
from fabric_twin.inventory.journal import Noted
from fabric_twin.services.discovery.restore import Notes
from fabric_twin.switches.changes import Applied, Change, Outcome
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair, SwitchState

#: What a switch still does, or may, whatever it shows meanwhile.
_NOT_SAID = (Outcome.LATE, Outcome.NOT_KNOWN)
_NOTHING: frozenset[Pair] = frozenset()


class Set(NamedTuple):
    """What came of a round, where it is not what was wanted."""

    #: Circuits that were not made.
    failed: Circuits | None
    #: Circuits of an earlier round that are still there.
    left: Circuits | None


class OwnCircuits:
    """What discovery has set on the switches of a pod, and what it took away."""

    def __init__(self, names: Names, fabric: Fabric, journal: Notes) -> None:
        self._names, self._fabric, self._journal = names, fabric, journal
        #: What may be there, by switch; exactly this, where the switch was read back.
        self._ours: dict[str, frozenset[Pair]] = {}
        self._removed: frozenset[Circuit] = frozenset()
        #: Switches of which nobody can say what they carry, and why: they are left alone.
        self.lost: dict[str, FabricTwinError] = {}
        #: Circuits that switches did not make, by their reason.
        self.not_made: Counter[str] = Counter()

    def clear(self, switches: Mapping[str, SwitchState]) -> None:
        """Take away every circuit there is, to be put back."""
        there = {name: state.circuits for name, state in switches.items()}
        self._removed = frozenset(as_circuits(there))
        self._note()
        changes = {name: Change(delete=pairs) for name, pairs in there.items() if pairs}
        for applied in self._fabric.apply(changes).all().values():
            if not applied.is_done:
                raise NoAnswer(
                    f"circuit {'-'.join(applied.bad[0].pair)} cannot be taken away "
                    f"({applied.bad[0].outcome})",
                    where=applied.switch,
                    remedy="Look at the switch, or leave circuits alone with --in-service",
                )

    def set(self, circuits: Circuits) -> dict[str, Applied]:
        """Set the circuits of a round in place of the last one's: what came of it, by switch."""
        wanted: dict[str, set[Pair]] = {name: set() for name in self._ours if name not in self.lost}
        for switch, a, b in circuits.named(self._names):
            wanted.setdefault(switch, set()).add((a, b))
        # All of a round is asked for: what may be there of an earlier one need not be.
        changes = {
            name: Change(delete=self._ours.get(name, _NOTHING) - pairs, add=frozenset(pairs))
            for name, pairs in wanted.items()
        }
        for name, pairs in wanted.items():
            self._ours[name] = self._ours.get(name, _NOTHING) | pairs
        self._note()
        answers = self._fabric.apply({name: change for name, change in changes.items() if change})
        self.lost.update(answers.missing)
        for name, applied in answers.given.items():
            if applied.state is None or any(one.outcome in _NOT_SAID for one in applied.bad):
                why = applied.bad[0].why
                self.lost[name] = NoAnswer(f"it does not say what it did ({why})", where=name)
            else:
                # Only what was read back is there; where nothing was, all that may be.
                self._ours[name] &= applied.state.circuits
        return dict(answers.given)

    def differing(self, done: Mapping[str, Applied]) -> Set:
        """What is not as a round wanted it."""
        failed: list[Circuit] = []
        left: list[Circuit] = []
        for name, applied in done.items():
            for report in applied.bad:
                self.not_made[f"{name}: {report.why or report.outcome}"] += 1
                if report.wanted:
                    failed.append(Circuit(name, *report.pair))
                elif applied.state and _carries(applied.state, report.pair):
                    left.append(Circuit(name, *report.pair))
        return Set(*(columns(self._names, some) if some else None for some in (failed, left)))

    def _note(self) -> None:
        ours = frozenset(as_circuits(self._ours))
        self._journal.write(Noted(self._names.pod, self._removed, ours))


def _carries(state: SwitchState, pair: Pair) -> bool:
    """Whether light passes, configured or not."""
    return pair in state.carried and state.carried[pair].is_tuned


def as_circuits(pairs: Mapping[str, Iterable[Pair]]) -> list[Circuit]:
    return [Circuit(switch, a, b) for switch, some in pairs.items() for a, b in some]


def columns(names: Names, circuits: Sequence[Circuit]) -> Circuits:
    """Circuits as columns; what is odd about a switch's own circuits is not for us to refuse."""
    ends = circuit_ends(names)
    found = ((ends.get((c.switch, c.a), -1), ends.get((c.switch, c.b), -1)) for c in circuits)
    known = np.array([pair for pair in found if min(pair) >= 0], np.int32).reshape(-1, 2)
    return circuits_of(names.layout, known[:, 0], known[:, 1])
