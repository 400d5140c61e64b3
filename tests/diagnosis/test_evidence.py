"""Findings are closed by evidence and by nothing else, and a fault keeps its finding for life."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.findings.after_look import AfterLook, Known, Seen, after_look
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.pods.own_names import OwnNames
from tests.examples import examples

from .bench import Bench
from .histories import ACTS, Act, History, lived, turned
from .memory import IsWell, Memory
from .places import FINDINGS, UNSEEN, Places

#: Not what no diagnosis can see, nor what a cable of one strand cannot have.
KINDS = sorted(kind for kind, code in FINDINGS.items() if code and kind != "crossed")


# One fault


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_keeps_its_finding_through_a_drain_and_until_it_is_seen_to_be_mended(
    kind: str,
) -> None:
    history = History()
    ring, other = turned(history.bench, 1), turned(history.bench, 3)
    history.want(ring)
    fault = history.bench.break_it(kind, **Places("tpu-v4-cwdm8").wish(kind))
    if kind == "switch-rebooting":
        history.bench.book.mend(fault.number)
        wish = {**Places("tpu-v4-cwdm8").wish(kind), "for": 1e6}
        fault = history.bench.break_it(kind, **wish)
    history.look()
    if kind in UNSEEN:
        # Who does not do as it is told is found out by a change.
        history.want(other)
    history.look()
    [name] = history.memory.told
    assert history.memory.open[name].codes == {FINDINGS[kind]}

    history.want(Circuits.none())
    history.look()
    assert [*history.memory.open] == [name]

    history.want(other)
    history.look()
    assert [*history.memory.told] == [*history.memory.open] == [name]

    history.bench.book.mend(fault.number)
    history.want(ring)
    history.look()
    assert not history.memory.open
    assert [finding.id for finding in history.memory.mended] == [name]


def test_a_circuit_that_came_is_seen_whatever_the_inventory_calls_its_ports() -> None:
    bench = Bench.build()
    ring = turned(bench, 1)
    bench.want(ring)
    switch, a, b = next(iter(ring.named(bench.intended.names)))
    names, layout = bench.intended.names, bench.intended.names.layout
    ports = range(layout.cube_ports, layout.cube_ports + layout.ports_per_switch)
    called = {port: (names.port(port)[0], f"front {port}") for port in ports}
    bench.intended = replace(bench.intended, names=OwnNames(layout, "p1", {}, {}, called))
    diagnosis = bench.diagnose_read(bench.switches(), bench.cubes())
    assert diagnosis.well(Proof(Look.CARRIES, switch, f"{a} {b}"))
    assert not diagnosis.well(Proof(Look.CARRIES, switch, f"{a} 136B"))


# Any history


@settings(max_examples=examples(5))
@given(st.lists(ACTS, max_size=12))
def test_whatever_happens_each_fault_that_was_seen_is_told_until_it_is_mended(
    acts: list[Act],
) -> None:
    lived(acts)


# The law notices mistakes


class ClosesAsBefore(Memory):
    """A finding is mended when it is not found, and everything there answers."""

    def is_well(self, diagnosis: Diagnosis) -> IsWell:
        return lambda proof: diagnosis.well(Proof(Look.ANSWERS, proof.device))


class ById(Memory):
    """A finding tells of what has its name, and of nothing else."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = AfterLook({one.id: one.id for one in found}, {one.id: one.proof for one in found})
        rest = after_look([], [one for one in known if one.id not in after.told_by], well)
        after.proof |= rest.proof
        after.mended, after.unseen = rest.mended, rest.unseen
        return after


class IdByCode(ById):
    """All faults of one kind are one."""

    def name(self, finding: Finding) -> str:
        return finding.code


class IdByPort(ById):
    """A fault is called by the first port where it is seen."""

    def name(self, finding: Finding) -> str:
        return " ".join(finding.ports[0])


class JoinsWithoutMemory(Memory):
    """What is told with another fault by an older finding is forgotten."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = super().after(found, known, well)
        after.mended += after.joined
        after.proof = {n: left for n, left in after.proof.items() if n not in after.joined}
        after.joined = {}
        return after


class PartsWithoutMemory(Memory):
    """What was joined stays so, and tells of nothing again."""

    def after(self, found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
        after = super().after(found, [one for one in known if not one.joined], well)
        joined = [one for one in known if one.joined and one.id not in after.told_by]
        rest = after_look([], joined, well)
        after.mended += rest.mended
        after.proof |= rest.proof
        after.joined |= {one.id: one.joined for one in joined if one.id in rest.proof}
        return after


#: Cables are called by their place among those of two switches: c1 X+ is 0, c3 X- is 10. In the
#: first ring c1 X+ is joined to c2 X-, and c2 X+ to c3 X-; in the second c1 X+ to c3 X-.
PLANTED: dict[type[Memory], list[Act]] = {
    # The cable is out of the ring, and everything answers.
    ClosesAsBefore: [("broken", 0, 0, 0), ("drain", 0, 0, 0)],
    # The second is mended, and looked at with light.
    IdByCode: [("broken", 0, 0, 0), ("broken", 2, 0, 0)],
    # Seen with other partners, whose ports come first.
    IdByPort: [("swapped", 4, 2, 0), ("circuits", 2, 0, 0)],
    # Both are dark towards each other: that is one finding, until they part.
    JoinsWithoutMemory: [("broken", 0, 0, 0), ("broken", 10, 0, 0), ("circuits", 2, 0, 0)],
    # And when they part, each has another partner than at first.
    PartsWithoutMemory: [
        *(("broken", 0, 0, 0), ("broken", 10, 0, 0)),
        *(("circuits", 2, 0, 0), ("circuits", 3, 0, 0)),
    ],
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_the_law_fails_for_a_planted_mistake(mistake: type[Memory]) -> None:
    lived(PLANTED[mistake])
    with pytest.raises(AssertionError):
        lived(PLANTED[mistake], mistake())


def test_two_that_are_joined_and_part_again_keep_their_ids() -> None:
    history = lived([*PLANTED[JoinsWithoutMemory], ("circuits", 1, 0, 0)])
    assert len({name for names in history.ids.values() for name in names}) == 2
