"""A simulated pod in this process: broken, read the way drivers read, diagnosed, and mended.

Nothing crosses a wire: the simulator's tables and trees go straight to the drivers' readers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.designs import find_design
from fabric_twin.core.diagnosis import Diagnosis, Pictures, diagnose
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline, Inventory, Wanted
from fabric_twin.core.errors import FabricTwinError, NoAnswer
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.rule import Plant
from fabric_twin.dialects.sonic import KVM, Dialect
from fabric_twin.services.audits.observe import observe
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.faults.book import Fault, FaultBook
from fabric_twin.simulator.gnmi.cube_tree import CubeTree
from fabric_twin.simulator.gnmi.switch_tables import SwitchTables
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.technician import Technician
from fabric_twin.switches.cube_answer import cube_answer
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.openconfig_cube import cube_state
from fabric_twin.switches.sonic_rows import state_of, tables
from fabric_twin.switches.states import CubeState, SwitchState


@dataclass(eq=False)
class Bench:
    """A pod, what is recorded of it, and what is wanted."""

    book: FaultBook
    clock: SteppedClock
    intended: Intended
    recorded: Recorded
    serials: list[str]
    parts: list[str]
    switch_serials: list[str]
    wanted: Wanted
    baseline: Baseline
    #: What a diagnosis is given beside: reserved, awaited, limits.
    more: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        design: str = "tpu-v4-cwdm8",
        slots: Sequence[int] = (1, 2, 3, 4),
        *,
        ring: bool = True,
        dialect: Dialect = KVM,
        seed: int = 1,
    ) -> "Bench":
        """A pod whose cubes make one ring along every axis, as one slice has it."""
        clock = SteppedClock()
        kind = find_design(design)
        pod = SimulatedPod.build(kind, "p1", clock, seed=seed, slots=tuple(slots), dialect=dialect)
        bench = cls.of(pod, clock)
        if ring:
            bench.want(ring_of(bench.intended, slots), owner="s1", on=slots)
        return bench

    @classmethod
    def of(cls, pod: SimulatedPod, clock: SteppedClock) -> "Bench":
        """A pod or a network that is recorded as it is, and of which nothing is wanted yet."""
        intended, names = pod.intended, pod.points.names
        recorded = Recorded(names.cables(intended.a), intended.a, intended.b)
        return cls(
            FaultBook(pod),
            clock,
            intended,
            recorded,
            list(pod.parts.serials),
            list(pod.parts.parts),
            [bench_serial(pod, number) for number in range(pod.points.switches)],
            Wanted(Circuits.none(), np.zeros(0, np.int32)),
            Baseline(),
        )

    @property
    def pod(self) -> SimulatedPod:
        """The simulated pod."""
        return self.book.pod

    def want(
        self,
        circuits: Circuits,
        owner: str = "",
        on: Iterable[int] = (),
        *,
        apply: bool = True,
        acknowledged: bool = False,
    ) -> None:
        """Record that these circuits are wanted, and make them."""
        owners = np.full(len(circuits), 0 if owner else -1, np.int32)
        acked = np.full(len(circuits), acknowledged, np.bool_)
        names = [owner] if owner else []
        self.wanted = Wanted(circuits, owners, names, acked, dict.fromkeys(on, names))
        mirrors = self.pod.mirrors
        simplex_b = circuits.b - 1 + mirrors.radix
        loss = mirrors.factory_loss(circuits.switch, circuits.a - 1, simplex_b)
        self.baseline = Baseline(circuits, np.round(loss, 2))
        if apply:
            self.apply(circuits)

    def apply(self, circuits: Circuits) -> None:
        """Make circuits by one transaction a switch, as a ticket does."""
        for switch in range(self.pod.points.switches):
            mine = circuits.switch == switch
            draft = Draft.of(self.pod.mirrors, switch)
            draft.clear()
            for a, b in zip(circuits.a[mine].tolist(), circuits.b[mine].tolist(), strict=True):
                draft.add(f"{a}A-{b}B", f"{a}A", f"{b}B")
            self.pod.commit(switch, draft)
        self.clock.step(1.0)
        self.pod.advance()

    # Reading

    def switches(self) -> Answers[SwitchState]:
        """What every switch says."""
        given, missing = {}, {}
        for name in self.pod.points.names.switches:
            try:
                given[name] = self._switch(name)
            except FabricTwinError as error:
                missing[name] = error
        return Answers(given, missing)

    def _switch(self, name: str) -> SwitchState:
        pod = self.pod
        switch = int(pod.answers[pod.points.switch_numbers[name]])
        if pod.manner(name).silent or not pod.answering(switch):
            raise NoAnswer("it does not answer", where=name, remedy="Look at it")
        tree, dialect = SwitchTables(pod, switch), pod.dialects[switch]

        def read() -> tuple[float, dict[tuple[str, str], Any]]:
            return self.now, {table: tree.rows(*table) for table in tables(dialect)}

        told_at, rows = self._frozen(name, read)
        return state_of(name, rows, dialect, told_at)

    def cubes(self) -> Answers[CubeState]:
        """What every cube says."""
        given, missing = {}, {}
        for name in self.pod.cubes:
            try:
                given[name] = self._cube(name)
            except FabricTwinError as error:
                missing[name] = error
        return Answers(given, missing)

    def _cube(self, name: str) -> CubeState:
        pod = self.pod
        if pod.manner(name).silent or not pod.has_power(name):
            raise NoAnswer("it does not answer", where=name, remedy="Look at it")
        told_at, text = self._frozen(name, lambda: (self.now, CubeTree(pod, name).text(())))
        return cube_state(name, cube_answer([((), text)]), told_at)

    def _frozen(self, name: str, read: Any) -> Any:
        """A stale device says for ever what it said first."""
        if not self.pod.manner(name).stale:
            self.more.get("_frozen", {}).pop(name, None)
            return read()
        return self.more.setdefault("_frozen", {}).setdefault(name, read())

    @property
    def now(self) -> float:
        """What time it is."""
        return self.pod.epoch + self.clock.now()

    # Diagnosing and mending

    def pictures(
        self,
        switches: Answers[SwitchState] | None = None,
        cubes: Answers[CubeState] | None = None,
        **changed: Any,
    ) -> Pictures:
        """All that a diagnosis looks at."""
        self.pod.advance()
        more = {name: value for name, value in self.more.items() if name != "_frozen"}
        given: dict[str, Any] = {
            "inventory": Inventory(self.recorded, self.serials, self.parts, self.switch_serials),
            "wanted": self.wanted,
            "baseline": self.baseline,
            **more,
            **changed,
        }
        return Pictures(
            intended=self.intended,
            shown=observe(self.intended, switches or self.switches(), cubes or self.cubes()),
            now=self.now,
            **given,
        )

    def diagnose(self, **changed: Any) -> Diagnosis:
        """Read everything, and explain it."""
        return diagnose(self.pictures(**changed))

    def diagnose_read(self, switches: Answers[SwitchState], cubes: Answers[CubeState]) -> Diagnosis:
        """Explain what was read."""
        return diagnose(self.pictures(switches, cubes))

    def break_it(self, kind: str, **wish: Any) -> Fault:
        """Make a fault."""
        fault = self.book.make({"kind": kind, **wish})
        self.clock.step(60.0)
        self.pod.advance()
        return fault

    def carry_out(self, steps: Iterable[Step]) -> None:
        """Let the technician, the network operator and the record keeper do their steps."""
        steps = list(steps)
        hands = [step.as_json() for step in steps if step.do not in ELSEWHERE]
        told = Technician(self.book).carry_out(hands)
        assert all(step["done"] for step in told), told
        for step in steps:
            if step.do == "correct-record":
                self.correct(step.as_json())
        if any(step.do in ("connect", "disconnect") for step in steps):
            self.apply(self.wanted.circuits)
        self.clock.step(60.0)
        self.pod.advance()

    def correct(self, step: Mapping[str, str]) -> None:
        """Write into the record what a step says."""
        names = self.intended.names
        if step["field"] == "serial":
            device, _, port = step["object"].partition(" ")
            if not port:
                self.switch_serials[names.switches.index(device)] = step["to"]
                return
            number = int(names.find([device], [port])[0])
            assert self.serials[number] == step["from"]
            self.serials[number] = step["to"]
        elif step["field"] == "address":
            # The inventory then has each switch at the address where it really answers.
            exchanged = [
                f for f in self.book.there.values() if f.kind.name == "addresses-exchanged"
            ]
            for fault in exchanged:
                self.book.mend(fault.number)


#: Steps that no hand does.
ELSEWHERE = ("correct-record", "connect", "disconnect")
LIMITS = Limits()


def bench_serial(pod: SimulatedPod, switch: int) -> str:
    """The serial that a switch tells."""
    return pod.serials[switch]


def ring_of(intended: Intended, slots: Sequence[int], turn: int = 1) -> Circuits:
    """Circuits that join each cube's `+` to the next one's `-` on every switch."""
    plant = by_strand(intended)
    layout = plant.names.layout
    per_cube, local = layout.ports_per_cube, np.arange(layout.ports_per_cube)
    plus = np.flatnonzero(layout.sign == 0)
    strand = layout.lane if layout.strands == 1 else layout.lane // 2
    key = list(zip(layout.axis.tolist(), layout.index.tolist(), strand.tolist(), strict=True))
    rows = []
    following = dict(zip(slots, [*slots[turn:], *slots[:turn]], strict=True))
    for slot, to in following.items():
        for p in plus.tolist():
            for q in local[layout.sign == 1].tolist():
                if key[p] != key[q]:
                    continue
                ends = [
                    int(plant.mate[(slot - 1) * per_cube + p]),
                    int(plant.mate[(to - 1) * per_cube + q]),
                ]
                place = [(end - layout.cube_ports) % layout.ports_per_switch for end in ends]
                sides = [at >= layout.radix for at in place]
                if sides[0] == sides[1]:
                    continue
                a, b = (place[0], place[1]) if not sides[0] else (place[1], place[0])
                switch = (ends[0] - layout.cube_ports) // layout.ports_per_switch
                rows.append((switch, a + 1, b - layout.radix + 1))
    table = np.array(sorted(set(rows)), np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2])


def is_paired(bench: Bench) -> bool:
    """Whether a cable of the pod is a pair of strands."""
    return bench.intended.design.plant is Plant.PAIRED
