"""Cables that light agrees with: seen where the record has both ends, and not merely unblamed."""

from dataclasses import replace

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.fabric.plant import Recorded

from .bench import Bench

SWITCH = "p1-ocs-x-1-1"
C1, C2, C3, C4 = (f"p1-c00{number}:4.1.1/X+" for number in (1, 2, 3, 4))
#: Who meets them: the ring joins each cube's + to the next one's -.
TO1, TO2, TO3 = (f"p1-c00{number}:1.1.1/X-" for number in (1, 2, 3))


def disagreed(bench: Bench) -> set[str]:
    """The recorded cables that light did not agree with."""
    return set(bench.recorded.cables) - set(bench.diagnose().agreed)


def recorded_at(bench: Bench, **ports: int) -> Recorded:
    """The record with the far ends of some cables elsewhere."""
    b = bench.recorded.b.copy()
    for cable, port in ports.items():
        b[bench.recorded.cables.index(cable)] = port
    return replace(bench.recorded, b=b)


@pytest.mark.parametrize("design", ["tpu-v4", "tpu-v4-cwdm8", "tpu-v4-duplex", "ironwood"])
def test_light_agrees_with_every_cable_that_a_circuit_shows(design: str) -> None:
    bench = Bench.build(design)
    assert bench.diagnose().agreed == tuple(bench.recorded.cables)


def test_without_circuits_no_cable_is_faulty_and_light_agrees_with_none() -> None:
    bench = Bench.build(ring=False)
    diagnosis = bench.diagnose()
    assert (diagnosis.findings, diagnosis.agreed) == ((), ())


def test_light_agrees_neither_with_a_dark_cable_nor_with_the_one_that_it_meets() -> None:
    bench = Bench.build()
    bench.break_it("broken", cable=C1)
    assert disagreed(bench) == {C1, TO2}


def test_light_agrees_with_none_of_the_cables_at_the_circuits_of_a_swap() -> None:
    bench = Bench.build()
    bench.break_it("swapped", cable=C1, other=C2)
    assert disagreed(bench) == {C1, C2, TO2, TO3}


def test_light_agrees_with_cables_that_were_swapped_and_are_recorded_so() -> None:
    bench = Bench.build()
    c1, c2 = (int(bench.recorded.b[bench.recorded.cables.index(cable)]) for cable in (C1, C2))
    bench.break_it("swapped", cable=C1, other=C2)
    bench.recorded = recorded_at(bench, **{C1: c2, C2: c1})
    diagnosis = bench.diagnose()
    assert [finding.code for finding in diagnosis.findings] == ["swapped"]
    assert diagnosis.agreed == tuple(bench.recorded.cables)


def test_light_does_not_agree_with_a_record_that_errs() -> None:
    bench = Bench.build()
    c1, c2 = (int(bench.recorded.b[bench.recorded.cables.index(cable)]) for cable in (C1, C2))
    bench.recorded = recorded_at(bench, **{C1: c2, C2: c1})
    assert disagreed(bench) == {C1, C2, TO2, TO3}


def test_of_a_cube_that_does_not_answer_light_tells_nothing() -> None:
    bench = Bench.build()
    bench.break_it("silent", device="p1-c002")
    assert disagreed(bench) == {cable for cable in bench.recorded.cables if "-c002:" in cable}


def test_of_a_switch_that_does_not_answer_light_tells_nothing() -> None:
    bench = Bench.build()
    bench.break_it("silent", device=SWITCH)
    names = bench.intended.names
    at_switch = [names.port(int(b))[0] == SWITCH for b in bench.recorded.b]
    assert disagreed(bench) == set(np.array(bench.recorded.cables)[at_switch].tolist())


def test_both_strands_of_a_pair_have_to_be_seen() -> None:
    bench = Bench.build("tpu-v4")
    wanted = bench.wanted.circuits
    [row] = np.flatnonzero((wanted.switch == 0) & (wanted.a == 1))
    keep = np.arange(len(wanted)) != row
    bench.want(Circuits(wanted.switch[keep], wanted.a[keep], wanted.b[keep]), owner="s1")
    gone = disagreed(bench)
    assert len(gone) == 2
    assert C1 in gone


def test_of_two_cables_that_are_recorded_in_one_port_at_most_one_was_seen() -> None:
    bench = Bench.build()
    row = bench.recorded.cables.index(C1)
    spare = int(bench.intended.names.find([SWITCH], ["64A"])[0])
    bench.recorded = replace(
        bench.recorded,
        cables=[*bench.recorded.cables, "second"],
        a=np.append(bench.recorded.a, bench.recorded.a[row]),
        b=np.append(bench.recorded.b, np.int32(spare)),
    )
    assert "second" in disagreed(bench)
