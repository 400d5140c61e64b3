"""Histories of a small pod: faults, mends and circuits, and what is remembered of each look.

After every look the witness, who knows the faults, is asked about what is remembered.

Not in random histories, as no look can tell: a mirror that is stuck, or a switch that leaves out
changes, until its circuits are wanted again as they stand; swaps across switches; and two swaps at
one switch, which may cancel each other exactly.

Not yet in them, as the diagnosis errs: cables exchanged between the A and the B ports of a switch
(a circuit that joins the two hides it), two dirty connectors of one cable (its partner is named),
and switches at each other's address that do not answer besides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.errors import NotPossible
from fabric_twin.switches.fabric import Answers

from .bench import Bench, ring_of
from .memory import Memory
from .places import SLOTS
from .witness import Witness

SWITCHES = ("p1-ocs-x-1-1", "p1-ocs-y-2-1")
#: Seconds between two looks; what a device tells is old after less.
PAUSE = 400.0
#: Not two of these at one place: what mends one would undo the other, or who is at whose address
#: cannot be told of those that do not answer.
APART = (
    {"swapped", "misplugged", "missing"},
    {"wrong-transceiver", "wrong-serial"},
    {"switch-down", "switch-rebooting", "addresses-exchanged", "silent", "stale"},
)
T = TypeVar("T")
#: What is done, and three numbers that say where.
Act = tuple[str, int, int, int]


@dataclass
class History:
    """A pod, and what is remembered of it."""

    memory: Memory = field(default_factory=Memory)
    bench: Bench = field(default_factory=Bench.build)
    #: By fault that was seen: the findings that told of it then.
    ids: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Ask the book of this pod."""
        self.witness = Witness(self.bench.book)
        self._cables = [cable for name in SWITCHES for cable in self.witness.cables_of(name)]

    # What happens

    def do(self, act: Act) -> None:
        """Let something happen, and look."""
        what, one, other, third = act
        if what == "mend":
            self._mend(one)
        elif what == "circuits":
            self.want(turned(self.bench, one))
        elif what == "drain":
            self.want(without_cubes(self.bench, {one % 4 + 1, other % 4 + 1}))
        elif what == "ask-some":
            self.look(without=(one, other, third))
        else:
            self.make(what, one, other)
        self.look()

    def make(self, kind: str, one: int, other: int) -> None:
        """Break something, unless what is broken there would be mixed up with it."""
        wish = {"kind": kind, **self._wish(kind, one, other)}
        for fault in self.witness.faults.values():
            rivals = any({kind, fault.kind.name} <= kinds for kinds in APART)
            if rivals and _named(wish) & _named(fault.wish):
                return
            if kind == fault.kind.name == "swapped" and self._at_one_switch(wish, fault.wish):
                return  # two of them may cancel each other for light
        try:
            self.bench.break_it(**wish)
        except NotPossible:
            return  # it is so already, or the port is taken

    def _at_one_switch(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        switches = {self.witness.ends(str(wish["cable"]))[1][0] for wish in (one, other)}
        return len(switches) == 1

    def want(self, circuits: Circuits) -> None:
        """Want other circuits, and make them."""
        self.bench.want(circuits)

    def _mend(self, which: int) -> None:
        there = list(self.witness.faults)
        if there:
            self.bench.book.mend(there[which % len(there)])

    def _wish(self, kind: str, one: int, other: int) -> dict[str, Any]:
        cable = self._cables[one % len(self._cables)]
        cube_port, switch_port = self.witness.ends(cable)
        module = {"device": cube_port[0], "port": cube_port[1]}
        mirror = {"device": switch_port[0], "port": switch_port[1]}
        switch = {"device": SWITCHES[one % 2]}
        cube = {"device": f"p1-c00{one % 4 + 1}"}
        panel = len(self._cables) // 4
        beside = (one % len(self._cables)) // panel * panel
        wishes: dict[str, dict[str, Any]] = {
            "swapped": {"cable": cable, "other": self._cables[beside + other % panel]},
            "misplugged": {"cable": cable, "device": switch_port[0], "port": f"{10 + other % 4}A"},
            "missing": {"cable": cable},
            "broken": {"cable": cable},
            "dirty": (module, mirror)[one % 2],
            "lossy-mirror": mirror,
            "wrong-transceiver": module,
            "dying-transceiver": module,
            "wrong-serial": module,
            "tray-down": {"device": cube_port[0]},
            "copper-down": {**cube, "link": "1.1.1/Y+"},
            "cube-down": cube,
            "absent": cube,
            "board-out": {**switch, "unit": 1 + other % 2},
            "feed-lost": {**switch, "unit": 1},
            "fan-lost": {**switch, "unit": 1 + other % 2},
            "addresses-exchanged": {"device": SWITCHES[0], "other": SWITCHES[1]},
            "silent": (switch, cube)[other % 2],
            "stale": (switch, cube)[other % 2],
        }
        return wishes.get(kind, switch)

    # What is seen

    def look(self, without: Iterable[int] = ()) -> None:
        """Diagnose what is told by all devices but some, remember it, and ask the witness."""
        self.bench.clock.step(PAUSE)
        self.bench.pod.advance()
        switches, cubes = self.bench.switches(), self.bench.cubes()
        asked = [*self.bench.pod.points.names.switches, *self.bench.pod.cubes]
        left = {asked[number % len(asked)] for number in without}
        self.bench.more["known"] = self.memory.known
        self.memory.look(self.bench.diagnose_read(_but(switches, left), _but(cubes, left)))
        self._check()

    def _check(self) -> None:
        """A law each: findings are of faults, a fault has one id, is told of, and keeps its id."""
        first: dict[int, set[str]] = {}
        for name, finding in self.memory.told.items():
            places = [*finding.ports, *((proof.device, proof.port) for proof in finding.proof)]
            faults = self.witness.told([finding.code], places)
            assert faults, f"{finding.code} is found where nothing is wrong: {finding.cause}"
            # Whatever it told of before it may tell of still.
            faults |= self.witness.told(self.memory.open[name].codes, self.memory.open[name].places)
            if len(faults) > 1:
                continue  # it may be of either
            [fault] = faults
            if fault not in self.ids:
                first.setdefault(fault, set()).add(name)
            elif self.memory.open[name].since == self.memory.looks:
                raise AssertionError(f"{self.witness.faults[fault].wish} has a second id")
        self.ids |= first
        told = set[int]()
        for open_now in self.memory.open.values():
            told |= self.witness.told(open_now.codes, open_now.places)
        for fault, names in self.ids.items():
            if fault in self.witness.faults:
                wish = self.witness.faults[fault].wish
                assert fault in told, f"nothing tells of {wish}"
                assert names & self.memory.left.keys(), f"{wish} has lost its id"

    def end(self) -> None:
        """Mend everything, and look at everything with light."""
        for number in sorted(self.witness.faults, reverse=True):
            self.bench.book.mend(number)
        self.want(turned(self.bench, 1))
        self.look()
        assert not self.memory.left, f"still there: {[*self.memory.left.values()]}"


def _but(answers: Answers[T], left: set[str]) -> Answers[T]:
    given = {name: state for name, state in answers.given.items() if name not in left}
    missing = {name: error for name, error in answers.missing.items() if name not in left}
    return Answers(given, missing)


def _named(wish: Mapping[str, Any]) -> set[str]:
    """What a fault is at, by name."""
    if "cable" in wish:
        return {str(wish[key]) for key in ("cable", "other") if key in wish}
    return {f"{wish[key]} {wish.get('port', '')}" for key in ("device", "other") if key in wish}


# Circuits


def turned(bench: Bench, turn: int) -> Circuits:
    """Every cube joined to the next but so many, or, from four on, as chance has it."""
    if turn < len(SLOTS):
        return ring_of(bench.intended, SLOTS, turn=turn)
    ring, random = ring_of(bench.intended, SLOTS), np.random.default_rng(turn)
    b = ring.b.copy()
    for switch in np.unique(ring.switch):
        mine = ring.switch == switch
        b[mine] = random.permutation(b[mine])
    return Circuits(ring.switch, ring.a, b)


def without_cubes(bench: Bench, slots: Iterable[int]) -> Circuits:
    """The ring without all circuits of some cubes."""
    ring, names = ring_of(bench.intended, SLOTS), bench.pod.points.names
    layout, mate = names.layout, bench.intended.mate
    first = layout.cube_ports + ring.switch * layout.ports_per_switch
    a, b = mate[first + ring.a - 1], mate[first + layout.radix + ring.b - 1]
    keep = ~np.isin(layout.slot[a], [*slots]) & ~np.isin(layout.slot[b], [*slots])
    return Circuits(ring.switch[keep], ring.a[keep], ring.b[keep])


# What may happen

SEEN = (
    *("swapped", "misplugged", "missing", "broken", "dirty", "lossy-mirror"),
    *("wrong-transceiver", "dying-transceiver", "wrong-serial", "tray-down", "copper-down"),
    *("cube-down", "absent", "board-out", "feed-lost", "fan-lost", "switch-down"),
    *("switch-rebooting", "addresses-exchanged", "silent", "stale"),
)
#: Circuits and mends come about as often as faults.
WORLD = ("mend", "circuits", "drain", "ask-some")
ACTS: st.SearchStrategy[Act] = st.tuples(
    st.one_of(st.sampled_from(SEEN), st.sampled_from(WORLD)),
    *(st.integers(0, 31) for _ in range(3)),
)


def lived(acts: Iterable[Act], memory: Memory | None = None) -> History:
    """Live through a history, to the end where all is mended."""
    history = History(memory or Memory())
    history.want(turned(history.bench, 1))
    for act in acts:
        history.do(act)
    history.end()
    return history
