"""Discover which fibre is in which port, by light, and leave every circuit as it was.

journal   what will be set and removed, on disk before any switch is told
round     ours of the last round go, those of the next come; nobody else's are touched
read      whom every cube port hears
restore   ours go, what was removed comes back: whatever happened in between
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic, sleep

import numpy as np

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.discovery import MOST_ROUNDS, Discovery, Heard, Observed, check_has_switches
from fabric_twin.core.discovery.cables import Port, observed_cables
from fabric_twin.core.discovery.exchanged import exchanged_switches
from fabric_twin.core.discovery.report import Report
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.errors import FabricTwinError, NoAnswer, NotPossible
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Column
from fabric_twin.inventory.journal import Journal
from fabric_twin.services.discovery.neighbours import Hearing
from fabric_twin.services.discovery.restore import restore_noted
from fabric_twin.services.discovery.temporary_circuits import (
    OwnCircuits,
    as_circuits,
    columns,
)
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import PortStatus, SwitchState

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


@dataclass(eq=False)
class _Run:
    """One discovery, from the first reading to the last."""

    pod: str
    fabric: Fabric
    journal: Journal
    settle: float
    stopped: Callable[[], bool]
    progress: Progress
    unanswered: dict[str, FabricTwinError] = field(default_factory=dict)

    def go(
        self,
        design: Design,
        slots: Iterable[int] | None,
        substitutions: Iterable[Substitution],
        interrupt: bool,
        most_rounds: int,
    ) -> Report:
        switches = self._read_switches()
        cubes = self.fabric.read_cubes()
        if not cubes.given:
            cubes.all()
        answering = [int(name.rpartition("-c")[2]) for name in cubes.given]
        if slots is not None:
            self.unanswered.update(cubes.missing)
        whole = intended_plant(
            design, self.pod, answering if slots is None else slots, substitutions
        )
        intended = by_strand(whole)
        names = intended.names
        hearing = Hearing(names)
        before = hearing.listen(cubes.given)
        there = {} if interrupt else {s: state.circuits for s, state in switches.items()}
        in_use = columns(names, as_circuits(there))
        usable, shining = _usable(names, switches), hearing.shining(cubes.given)
        steady, taken = None if interrupt else before, 0
        own = OwnCircuits(names, self.fabric, self.journal)
        try:
            if interrupt:
                own.clear(switches)
            while True:
                discovery = Discovery(
                    intended,
                    usable=usable & ~_of_switches(names, own.lost),
                    shining=shining,
                    before=steady,
                    in_use=in_use,
                    most_rounds=most_rounds - taken,
                )
                if self._rounds(own, discovery, hearing):
                    break
                # Circuits of ours that are left on a switch out of reach count as in use.
                taken += discovery.rounds + 1
                steady = self._begin_anew(own, hearing)
            self._check_stopped()
        finally:
            restore_noted(self.pod, self.fabric, self.journal)
        observed = replace(discovery.observed(), rounds=taken + discovery.rounds)
        return self._report(intended, observed, hearing, own, len(in_use))

    def _rounds(self, own: OwnCircuits, discovery: Discovery, hearing: Hearing) -> bool:
        """Round after round until nothing is left to learn; whether no switch was lost."""
        while (circuits := discovery.next_round()) is not None:
            self._check_stopped()
            lost = len(own.lost)
            done = own.set(circuits)
            if len(own.lost) > lost:
                return False
            for name, applied in done.items():
                hearing.note_losses(name, applied.state)
            self._wait()
            read = self.fabric.read_cubes
            if discovery.rounds >= MEASURED:
                read = self.fabric.read_neighbours
            discovery.take(hearing.listen(read().given), *own.differing(done))
            self.progress(f"round {discovery.rounds}, ports found", discovery.found)
        return True

    def _begin_anew(self, own: OwnCircuits, hearing: Hearing) -> Column:
        """Take away what can be taken away of ours; whom each cube port hears all the same."""
        lost = -1
        while len(own.lost) > lost:
            self._check_stopped()
            lost = len(own.lost)
            own.set(Circuits.none())
        if not self.fabric.switches.keys() - own.lost.keys() - self.unanswered.keys():
            raise NoAnswer(
                "no switch answers any more",
                where=f"pod {self.pod}",
                remedy="See whether they run, and discover again",
            )
        self._wait()
        hearing.begin_anew()
        return hearing.listen(self.fabric.read_neighbours().given)

    def _read_switches(self) -> Mapping[str, SwitchState]:
        answers = self.fabric.read_switches()
        if not answers.given:
            answers.all()
        self.unanswered.update(answers.missing)
        return answers.given

    def _report(
        self,
        intended: Intended,
        observed: Observed,
        hearing: Hearing,
        own: OwnCircuits,
        in_use: int,
    ) -> Report:
        names = intended.names
        cables = list(observed_cables(intended, observed, hearing.strangers(observed.strangers)))
        return Report(
            pod=self.pod,
            design=intended.design.name,
            rounds=observed.rounds,
            cables=cables,
            levels=[hearing.level(cable.of, observed.end) for cable in cables],
            ports=_ports(names, observed),
            in_use=in_use,
            not_made=own.not_made,
            unanswered={name: error.what for name, error in (self.unanswered | own.lost).items()},
            exchanged=[
                (names.switches[one], names.switches[other])
                for one, other in exchanged_switches(intended, observed)
            ],
        )

    def _check_stopped(self) -> None:
        if self.stopped():
            raise Stopped("it was stopped; every circuit is as it was before")

    def _wait(self) -> None:
        """Give neighbours the time to announce themselves."""
        until = monotonic() + self.settle
        while (left := until - monotonic()) > 0:
            self._check_stopped()
            sleep(min(left, 0.1))


def _ports(names: Names, observed: Observed) -> dict[str, list[Port]]:
    """Ports of switches in which nobody is, or that could not be looked at."""
    first = names.layout.cube_ports
    return {
        heard.name.lower(): [
            names.port(first + port) for port in np.flatnonzero(observed.heard == heard).tolist()
        ]
        for heard in (Heard.DARK, Heard.UNTOUCHED, Heard.UNTOLD)
    }


def _of_switches(names: Names, switches: Iterable[str]) -> Mask:
    """All ports of some switches."""
    layout = names.layout
    ports = np.zeros(len(layout.mate), np.bool_)
    for number in map(names.switches.index, switches):
        first = layout.cube_ports + number * layout.ports_per_switch
        ports[first : first + layout.ports_per_switch] = True
    return ports


def _usable(names: Names, switches: Mapping[str, SwitchState]) -> Mask:
    """Switch ports that work and are not blocked."""
    works = {PortStatus.BLOCKED, PortStatus.TUNING, PortStatus.TUNED, PortStatus.UNKNOWN}
    usable = np.zeros(len(names.layout.mate), np.bool_)
    for name, state in switches.items():
        good = [p for p, s in state.ports.items() if s.status in works and not s.force_blocked]
        found = names.find([name] * len(good), good)
        usable[found[found >= 0]] = True
    return usable
