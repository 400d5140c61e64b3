"""Blocks in other buildings: light is held to what the recorded length of each cable loses."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.lengths import unknown
from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.tickets.qualification import qualified
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.dialects.sonic import KVM
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import read_blocks
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.pod import SimulatedPod

from .bench import Bench

EXAMPLE = Path(__file__).parents[2] / "docs/examples/topology"
NOW = read_circuits((EXAMPLE / "now.json").read_bytes(), "now")
FOUR = read_blocks((EXAMPLE / "four-blocks.json").read_bytes(), "blocks", "dc1").network
#: Metres to the building where ab04 stands.
FAR = 5_000.0


def campus(**cable_m: float) -> Bench:
    """Four blocks with cables of these lengths, all of whose circuits are there."""
    clock = SteppedClock()
    intended = intended_network(FOUR, cable_m=cable_m)
    bench = Bench.of(SimulatedPod.of(intended, clock, dialect=KVM), clock)
    bench.want(numbered(NOW, bench.intended.names)[0])
    return bench


def forget_lengths(bench: Bench) -> None:
    bench.intended = replace(bench.intended, lengths=unknown())


def test_a_link_to_another_building_may_lose_what_its_fibre_does() -> None:
    bench = campus(ab04=FAR)
    assert bench.diagnose().findings == ()
    assert qualified(bench.pictures(), NOW).bad == ()
    # The same light over cables of which nobody says that they are long is too little.
    forget_lengths(bench)
    findings = bench.diagnose().findings
    assert {finding.code for finding in findings} == {"high-loss"}
    assert {bad.circuit for bad in qualified(bench.pictures(), NOW).bad} == {
        circuit
        for circuit in NOW
        if {"10A", "11A", "12A"} & {circuit.a} or {"10B", "11B", "12B"} & {circuit.b}
    }


def test_dirt_on_a_long_cable_is_told_from_its_length() -> None:
    bench = campus(ab04=FAR)
    bench.break_it("dirty", device="dc1-ab04", port="m02/1")
    [finding] = bench.diagnose().findings
    assert (finding.code, finding.ports) == ("high-loss", (("dc1-ab04", "m02/1"),))
    assert finding.evidence["fibre_db"] == pytest.approx(2.0)


def strand_of(circuit: Circuit, end: str) -> int:
    """The strand at a port by the rule, counted over all places: K = 2, sides in turn."""
    switch, port, side = int(circuit.switch[-2:]), int(end[:-1]), end[-1]
    return 4 * (port - 1) + 2 * (side == "B") + switch - 1


def besides(bench: Bench, circuit: Circuit) -> float:
    """dB between two modules, less what their switch says that it loses."""
    shown = bench.pictures().shown
    near, far = strand_of(circuit, circuit.a), strand_of(circuit, circuit.b)
    sent, got = shown.cubes.sent, shown.cubes.received
    ways = [np.mean(sent[one] - got[other]) for one, other in ((near, far), (far, near))]
    carried = shown.switches.carried
    rows = zip(carried.switch.tolist(), carried.a.tolist(), strict=True)
    row = list(rows).index((int(circuit.switch[-2:]) - 1, int(circuit.a[:-1])))
    return float(np.mean(ways) - shown.switches.loss[row])


def test_the_limit_of_a_link_is_that_of_its_own_length() -> None:
    """Each is held to the sum that is made here, with the figures of the docs."""
    lengths = {"ab02": 800.0, "ab03": 2_500.0, "ab04": 4_000.0}
    bench = campus(**lengths)
    block_of = {port: block.name for block in FOUR.blocks for port in FOUR.places_of(block)}
    for circuit in (NOW[0], NOW[5], NOW[-1]):
        a, b = (block_of[int(port[:-1])] for port in (circuit.a, circuit.b))
        most = 0.94 + 0.4 * (lengths.get(a, 0) + lengths.get(b, 0)) / 1000 + 1.2
        cable = bench.pod.plant.cable_at(strand_of(circuit, circuit.a))
        for over in (-0.1, 0.1):
            bench.pod.plant.loss[cable] += most + over - besides(bench, circuit)
            bench.pod.plant.changed()
            why = [bad.why for bad in qualified(bench.pictures(), [circuit]).bad]
            assert (why != [] and "path loses" in why[0]) is (over > 0), (circuit, over)


def test_errors_on_a_link_that_is_too_long_for_its_modules_are_told_so() -> None:
    bench = campus(ab03=9_000.0, ab04=9_000.0)
    causes = {f.cause.partition(" of its bits, and ")[2] for f in bench.diagnose().findings}
    assert causes == {"its fibres alone lose 7.2 dB: its modules may not reach so far"}


@settings(max_examples=10, deadline=None)
@given(st.tuples(*[st.floats(1, 3_000)] * 4))
def test_a_campus_of_any_lengths_is_good(lengths: tuple[float, ...]) -> None:
    bench = campus(**dict(zip(FOUR.by_name, lengths, strict=True)))
    assert bench.diagnose().findings == ()
    assert qualified(bench.pictures(), NOW).bad == ()
