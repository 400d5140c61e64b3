"""A network of blocks: each fault is one finding, in words of blocks, and its remedy mends it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.tickets.qualification import Qualified, qualified
from fabric_twin.core.topology.network import placed
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.dialects.sonic import KVM
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import read_blocks
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.pod import SimulatedPod

from .bench import Bench

EXAMPLE = Path(__file__).parents[2] / "docs/examples/topology"
ONE, TWO = "dc1-ocs-01", "dc1-ocs-02"
M02 = {"device": "dc1-ab02", "port": "m02/1"}


@pytest.fixture
def bench() -> Bench:
    """Four blocks whose circuits are as the example has them."""
    network = read_blocks((EXAMPLE / "four-blocks.json").read_bytes(), "blocks", "dc1").network
    clock = SteppedClock()
    pod = SimulatedPod.of(intended_network(network), clock, dialect=KVM)
    bench = Bench.of(pod, clock)
    rows = read_circuits((EXAMPLE / "now.json").read_bytes(), "now")
    bench.want(numbered(rows, bench.intended.names)[0])
    return bench


def test_a_link_of_two_generations_runs_at_the_lower_rate_and_is_good() -> None:
    network = placed("dc1", 2, [("ab01", 12, 400), ("ab02", 12, 800)])
    clock = SteppedClock()
    pod = SimulatedPod.of(intended_network(network), clock, dialect=KVM)
    bench, added = Bench.of(pod, clock), [Circuit(ONE, "1A", "4B"), Circuit(ONE, "4A", "5B")]
    bench.want(numbered(added, bench.intended.names)[0])
    told = bench.cubes().all()["dc1-ab02"].rates
    assert (told["m02/1"], told["m01/1"]) == ((400.0, 800.0), (800.0, 800.0))
    assert np.isnan(told["m01/2"].runs)
    assert qualified(bench.pictures(), added) == Qualified()
    bench.break_it("slow", **M02, gbps=200)
    assert [str(bad) for bad in qualified(bench.pictures(), added).bad] == [
        "1A to 4B on dc1-ocs-01 should be there: dc1-ab01 m01/1 runs at 200 Gbit/s, and both ends "
        "can do 400"
    ]


def slow_down(bench: Bench, block: str, gbps: int = 100) -> list[int]:
    """Have every port of a block that is in a circuit run slower."""
    rates = bench.cubes().all()[block].rates
    ports = [port for port, its in rates.items() if its.runs > 0]
    return [bench.break_it("slow", device=block, port=p, gbps=gbps).number for p in ports]


def test_a_block_all_of_whose_links_are_slow_is_one_finding(bench: Bench) -> None:
    faults = slow_down(bench, "dc1-ab02")
    [finding] = bench.diagnose().findings
    assert (finding.cause, finding.severity, finding.ports, finding.evidence) == (
        "12 links of dc1-ab02 run at 100 Gbit/s, and could at 400: none is faster. See what speed "
        "it is set to",
        "error",
        (("dc1-ab02", ""),),
        {"gbps": 100.0, "could_gbps": 400.0},
    )
    bench.book.mend(faults[0])
    diagnosis = bench.diagnose()
    assert not diagnosis.well(*finding.proof)
    assert len(diagnosis.findings) == 11
    for fault in faults[1:]:
        bench.book.mend(fault)
    diagnosis = bench.diagnose()
    assert diagnosis.well(*finding.proof)
    assert not diagnosis.findings


def test_two_slow_blocks_are_two_findings(bench: Bench) -> None:
    slow_down(bench, "dc1-ab02")
    slow_down(bench, "dc1-ab03")
    found = bench.diagnose().findings
    assert [finding.ports for finding in found] == [(("dc1-ab02", ""),), (("dc1-ab03", ""),)]


def test_a_block_is_not_blamed_while_some_of_its_links_tell_nothing(bench: Bench) -> None:
    slow_down(bench, "dc1-ab02")
    bench.break_it("silent", device="dc1-ab04")
    codes = [finding.code for finding in bench.diagnose().findings]
    assert sorted(codes) == ["rate-lowered"] * 8 + ["stale"]


def test_a_block_that_is_set_to_less_than_is_recorded_is_found(bench: Bench) -> None:
    names = bench.intended.names
    slots, per = names.answering["dc1-ab02"], names.layout.ports_per_cube
    bench.pod.rates[(slots.start - 1) * per : (slots.stop - 1) * per] = 200
    bench.pod.parts.changed()
    [finding] = bench.diagnose().findings
    assert (finding.ports, finding.evidence) == (
        (("dc1-ab02", ""),),
        {"gbps": 200.0, "could_gbps": 400.0},
    )


def test_a_link_to_a_slower_block_does_not_show_that_a_strand_is_well() -> None:
    network = placed("dc1", 2, [("ab01", 12, 400), ("ab02", 12, 400), ("ab03", 12, 100)])
    clock = SteppedClock()
    pod = SimulatedPod.of(intended_network(network), clock, dialect=KVM)
    bench = Bench.of(pod, clock)
    bench.want(numbered([Circuit(ONE, "1A", "4B")], bench.intended.names)[0])
    bench.break_it("slow", device="dc1-ab01", port="m01/1", gbps=100)
    [finding] = bench.diagnose().findings
    mine = next(proof for proof in finding.proof if proof.device == "dc1-ab01")
    bench.want(numbered([Circuit(ONE, "1A", "7B")], bench.intended.names)[0])
    diagnosis = bench.diagnose()
    assert (diagnosis.findings, diagnosis.well(mine)) == ((), False)
    bench.book.mend(1)
    bench.want(numbered([Circuit(ONE, "1A", "4B")], bench.intended.names)[0])
    assert bench.diagnose().well(mine)


def test_a_link_that_is_gone_does_not_show_that_its_rate_is_right(bench: Bench) -> None:
    bench.break_it("slow", **M02, gbps=50)
    [finding] = bench.diagnose().findings
    bench.break_it("silent", device="dc1-ab01")
    well = bench.diagnose().well
    assert [well(proof) for proof in finding.proof] == [False, False]


def test_a_network_as_it_should_be_has_no_finding(bench: Bench) -> None:
    diagnosis = bench.diagnose()
    assert diagnosis.noun == "Network"
    assert (diagnosis.findings, diagnosis.unobserved) == ((), {})
    assert (diagnosis.cables, diagnosis.expected) == (48, 48)
    assert not bench.diagnose(wanted=None).findings


@pytest.mark.parametrize(
    ("kind", "wish", "code", "cause"),
    [
        (
            "missing",
            {"cable": "dc1-ab02:m02/1"},
            "dark",
            "No light passes dc1-ab01:m01/1 and dc1-ab02:m02/1: one of the two cables is unplugged "
            "or broken, and light does not show which",
        ),
        (
            "swapped",
            {"cable": "dc1-ab01:m01/1", "other": "dc1-ab01:m03/1"},
            "swapped",
            "By light: dc1-ab01:m01/1 and dc1-ab01:m03/1 are exchanged, at dc1-ab01 ports m01/1 "
            "and m03/1; or else dc1-ab02:m02/1 and dc1-ab03:m02/1 are misplaced: through these "
            "circuits light does not show which",
        ),
        (
            "dirty",
            {**M02, "loss_db": 3},
            "high-loss",
            "dc1-ab02:m02/1 loses 3.2 dB too much: the connector at dc1-ab02 port m02/1 is dirty",
        ),
        (
            "lossy-mirror",
            {"device": ONE, "port": "4B", "loss_db": 2},
            "high-loss",
            "dc1-ocs-01 loses 3.3 dB between 1A and 4B, where it lost 1.3: the mirror of one of "
            "the two ports is misaligned",
        ),
        (
            "dying-transceiver",
            {**M02, "loss_db": 6},
            "high-loss",
            "The module in dc1-ab02 port m02/1 sends -4.1 dBm and runs at 61 degrees: it is "
            "failing",
        ),
        (
            "slow",
            {**M02, "gbps": 50},
            "rate-lowered",
            "The link of dc1-ab01 m01/1 and dc1-ab02 m02/1 runs at 50 Gbit/s, and both ends can do "
            "400: one of them is set to a lower speed, or its module has lost lanes",
        ),
        (
            "wrong-transceiver",
            M02,
            "wrong-part",
            "dc1-ab02 port m02/1 holds OSFP 4x 20 nm, and optical module is recorded",
        ),
        (
            "wrong-serial",
            M02,
            "wrong-serial",
            "dc1-ab02 port m02/1 holds RDC1000019BF, and DC1000019BF is recorded",
        ),
        (
            "cube-down",
            {"device": "dc1-ab02"},
            "cube-down",
            "dc1-ab02 does not answer (it does not answer), and no other block hears it",
        ),
        (
            "silent",
            {"device": "dc1-ab02"},
            "stale",
            "dc1-ab02 does not answer (it does not answer), and other blocks hear it: only its "
            "controller is silent; its last known state is kept",
        ),
        (
            "absent",
            {"device": "dc1-ab02"},
            "stale",
            "dc1-ab02 reports no modules: their serials, parts and light are not known",
        ),
        (
            "switch-down",
            {"device": ONE},
            "switch-down",
            "dc1-ocs-01 does not answer (it does not answer), and no light passes",
        ),
        (
            "board-out",
            {"device": ONE, "unit": 1},
            "board-out",
            "dc1-ocs-01 runs without LINE-CARD0: the mirrors of 34 ports have lost their state, "
            "24 of them with a cable",
        ),
        (
            "addresses-exchanged",
            {"device": ONE, "other": TWO},
            "identity-exchanged",
            "dc1-ocs-01 and dc1-ocs-02 answer at each other's address: serials say so",
        ),
    ],
)
def test_a_fault_is_one_finding_and_its_remedy_mends_it(
    bench: Bench, kind: str, wish: dict[str, Any], code: str, cause: str
) -> None:
    fault = bench.break_it(kind, **wish)
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.cause) == (code, cause)
    if finding.remedy:
        bench.carry_out(finding.remedy)
    else:
        bench.book.mend(fault.number)
    assert not bench.diagnose().findings
