"""A pod of 4 cubes grows to 144 by work orders, while slices run on it.

    .venv/bin/python -m tests.proofs.growth --seeds 1

Each order brings 8 cubes, by crews whose hands slip. When a bundle is finished light is asked, and
what it refuses is made again there and then: first where the crew stands, then at the other end.
As soon as cubes are qualified slices run on them, and nobody may touch these any more.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.circuits import Circuits, joined
from fabric_twin.core.diagnosis.pictures import Wanted
from fabric_twin.core.discovery import Discovery
from fabric_twin.core.discovery.rounds import ports_of
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.orders.checking import Look, Verdict, ends_of, look_at
from fabric_twin.core.orders.floor import default_floor
from fabric_twin.core.orders.life import SETTLED, Act, OrderIs
from fabric_twin.core.orders.measure import Measure, measure
from fabric_twin.core.orders.order import Bundle, WorkOrder
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.port_lock import PortSeen
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import Do, End, Step
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.points import NOWHERE
from tests.diagnosis.bench import LIMITS, Bench

from .crew import Crew

#: Cubes that stand idle all the time: bundles are held against them.
IDLE = (3, 4)
#: Two slices run before anything is done, and one more on every two cubes that are qualified.
SHAPE = "4x4x8"
#: A bundle that is still wrong then is no slip of hands.
TRIES = 12


@dataclass(eq=False)
class Growth:
    """A pod that grows, and what only the simulator knows of it."""

    seed: int = 1
    last: int = 144
    by: int = 8
    first: int = 4
    errors: float = 0.02
    crews: int = 2
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Build the pod, and let only its first cubes stand."""
        slots = range(1, self.last + 1)
        self.bench = Bench.build("ironwood", slots, ring=False, seed=self.seed)
        self.pod, self.intended = self.bench.pod, self.bench.intended
        self.layout, self.names = self.intended.names.layout, self.intended.names
        plant = self.pod.plant
        late = self.layout.slot[self.intended.a] > self.first
        plant.a[late] = plant.b[late] = NOWHERE
        plant.changed()
        self.floor = default_floor(self.names)
        self.crew = Crew(self.pod, self.errors, np.random.default_rng([self.seed, 8]))
        self._use = Occupancy(self.intended.design, (1, 2), mate=self.intended.mate)
        self._qualified = {1, 2}
        self._slices: list[Circuits] = []
        self._running = Circuits.none()
        self._reports = 0
        self._allocate()
        self.pod.listeners.append(self._watch)

    def run(self) -> "Growth":
        """Grow by order after order, and look at everything in the end."""
        have = self.first
        while have < self.last:
            new = range(have + 1, min(have + self.by, self.last) + 1)
            self._grow(have, new)
            have = new[-1]
        self._audit()
        return self

    # One order

    def _grow(self, have: int, new: range) -> None:
        design = self.intended.design
        before = intended_plant(design, self.names.pod, range(1, have + 1))
        after = intended_plant(design, self.names.pod, range(1, new[-1] + 1))
        order = install(
            after,
            new,
            self.floor,
            plugged=Plugs.recorded(
                Recorded(self.names.cables(before.a), before.a, before.b), self.names
            ),
            in_circuits=frozenset(self._in_circuits()),
            crews=self.crews,
        )
        self.measures.append(measure(order))
        progress = Progress.of(order).after(Act.ASSIGN, "crew").after(Act.START)
        for visit in order.visits():
            self.counts["rack visits"] += 1
            for step in visit:
                if step.do == Do.CHECK:
                    progress = self._checked(progress, order.by_bundle[step.bundle])
                else:
                    progress = self._done(progress, step)
        progress = progress.after(Act.FINISH).after(Act.CLOSE)
        self.counts["orders"] += 1
        assert progress.state == OrderIs.DONE
        assert progress.qualified() == tuple(new)
        for plug, slip in self.crew.wrong.items():
            self.failures.append(f"a slip that no check found: {plug} {slip}")
        self.crew.wrong.clear()
        self._qualified.update(progress.qualified())
        grown = Occupancy(self.intended.design, self._qualified, mate=self.intended.mate)
        for made in self._use.slices.values():
            grown.add(made)
        self._use = grown
        self._allocate()

    def _done(self, progress: Progress, step: Step) -> Progress:
        """Read the port, do the step, and say so; what is locked is not done."""
        if step.do in (Do.BLOCK, Do.RELEASE):
            self._force(step.at, blocked=step.do == Do.BLOCK)
            return progress.did(step)
        if step.guarded:
            progress, why = progress.read(step.number, self._seen(step.at))
            if why:
                self.failures.append(f"locked for no reason: {step}: {why}")
        self.crew.do(step)
        self._reports += 1
        report = Report(
            id=f"{step.number}-{self._reports}",
            step=step.number,
            told=Told.DONE,
            scanned=step.cable if step.do == Do.SCAN else "",
        )
        progress, answer = progress.take(report)
        assert answer.taken, answer.why
        return progress

    def _checked(self, progress: Progress, bundle: Bundle) -> Progress:
        """Ask light, and make again what it refuses, until it agrees."""
        order, slips = progress.order, self._slips(bundle)
        near = next(s.rack for s in order.steps if s.bundle == bundle.name)
        verdict = self._look(order, bundle)
        self._hold_against(bundle, verdict, slips)
        where, tries = bundle.rack, 0
        while not verdict.agrees:
            tries += 1
            assert tries < TRIES, verdict
            progress = progress.light(bundle.name, agrees=False, wrong=verdict.ports(order, where))
            self.counts["made again at the switch" if where == bundle.rack else "at the cube"] += (
                len(verdict.wrong) + len(verdict.weak)
            )
            for step in self._again(progress, bundle, where):
                progress = self._done(progress, step)
            verdict = self._look(order, bundle)
            if not verdict.agrees:
                where = near if where == bundle.rack else bundle.rack
                self.counts["walks back within the visit"] += 1
        self.counts["bundles"] += 1
        self.counts["bundles made again"] += tries > 0
        self.counts["slips found when their bundle was checked"] += len(slips)
        left = self._slips(bundle)
        self.failures += [f"still there after its check: {slip}" for slip in left]
        return progress.light(bundle.name, agrees=True)

    def _again(self, progress: Progress, bundle: Bundle, rack: str) -> Iterator[Step]:
        for step in progress.order.steps:
            open_ = progress.steps[step.number - 1] not in SETTLED
            if step.bundle == bundle.name and step.rack == rack and open_ and step.do != Do.CHECK:
                yield step

    def _slips(self, bundle: Bundle) -> dict[tuple[str, str], str]:
        cables = set(bundle.cables)
        return {plug: slip for plug, slip in self.crew.wrong.items() if plug[0] in cables}

    def _hold_against(
        self, bundle: Bundle, verdict: Verdict, slips: dict[tuple[str, str], str]
    ) -> None:
        """Every slip is seen, and what is seen is a slip."""
        seen, hidden = {*verdict.wrong, *verdict.weak}, {cable for cable, _ in slips}
        hanging = {
            name
            for name in bundle.cables
            if NOWHERE in (self._end("a", name), self._end("b", name))
        }
        for cable in hidden - seen:
            self.failures.append(f"not seen: {cable} {[s for p, s in slips.items()]}")
        for cable in seen - hidden - hanging:
            self.failures.append(f"seen, and nothing is wrong: {cable}")

    def _end(self, end: str, cable: str) -> int:
        plant = self.pod.plant
        return int((plant.a if end == "a" else plant.b)[self.crew._number[cable]])

    # Light and circuits

    def _look(self, order: WorkOrder, bundle: Bundle) -> Verdict:
        """Join the bundle to idle cubes for a moment, and read whom they hear."""
        ends = ends_of(self.intended, order, bundle)
        seen = look_at(self.intended, bundle, *ends, idle=IDLE, in_use=self._running)
        self._commit(seen.circuits, add=True)
        light = self.pod.light()
        claims = np.where(light.heard, light.far, NO_PORT).astype(np.int32)
        weak = self._weak(bundle, seen)
        self._commit(seen.circuits, add=False)
        self.counts["looks at light"] += 1
        return seen.verdict(claims, weak)

    def _weak(self, bundle: Bundle, seen: Look) -> set[str]:
        light = self.pod.light()
        near = seen.near.tolist()
        poor = (light.reflection > LIMITS.reflection) | (light.up & (light.ber > LIMITS.ber))
        return {cable for cable, port in zip(bundle.cables, near, strict=True) if poor[port]}

    def _commit(self, circuits: Circuits, *, add: bool) -> None:
        for switch in np.unique(circuits.switch).tolist():
            mine = circuits.switch == switch
            draft = Draft.of(self.pod.mirrors, switch)
            for a, b in zip(circuits.a[mine].tolist(), circuits.b[mine].tolist(), strict=True):
                if add:
                    draft.add(f"{a}A-{b}B", f"{a}A", f"{b}B")
                else:
                    draft.delete(f"{a}A-{b}B")
            self.pod.commit(switch, draft)
        self.bench.clock.step(0.1)
        self.pod.advance()

    def _force(self, port: End, *, blocked: bool) -> None:
        switch = self.pod.points.switch_numbers[port[0]]
        draft = Draft.of(self.pod.mirrors, switch)
        for _, name in simplex(port):
            draft.force(name, blocked)
        self.pod.commit(switch, draft)

    def _seen(self, port: End) -> dict[End, PortSeen]:
        """What a switch shows of a port."""
        mirrors, seen = self.pod.mirrors, {}
        switch = self.pod.points.switch_numbers[port[0]]
        for one in simplex(port):
            at = self.pod.points.simplex_numbers[one[1]]
            joined_to = mirrors.configured[switch]
            a_side = at < mirrors.radix
            used = joined_to[at] != NOWHERE if a_side else (joined_to == at - mirrors.radix).any()
            seen[one] = PortSeen(bool(mirrors.blocked[switch, at]), bool(used))
        return seen

    # Slices

    def _allocate(self) -> None:
        """Let slices run on all cubes that are free."""
        design = self.intended.design
        shape = parse_shape(SHAPE, design)
        while (made := self._use.place(shape)) is not None:
            name = f"job-{len(self._slices) + 1}"
            made = self._use.allocate(name, shape)
            self._slices.append(slice_circuits(design, made, self.intended.mate))
            self._commit(self._slices[-1], add=True)
        self._running = joined(self._slices)
        self._should = ports_of(self.layout, self._running)
        self.counts["slices"] = len(self._slices)

    def _in_circuits(self) -> set[End]:
        return {
            end
            for switch, a, b in self._running.named(self.names)
            for end in ((switch, a), (switch, b))
        }

    def _watch(self) -> None:
        """After every change: every circuit of every slice is still there, and carries light."""
        running, mirrors = self._running, self.pod.mirrors
        there = mirrors.configured[running.switch, running.a - 1] == running.b - 1
        stands = mirrors.stands[running.switch, running.a - 1] == running.b - 1 + mirrors.radix
        dark = (
            mirrors.blocked[running.switch, running.a - 1]
            | mirrors.blocked[running.switch, running.b - 1 + mirrors.radix]
        )
        across = self.pod.plant.across
        plugged = (across[self._should[0]] != NOWHERE) & (across[self._should[1]] != NOWHERE)
        self.counts["times that every slice was looked at"] += 1
        if not (there & stands & ~dark & plugged).all():
            self.failures.append("a slice lost a circuit")

    # The end

    def _audit(self) -> None:
        """Look at the whole pod: with its slices running as every night, and then at every port."""
        bench, running = self.bench, self._running
        owner = np.repeat(
            np.arange(len(self._slices), dtype=np.int32), [len(part) for part in self._slices]
        )
        names = [f"job-{n + 1}" for n in range(len(self._slices))]
        bench.want(running, apply=False)
        acked = np.zeros(len(owner), np.bool_)
        on = {slot: [made.name for made in self._use.on(slot)] for slot in self._qualified}
        bench.wanted = Wanted(running, owner, names, acked, on)
        bench.clock.step(60.0)
        for finding in bench.diagnose().findings:
            self.failures.append(f"the last audit: {finding.cause}")
        self._watch()
        self.pod.listeners.remove(self._watch)
        for circuits in self._slices:
            self._commit(circuits, add=False)
        discovery = Discovery(self.intended)
        while (circuits := discovery.next_round()) is not None:
            self._commit(circuits, add=True)
            light = self.pod.light()
            discovery.take(np.where(light.heard, light.far, NO_PORT).astype(np.int32))
            self._commit(circuits, add=False)
        end: Column = discovery.observed().end[self.intended.a]
        seen = Recorded(self.names.cables(self.intended.a), self.intended.a, end)
        report = audit_cabling(self.intended, seen)
        self.counts["cables audited by light in the end"] = report.cables
        self.failures += [f"the last audit: {finding.cause}" for finding in report.findings]


def main() -> int:
    """Grow a pod for each seed, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--last", type=int, default=144)
    parser.add_argument("--errors", type=float, default=0.02, help="of plugs, how many go wrong")
    given, failures = parser.parse_args(), 0
    for seed in given.seeds:
        began = time.process_time()
        growth = Growth(seed, given.last, errors=given.errors).run()
        print(f"seed {seed}: {time.process_time() - began:.0f} s of CPU")
        for what, many in [*growth.counts.items(), *sorted(growth.crew.counts.items())]:
            print(f"  {many:9,} {what}")
        for failure in growth.failures:
            print(f"  {failure}")
        failures += len(growth.failures)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
