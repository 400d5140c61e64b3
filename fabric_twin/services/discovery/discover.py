"""Discover which fibre is in which port, by light, and leave every circuit as it was.

journal   what will be set and removed, on disk before any switch is told
round     ours of the last round go, those of the next come; nobody else's are touched
read      whom every cube port hears
restore   ours go, what was removed comes back: whatever happened in between
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic, sleep

import numpy as np

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand, circuit_ends
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.discovery import MOST_ROUNDS, Discovery, Heard, Observed
from fabric_twin.core.discovery.cables import Port, observed_cables
from fabric_twin.core.discovery.exchanged import exchanged_switches
from fabric_twin.core.discovery.report import Report
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.errors import FabricTwinError, NoAnswer, NotPossible
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names
from fabric_twin.inventory.journal import Journal
from fabric_twin.services.discovery.by_neighbours import discover_by_neighbours
from fabric_twin.services.discovery.neighbours import Hearing
from fabric_twin.services.discovery.restore import Notes, restore_noted
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
#: The plant that should be, by the slots whose cubes answer.
PlantOf = Callable[[Collection[int]], Intended]


class Stopped(NotPossible):
    """Somebody wants it to end; circuits are as they were."""


@dataclass(frozen=True, eq=False)
class LookedAt:
    """What one discovery saw."""

    #: The plant that was looked for, strand by strand.
    intended: Intended
    observed: Observed
    hearing: Hearing
    #: Slots of cubes that answered.
    answered: frozenset[int]
    #: Circuits that were there and were not touched.
    in_use: int
    #: Circuits that switches did not make, by their reason.
    not_made: Mapping[str, int]
    #: Devices that did not answer, and why.
    unanswered: Mapping[str, str]

    @property
    def exchanged(self) -> list[tuple[str, str]]:
        """Pairs of switches that seem to answer to each other's address."""
        names = self.intended.names
        pairs = exchanged_switches(self.intended, self.observed)
        return [(names.switches[one], names.switches[other]) for one, other in pairs]


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

    Without `slots`, slots whose cubes do not answer are taken for empty; those of a cluster are
    not, since its switches say which groups they hear. Nothing is switched in a cluster.
    """

    def plant(answering: Collection[int]) -> Intended:
        return intended_plant(design, pod, answering if slots is None else slots, substitutions)

    if design.medium is Medium.PACKET:
        devices = fabric.read_neighbours()
        if not devices.given:
            devices.all()
        there = intended_plant(design, pod, slots, substitutions)
        return discover_by_neighbours(there, devices, name_all=True)
    if not design.medium.is_switched:
        cubes = fabric.read_cubes()
        if not cubes.given:
            cubes.all()
        there = plant(_slots(cubes.given))
        return discover_by_neighbours(there, cubes, name_all=slots is not None)
    with journal.held():
        restore_noted(pod, fabric, journal)
        run = _Run(pod, fabric, journal, settle, stopped, progress)
        looked = run.go(
            plant, name_all=slots is not None, interrupt=interrupt, most_rounds=most_rounds
        )
    return _report(pod, looked)


def discover_free(
    intended: Intended,
    fabric: Fabric,
    notes: Notes,
    left: Mask,
    *,
    settle: float = 0.0,
    most_rounds: int = MOST_ROUNDS,
    progress: Progress = lambda _what, _done: None,
) -> LookedAt:
    """Look at a pod that is in service, but for the ports that are `left` alone, strand by strand.

    The caller holds the other ports, and takes away what is still there when this ends.
    """
    intended.design.check_can(Verb.TAKE_BACK)
    run = _Run(intended.pod, fabric, notes, settle, lambda: False, progress)
    return run.go(lambda _answering: intended, left=left, most_rounds=most_rounds)


@dataclass(eq=False)
class _Run:
    """One discovery, from the first reading to the last."""

    pod: str
    fabric: Fabric
    journal: Notes
    settle: float
    stopped: Callable[[], bool]
    progress: Progress
    unanswered: dict[str, FabricTwinError] = field(default_factory=dict)

    def go(
        self,
        plant: PlantOf,
        *,
        name_all: bool = True,
        interrupt: bool = False,
        left: Mask | None = None,
        most_rounds: int = MOST_ROUNDS,
    ) -> LookedAt:
        """Look, and leave every circuit as it was; `name_all` names cubes that did not answer."""
        switches = self._read_switches()
        cubes = self.fabric.read_cubes()
        if not cubes.given:
            cubes.all()
        if name_all:
            self.unanswered.update(cubes.missing)
        intended = by_strand(plant(_slots(cubes.given)))
        names = intended.names
        hearing = Hearing(names)
        before = hearing.listen(cubes.given)
        there = {} if interrupt else {s: state.circuits for s, state in switches.items()}
        in_use = columns(names, as_circuits(there))
        usable, shining = _usable(names, switches), hearing.shining(cubes.given)
        if left is not None:
            usable &= ~left
            shining &= ~left[: names.layout.cube_ports]
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
        silent = {name: error.what for name, error in (self.unanswered | own.lost).items()}
        answered = frozenset(hearing.slots_of(cubes.given))
        return LookedAt(intended, observed, hearing, answered, len(in_use), own.not_made, silent)

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

    def _check_stopped(self) -> None:
        if self.stopped():
            raise Stopped("it was stopped; every circuit is as it was before")

    def _wait(self) -> None:
        """Give neighbours the time to announce themselves."""
        until = monotonic() + self.settle
        while (left := until - monotonic()) > 0:
            self._check_stopped()
            sleep(min(left, 0.1))


def _report(pod: str, looked: LookedAt) -> Report:
    intended, observed, hearing = looked.intended, looked.observed, looked.hearing
    cables = list(observed_cables(intended, observed, hearing.strangers(observed.strangers)))
    return Report(
        pod=pod,
        design=intended.design.name,
        rounds=observed.rounds,
        cables=cables,
        levels=[hearing.level(cable.of, observed.end) for cable in cables],
        ports=_ports(intended.names, observed),
        in_use=looked.in_use,
        not_made=looked.not_made,
        unanswered=looked.unanswered,
        exchanged=looked.exchanged,
    )


def _ports(names: Names, observed: Observed) -> dict[str, list[Port]]:
    """Ports of switches in which nobody is, or that could not be looked at."""
    first = names.layout.cube_ports
    return {
        heard.name.lower(): [
            names.port(first + port) for port in np.flatnonzero(observed.heard == heard).tolist()
        ]
        for heard in (Heard.DARK, Heard.UNTOUCHED, Heard.UNTOLD)
    }


def _slots(cubes: Iterable[str]) -> list[int]:
    """The slots that default names of cubes tell; other names tell none, and need not."""
    told = (name.rpartition("-c")[2] for name in cubes)
    return [int(slot) for slot in told if slot.isdigit()]


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
    usable, ends = np.zeros(len(names.layout.mate), np.bool_), circuit_ends(names)
    for name, state in switches.items():
        good = [p for p, s in state.ports.items() if s.status in works and not s.force_blocked]
        usable[[ends[name, port] for port in good if (name, port) in ends]] = True
    return usable
