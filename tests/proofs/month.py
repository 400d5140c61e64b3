"""A month in the life of an Ironwood pod: faults come, audits find them, technicians mend them.

    .venv/bin/python -m tests.proofs.month --seeds 1 2 3

    every ten minutes   faults come; technicians arrive; slices end and begin
    every hour          an audit of light and circuits
    every night         an audit of everything

Nothing mends itself. What a finding says is all that a technician knows, and what one does goes
wrong now and then. When the days are over no fault comes any more: slices of the whole pod use
every port, twice in other orders, until everything that shows is mended.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from statistics import median

import numpy as np

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.circuits.circuits import Circuits, joined
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.pictures import Wanted
from fabric_twin.core.discovery.rounds import joined_ports, ports_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape, parse_shape
from fabric_twin.core.slices.slice import Slice, slice_circuits
from fabric_twin.services.slices.allocate import Allocation, allocate_within
from fabric_twin.simulator.faults.book import PASSING
from fabric_twin.simulator.faults.rates import Chance, published
from fabric_twin.simulator.technician import Technician
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import CubeState, SwitchState
from tests.diagnosis.bench import ELSEWHERE, LIMITS, Bench

from .ledger import Entry, Ledger
from .truth import BY_LIGHT, BY_NIGHT, Life, life_of, speaks_of

HOUR, DAY, TICK = 3600.0, 86400.0, 600.0
#: 64 cubes with free slots between them: a technician can take the port beside.
SLOTS = tuple(slot for slot in range(1, 97) if slot % 3)
#: What people do wrong in a pod of this size, a day [A]: beyond what is published.
MISTAKES = {"swapped": 0.2, "misplugged": 0.2, "wrong-serial": 0.1, "wrong-transceiver": 0.1}
#: How often a technician's step goes wrong, and hours until one comes, in the mean [A].
ERRORS, COMES = 0.1, 6.0
#: What is asked for, how often of ten, and days that it runs, in the mean [A].
SHAPES = {"2x2x1": 2, "4x4x4": 3, "4x4x8": 2, "8x8x8": 2, "8x8x16": 1}
RUNS = 2.5
#: Of an hourly audit, as the product has it.
NOT_LIGHT = frozenset({"wrong-serial", "wrong-part"})
#: Orders in which a slice of the whole pod takes its cubes, when the days are over.
LAST_SLICES = 3


@dataclass(eq=False)
class Month:
    """A pod, its findings, and what only the simulator knows of them."""

    seed: int
    days: int = 30
    times: float = 1.0
    errors: float = ERRORS
    slots: Sequence[int] = SLOTS
    ledger: Ledger = field(default_factory=Ledger)
    lives: dict[int, Life] = field(default_factory=dict)
    #: Findings with no fault behind them, and those beside another of the same fault.
    false: dict[str, str] = field(default_factory=dict)
    doubled: dict[str, str] = field(default_factory=dict)
    #: Remedies that were done as they say, and mended nothing.
    in_vain: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Build the pod, and let faults come."""
        self.bench = Bench.build("ironwood", tuple(self.slots), ring=False, seed=self.seed)
        self._random = np.random.default_rng([self.seed, 7])
        pod = self.bench.pod
        rates = {kind: rate * self.times for kind, rate in published(pod).items()}
        for kind, rate in MISTAKES.items():
            rates[kind] = rates.get(kind, 0.0) + rate * self.times * len(self.slots) / 64
        self.chance = Chance(self.bench.book, rates, self.seed, mends=False, until=self.days * DAY)
        self.technician = Technician(self.bench.book, self.errors, self.seed)
        self._empty()
        self._ends: dict[str, float] = {}
        self._seen: tuple[object, Answers[SwitchState], Answers[CubeState]] | None = None

    @property
    def failures(self) -> list[str]:
        """What should not have been; empty if all went as it must."""
        told = [f"false finding: {text}" for text in self.false.values()]
        told += [f"two findings of one fault: {text}" for text in self.doubled.values()]
        told += [f"remedy in vain: {text}" for text in self.in_vain]
        told += [f"never closed: {entry.finding.cause}" for entry in self.ledger.open]
        for life in self.lives.values():
            fault = life.fault.as_json()
            if life.found is None and not weak(life) and not passed(life):
                told.append(f"missed: {fault}")
            if life.botched is not None and life.gone is None:
                told.append(f"a technician's mistake that nobody found: {fault}")
        return told

    # Slices

    def _empty(self) -> None:
        intended = self.bench.intended
        self._use = Occupancy(intended.design, self.slots, mate=intended.mate)
        self._made: dict[str, Circuits] = {}

    def _change_slices(self) -> None:
        """End what is over, and fill what is free."""
        now, before = self.bench.clock.now(), set(self._made)
        for name in [name for name, end in self._ends.items() if end <= now]:
            del self._ends[name]
            self._use.release(name)
            del self._made[name]
        for _ in range(8):
            kinds, weights = list(SHAPES), np.array(list(SHAPES.values())) / 10
            text = str(self._random.choice(kinds, p=weights))
            made = self._allocate(parse_shape(text, self.bench.intended.design))
            if made is not None:
                lasts = float(self._random.exponential(RUNS * DAY))
                self._ends[made.made.name] = now + lasts
        if before != set(self._made):
            self._want()

    def _allocate(self, shape: Shape) -> Allocation | None:
        name = f"job-{self.counts['slices'] + 1}"
        try:
            made = allocate_within(self._use, self.bench.intended, shape, name)
        except NotPossible:
            return None
        self.counts["slices"] += 1
        self._made[name] = made.circuits
        return made

    def _want(self) -> None:
        """Make the circuits of all slices, as a ticket does."""
        owners = list(self._made)
        circuits = joined(list(self._made.values())) if owners else Circuits.none()
        sizes = [len(self._made[name]) for name in owners]
        owner = np.repeat(np.arange(len(owners), dtype=np.int32), sizes)
        on = {slot: [m.name for m in self._use.on(slot)] for slot in self.slots}
        self.bench.want(circuits, apply=False)
        self.bench.wanted = Wanted(circuits, owner, owners, np.ones(len(owner), np.bool_), on)
        self.bench.apply(circuits)
        a, b = ports_of(self.bench.intended.names.layout, circuits)
        self._met = joined_ports(self.bench.intended.names.layout, a, b)
        self.counts["changes of circuits"] += 1

    # Time

    def run(self) -> "Month":
        """Live through the days, and through the time until all is quiet."""
        last = int(self.days * DAY / TICK)
        for tick in range(last):
            self._tick(tick)
            if tick % 36 == 0:
                self._change_slices()
        for number in range(LAST_SLICES):
            self._one_slice(number)
            tick = self._quiet(last, 240)
            last = tick
        return self

    def _quiet(self, tick: int, most: int) -> int:
        """Let time pass until a whole audit finds nothing that is not known, and all is mended."""
        end = tick + 6 * most
        night = tick + 12
        while tick < end:
            self._tick(tick, whole=tick % 36 == 0)
            tick += 1
            if tick > night and not self.ledger.open:
                break
        self.audit(whole=True)
        return tick

    def _one_slice(self, number: int) -> None:
        """One slice of all cubes, in another order each time."""
        self._empty()
        self._ends.clear()
        order = np.random.default_rng([number, 8]).permutation(self.slots).tolist()
        sides = {64: (16, 16, 16), 16: (8, 8, 16), 8: (8, 8, 8)}[len(self.slots)]
        made = Slice(f"whole-{number + 1}", Shape(sides), tuple(order))
        self._use.add(made)
        intended = self.bench.intended
        self._made[made.name] = slice_circuits(intended.design, made, intended.mate)
        self._want()

    def _tick(self, tick: int, *, whole: bool = False) -> None:
        clock = self.bench.clock
        clock.step(max(0.0, tick * TICK - clock.now()))
        self.bench.pod.advance()
        self._follow()
        for entry in [entry for entry in self.ledger.open if entry.due <= clock.now()]:
            self._visit(entry)
        if tick % 6 == 0:
            self.audit(whole=whole or tick % 144 == 0)

    # Audits

    def audit(self, *, whole: bool) -> Diagnosis:
        """Look at everything, or at light; enter what is found, and hold it against the truth."""
        left_out = frozenset() if whole else NOT_LIGHT
        diagnosis = self.bench.diagnose_read(*self._read(anew=whole))
        now = self.bench.clock.now()
        self.counts["whole audits" if whole else "light audits"] += 1
        shown = [finding for finding in diagnosis.findings if finding.code not in left_out]
        self._follow()
        self._compare(shown, now)
        for life in self.lives.values():
            if life.gone is None and self._is_in_sight(life, whole):
                life.in_sight = now if life.in_sight is None else life.in_sight
        for entry in self.ledger.enter(shown, now, left_out):
            entry.due = now + float(self._random.exponential(COMES * HOUR))
        for entry in self.ledger.open:
            if entry.due == inf and entry.seen == now:
                entry.due = now + float(self._random.exponential(COMES * HOUR))
        return diagnosis

    def _about(self, finding: Finding) -> list[Life]:
        """The faults there are that a finding speaks of."""
        lives = (life for life in self.lives.values() if life.gone is None)
        return [life for life in lives if speaks_of(self.bench.intended, finding, life)]

    def _compare(self, shown: Sequence[Finding], now: float) -> None:
        """Hold findings against the faults there are: each has one, and each fault one."""
        about: dict[int, list[Finding]] = {}
        for finding in shown:
            lives = self._about(finding)
            if not lives:
                self.false.setdefault(finding.id, f"{finding.code}: {finding.cause}")
            for life in lives:
                about.setdefault(life.fault.number, []).append(finding)
                life.found = now if life.found is None else life.found
                if life.botched is not None and life.found_again is None:
                    life.found_again = now
        many = Counter(finding.id for findings in about.values() for finding in findings)
        for findings in about.values():
            # Its own: one that also speaks of another fault may be that one's.
            own = [finding for finding in findings if many[finding.id] == 1]
            if len(own) > 1:
                ids = " ".join(sorted(finding.id for finding in own))
                self.doubled.setdefault(ids, " | ".join(finding.cause for finding in own))

    def _read(self, *, anew: bool) -> tuple[Answers[SwitchState], Answers[CubeState]]:
        """What devices say. By day those that nothing happened to say the same, a little later."""
        bench, pod = self.bench, self.bench.pod
        key = pod.plant.version, pod.mirrors.version, pod.parts.version, len(self.lives)
        if anew or self._seen is None or self._seen[0] != key:
            self._seen = key, bench.switches(), bench.cubes()
            self.counts["readings"] += 1
        _, switches, cubes = self._seen
        now = bench.now
        switches_now = {name: replace(told, told_at=now) for name, told in switches.given.items()}
        cubes_now = {name: replace(told, told_at=now) for name, told in cubes.given.items()}
        return Answers(switches_now, switches.missing), Answers(cubes_now, cubes.missing)

    def _follow(self) -> None:
        """Follow faults that are new, and note which are gone."""
        there, now = self.bench.book.there, self.bench.clock.now()
        for number, fault in there.items():
            if number not in self.lives:
                self.lives[number] = life_of(self.bench.pod, self.bench.intended, fault)
        for number, life in self.lives.items():
            if life.gone is None and number not in there:
                life.gone = now

    def _is_in_sight(self, life: Life, whole: bool) -> bool:
        """Whether an audit can see a fault: where it shows by light, light should pass there."""
        pod, wish = self.bench.pod, life.fault.wish
        layout = self.bench.intended.names.layout
        if life.kind in BY_LIGHT or life.kind == "stuck-mirror":
            return any(self._should_pass(strand) for strand in life.strands)
        if life.kind in BY_NIGHT or life.kind == "dying-transceiver":
            port = pod.points.find_port(str(wish["device"]), str(wish["port"]))
            return bool(pod.parts.running[port]) and (whole or life.kind not in BY_NIGHT)
        if life.kind in ("tray-down", "copper-down"):
            cube = str(wish["device"])[: len("p1-c001")]
            slot, each = pod.cubes[cube].start, layout.cube.trays
            trays = pod.parts.trays[(slot - 1) * each : slot * each]
            return pod.has_power(cube) and (life.kind == "tray-down" or trays.all())
        return life.kind in ("cube-down", "switch-down", "switch-rebooting") or pod.answering(
            pod.points.switch_numbers[str(wish["device"])]
        )

    def _should_pass(self, strand: int) -> bool:
        """Whether a circuit joins a port, and everything on the way runs."""
        pod, mate = self.bench.pod, self.bench.intended.mate
        home = int(mate[strand])
        far = int(self._met[home]) if home >= 0 else -1
        if far < 0 or mate[far] < 0:
            return False
        if not (pod.parts.running[strand] and pod.parts.running[mate[far]]):
            return False
        first = self.bench.intended.names.layout.cube_ports
        ends = [divmod(port - first, pod.points.per_switch) for port in (home, far)]
        return all(bool(pod.mirrors.driven[switch, place]) for switch, place in ends)

    # Hands

    def _visit(self, entry: Entry) -> None:
        """A technician does what the finding says, or believes so."""
        slips = self.technician.slips
        about = self._about(entry.finding)
        steps = list(entry.finding.remedy)
        hands = [step.as_json() for step in steps if step.do not in ELSEWHERE]
        told = self.technician.carry_out(hands)
        self.refused += [f"{hands[t['step'] - 1]}: {t['why']}" for t in told if not t["done"]]
        for step in steps:
            if step.do == "correct-record":
                self._correct(step.as_json())
        if any(step.do in ("connect", "disconnect") for step in steps):
            self.bench.apply(self.bench.wanted.circuits)
        entry.visits += 1
        entry.due = inf
        self.counts["visits"] += 1
        self._follow()
        wrong = self.technician.slips - slips
        self.counts["steps gone wrong"] += wrong
        left = [life for life in about if life.gone is None]
        for life in left:
            if wrong:
                life.botched, life.found_again = self.bench.clock.now(), None
        if left and len(left) == len(about) and not wrong:
            finding = entry.finding
            self.in_vain.append(f"{finding.code}: {finding.cause} -> {left[0].fault.as_json()}")

    def _correct(self, step: dict[str, str]) -> None:
        """Write into the record what is there: then it is no fault any more."""
        self.bench.correct(step)
        book = self.bench.book
        for number, fault in list(book.there.items()):
            if fault.kind.name == "wrong-serial":
                port = book.pod.points.find_port(str(fault.wish["device"]), str(fault.wish["port"]))
                if book.pod.parts.serials[port] == self.bench.serials[port]:
                    del book.there[number]


def weak(life: Life) -> bool:
    """Whether a fault is under every limit, so that nothing is to be found."""
    wish = life.fault.wish
    if life.kind == "dirty":
        return float(wish["loss_db"]) < LIMITS.cables_rise and (
            float(wish["reflection_db"]) < LIMITS.reflection
        )
    return life.kind == "lossy-mirror" and float(wish["loss_db"]) < LIMITS.switch_rise


def passed(life: Life) -> bool:
    """Whether a fault went by itself before any audit."""
    return life.kind in PASSING and life.gone is not None


def rows(month: Month) -> Iterator[tuple[str, int, int, str, str, int, int]]:
    """By kind: how many came, waited for a circuit and were found; hours; too weak; missed."""
    kinds = Counter(life.kind for life in month.lives.values())
    for kind, came in kinds.most_common():
        lives = [life for life in month.lives.values() if life.kind == kind]
        hours = [
            (life.found - life.in_sight) / HOUR
            for life in lives
            if life.found is not None and life.in_sight is not None
        ]
        since = [(life.found - life.fault.since) / HOUR for life in lives if life.found is not None]
        said = f"{median(since):.1f}" if since else "", f"{max(since):.1f}" if since else ""
        yield kind, came, len(since), *said, sum(hour > 0 for hour in hours), came - len(since)


def main() -> int:
    """Live through a month for each seed, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--times", type=float, default=1.0, help="the published rates, so often")
    parser.add_argument("--errors", type=float, default=ERRORS)
    given, failures = parser.parse_args(), 0
    for seed in given.seeds:
        began = time.process_time()
        month = Month(seed, given.days, given.times, given.errors).run()
        print(f"seed {seed}: {time.process_time() - began:.0f} s of CPU")
        for what, many in [*month.counts.items(), ("findings", len(month.ledger.entries))]:
            print(f"  {many:6} {what}")
        print("  kind                 came found median   max  late  not found (hours)")
        for kind, came, found, middle, most, late, left in rows(month):
            print(f"  {kind:20} {came:4} {found:5} {middle:>6} {most:>5} {late:5} {left:10}")
        for failure in month.failures:
            print(f"  {failure}")
        failures += len(month.failures)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
