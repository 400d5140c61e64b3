"""Discover which fibre is in which port, by light, and leave every circuit as it was.

journal   what will be set and removed, on disk before any switch is told
round     ours of the last round go, those of the next come; nobody else's are touched
read      whom every cube port hears
restore   ours go, what was removed comes back: whatever happened in between
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import monotonic, sleep

import numpy as np

from fabric_twin.core.by_strand import by_strand
from fabric_twin.core.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.discovery import MOST_ROUNDS, Discovery, Heard, Observed
from fabric_twin.core.discovery.cables import Port, observed_cables
from fabric_twin.core.discovery.exchanged import exchanged_switches
from fabric_twin.core.discovery.report import Report
from fabric_twin.core.discovery.rounds import Mask, circuits_of
from fabric_twin.core.errors import FabricTwinError, NoAnswer, NotPossible, UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.core.plans import Circuit
from fabric_twin.core.plant import Intended, Substitution, intended_plant
from fabric_twin.inventory.journal import Journal, Noted
from fabric_twin.services.hearing import Hearing
from fabric_twin.services.restore import restore_noted
from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair, PortStatus, SwitchState

#: In so many rounds the light is measured as well: most ports are lit in one of them.
MEASURED = 3

#: Told what is being counted, and how much so far.
Progress = Callable[[str, int], None]


class Stopped(NotPossible):
    """Somebody wants it to end; circuits are as they were."""


def discover(
    design: Design,
    pod: str,
    fabric: Fabric,
    journal: Journal,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    interrupt: bool = False,
    settle: float = 0.0,
    most_rounds: int = MOST_ROUNDS,
    stopped: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _what, _done: None,
) -> Report:
    """Look at every port that is free, or with `interrupt` at every port there is.

    Without `slots`, slots whose cubes do not answer are taken for empty.
    """
    check_has_switches(design)
    with journal.held():
        restore_noted(pod, fabric, journal)
        run = _Run(pod, fabric, journal, settle, stopped, progress)
        return run.go(design, slots, substitutions, interrupt, most_rounds)


def check_has_switches(design: Design) -> None:
    """Refuse a design that has nothing to switch."""
    if not design.layout.switches:
        raise UnusableInput(
            "it has no switches, so there are no circuits to discover its cables with",
            where=f"design {design.name}",
            remedy="Name a design with switches; a fixed cable shows both its ends at once",
        )


class _Run:
    """One discovery, from the first reading to the last."""

    def __init__(
        self,
        pod: str,
        fabric: Fabric,
        journal: Journal,
        settle: float,
        stopped: Callable[[], bool],
        progress: Progress,
    ) -> None:
        self._pod, self._fabric, self._journal = pod, fabric, journal
        self._settle, self._stopped, self._progress = settle, stopped, progress
        self._unanswered: dict[str, FabricTwinError] = {}
        self._not_made: Counter[str] = Counter()
        self._ours: dict[str, frozenset[Pair]] = {}
        self._removed: frozenset[Circuit] = frozenset()

    def go(
        self,
        design: Design,
        slots: Iterable[int] | None,
        substitutions: Iterable[Substitution],
        interrupt: bool,
        most_rounds: int,
    ) -> Report:
        switches = self._read_switches()
        cubes = self._fabric.read_cubes()
        if not cubes.given:
            cubes.all()
        answering = [int(name.rpartition("-c")[2]) for name in cubes.given]
        if slots is not None:
            self._unanswered.update(cubes.missing)
        whole = intended_plant(
            design, self._pod, answering if slots is None else slots, substitutions
        )
        intended = by_strand(whole)
        names = intended.names
        hearing = Hearing(names)
        before = hearing.listen(cubes.given)
        there = {} if interrupt else {s: _all_circuits(state) for s, state in switches.items()}
        in_use = _columns(names, _as_circuits(there))
        discovery = Discovery(
            intended,
            usable=_usable(names, switches),
            shining=hearing.shining(cubes.given),
            before=None if interrupt else before,
            in_use=in_use,
            most_rounds=most_rounds,
        )
        try:
            if interrupt:
                self._clear(switches)
            while (circuits := discovery.next_round()) is not None:
                self._check_stopped()
                failed = self._set(names, circuits, hearing)
                self._wait()
                read = self._fabric.read_cubes
                if discovery.rounds >= MEASURED:
                    read = self._fabric.read_neighbours
                discovery.take(hearing.listen(read().given), failed)
                self._progress(f"round {discovery.rounds}, ports found", discovery.found)
            self._check_stopped()
        finally:
            restore_noted(self._pod, self._fabric, self._journal)
        return self._report(design, intended, discovery.observed(), hearing, len(in_use))

    def _read_switches(self) -> Mapping[str, SwitchState]:
        answers = self._fabric.read_switches()
        if not answers.given:
            answers.all()
        self._unanswered.update(answers.missing)
        return answers.given

    def _report(
        self,
        design: Design,
        intended: Intended,
        observed: Observed,
        hearing: Hearing,
        in_use: int,
    ) -> Report:
        names = intended.names
        cables = list(observed_cables(intended, observed, hearing.strangers(observed.strangers)))
        return Report(
            pod=self._pod,
            design=design.name,
            rounds=observed.rounds,
            cables=cables,
            levels=[hearing.level(cable.of, observed.end) for cable in cables],
            ports=_ports(names, observed),
            in_use=in_use,
            not_made=self._not_made,
            unanswered={name: error.what for name, error in self._unanswered.items()},
            exchanged=[
                (names.switches[one], names.switches[other])
                for one, other in exchanged_switches(intended, observed)
            ],
        )

    def _check_stopped(self) -> None:
        if self._stopped():
            raise Stopped("it was stopped; every circuit is as it was before")

    def _wait(self) -> None:
        """Give neighbours the time to announce themselves."""
        until = monotonic() + self._settle
        while (left := until - monotonic()) > 0:
            self._check_stopped()
            sleep(min(left, 0.1))

    def _clear(self, switches: Mapping[str, SwitchState]) -> None:
        """Take away every circuit there is, to be put back."""
        there = {name: _all_circuits(state) for name, state in switches.items()}
        self._removed = frozenset(_as_circuits(there))
        self._note({})
        changes = {name: Change(delete=pairs) for name, pairs in there.items() if pairs}
        for applied in self._fabric.apply(changes).all().values():
            if not applied.is_done:
                raise NoAnswer(
                    f"circuit {'-'.join(applied.bad[0].pair)} cannot be taken away "
                    f"({applied.bad[0].outcome})",
                    where=applied.switch,
                    remedy="Look at the switch, or leave circuits alone with --in-service",
                )

    def _set(self, names: Names, circuits: Circuits, hearing: Hearing) -> Circuits | None:
        """Set the circuits of a round in place of the last one's; those that were not made."""
        wanted: dict[str, set[Pair]] = {name: set() for name in self._ours}
        for switch, a, b in circuits.named(names):
            wanted.setdefault(switch, set()).add((a, b))
        nothing: frozenset[Pair] = frozenset()
        # All of a round is asked for: what may be there of an earlier one need not be.
        changes = {
            name: Change(delete=self._ours.get(name, nothing) - pairs, add=frozenset(pairs))
            for name, pairs in wanted.items()
        }
        self._ours = {name: self._ours.get(name, nothing) | pairs for name, pairs in wanted.items()}
        self._note(self._ours)
        answers = self._fabric.apply({name: change for name, change in changes.items() if change})
        failed: list[Circuit] = []
        for name, error in answers.missing.items():
            self._unanswered[name] = error
            failed += [Circuit(name, *pair) for pair in wanted[name]]
        for name, applied in answers.given.items():
            for report in applied.bad:
                self._not_made[f"{name}: {report.why or report.outcome}"] += 1
                if report.wanted:
                    failed.append(Circuit(name, *report.pair))
            if applied.state:
                hearing.note_losses(name, applied.state)
                # Of ours is only what was read back; where nothing was, all that may be there.
                self._ours[name] &= _all_circuits(applied.state)
        return _columns(names, failed) if failed else None

    def _note(self, ours: Mapping[str, Iterable[Pair]]) -> None:
        self._journal.write(Noted(self._pod, self._removed, frozenset(_as_circuits(ours))))


def _ports(names: Names, observed: Observed) -> dict[str, list[Port]]:
    """Ports of switches in which nobody is, or that could not be looked at."""
    first = names.layout.cube_ports
    return {
        heard.name.lower(): [
            names.port(first + port) for port in np.flatnonzero(observed.heard == heard).tolist()
        ]
        for heard in (Heard.DARK, Heard.UNTOUCHED, Heard.UNTOLD)
    }


def _all_circuits(state: SwitchState) -> frozenset[Pair]:
    """Configured, or carried all the same."""
    return state.configured | frozenset(state.carried)


def _as_circuits(pairs: Mapping[str, Iterable[Pair]]) -> list[Circuit]:
    return [Circuit(switch, a, b) for switch, some in pairs.items() for a, b in some]


def _columns(names: Names, circuits: Sequence[Circuit]) -> Circuits:
    """Circuits as columns; what is odd about a switch's own circuits is not for us to refuse."""
    switches = [circuit.switch for circuit in circuits]
    a, b = (names.find(switches, [getattr(c, side) for c in circuits]) for side in "ab")
    known = (a >= 0) & (b >= 0)
    return circuits_of(names.layout, a[known], b[known])


def _usable(names: Names, switches: Mapping[str, SwitchState]) -> Mask:
    """Switch ports that work and are not blocked."""
    works = {PortStatus.BLOCKED, PortStatus.TUNING, PortStatus.TUNED, PortStatus.UNKNOWN}
    usable = np.zeros(len(names.layout.mate), np.bool_)
    for name, state in switches.items():
        good = [p for p, s in state.ports.items() if s.status in works and not s.force_blocked]
        found = names.find([name] * len(good), good)
        usable[found[found >= 0]] = True
    return usable
