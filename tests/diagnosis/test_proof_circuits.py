"""Test circuits for what is left to be seen: only on ports that nothing uses, each of them once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.designs import find_design
from fabric_twin.core.diagnosis.proof_circuits import proof_circuits
from fabric_twin.core.discovery.rounds import ports_of
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.pods.own_names import OwnNames

LOOKS = (Look.LIGHT, Look.LOSS, Look.REFLECTION, Look.AIM, Look.SERIAL, Look.ANSWERS)


@pytest.mark.parametrize("name", ["ironwood", "tpu-v4", "tpu-v4-cwdm8"])
@given(data=st.data())
def test_each_port_is_joined_once_and_none_that_is_used(name: str, data: st.DataObject) -> None:
    plant = by_strand(intended_plant(find_design(name), "p", (1, 2, 3)))
    names, layout = plant.names, plant.names.layout
    strands = layout.ports_per_cube
    asked = data.draw(st.lists(st.integers(0, 2 * strands - 1), max_size=12, unique=True))
    looks = data.draw(st.lists(st.sampled_from(LOOKS), min_size=12, max_size=12))
    used = data.draw(st.sets(st.integers(0, 3 * strands - 1), max_size=40))
    busy = np.zeros(len(layout.mate), np.bool_)
    busy[[plant.want[strand] for strand in used]] = True
    proof = []
    for port, look in zip(asked, looks, strict=False):
        at = plant.want[port] if look is Look.AIM else port
        device, own = names.port(int(at))
        proof.append(Proof(look, device, own if look is Look.AIM else own.partition(":")[0]))
    circuits = proof_circuits(plant, proof, [3], busy)
    ends = np.concatenate(ports_of(layout, circuits))
    assert len(set(ends.tolist())) == len(ends)
    assert not busy[ends].any()
    slots = {int(layout.slot[plant.mate[end]]) for end in ends}
    assert slots <= {1, 2, 3}


def test_what_is_to_be_seen_meets_an_idle_cube() -> None:
    plant = by_strand(intended_plant(find_design("ironwood"), "p", (1, 2, 3)))
    nothing = np.zeros(len(plant.names.layout.mate), np.bool_)
    proof = [
        Proof(Look.REFLECTION, "p-c001-t02", "4.1.1/X+"),
        Proof(Look.AIM, "p-ocs-y-2-2", "2B"),
        Proof(Look.SERIAL, "p-c001-t02", "4.1.1/X+"),
        Proof(Look.ANSWERS, "p-c002"),
    ]
    found = proof_circuits(plant, proof, [3], nothing)
    assert set(found.named(plant.names)) == {
        ("p-ocs-x-1-1", "1A", "3B"),
        ("p-ocs-y-2-2", "3A", "2B"),
    }


def test_circuits_are_found_whatever_the_inventory_calls_their_ports() -> None:
    intended = intended_plant(find_design("ironwood"), "p", (1, 2, 3))
    layout = intended.names.layout
    first = layout.cube_ports
    called = {first: ("p-ocs-x-1-1", "front 1"), first + 145: ("p-ocs-x-1-1", "rear 2")}
    own = OwnNames(layout, "p", {}, {}, called)
    plant = by_strand(replace(intended, names=own))
    nothing = np.zeros(len(layout.mate), np.bool_)
    proof = [Proof(Look.CARRIES, "p-ocs-x-1-1", "1A 2B"), Proof(Look.AIM, *called[first])]
    found = proof_circuits(plant, proof, [3], nothing)
    ends = {end for _, *pair in found.named(plant.names) for end in pair}
    assert {"1A", "2B"} <= ends


def test_another_turn_takes_another_partner() -> None:
    plant = by_strand(intended_plant(find_design("tpu-v4-cwdm8"), "p", (1, 2, 3)))
    nothing = np.zeros(len(plant.names.layout.mate), np.bool_)
    spare = [Proof(Look.STEERED, "p-ocs-x-1-1", "129A")]
    made = [proof_circuits(plant, spare, [2, 3], nothing, turn=turn) for turn in (0, 1)]
    (one,), (other,) = (list(circuits.named(plant.names)) for circuits in made)
    assert one[:2] == other[:2] == ("p-ocs-x-1-1", "129A")
    assert one[2] != other[2]


def test_without_an_idle_cube_they_meet_each_other_or_wait() -> None:
    plant = by_strand(intended_plant(find_design("ironwood"), "p", (1, 2)))
    nothing = np.zeros(len(plant.names.layout.mate), np.bool_)
    mirrors = [Proof(Look.AIM, "p-ocs-x-1-1", port) for port in ("1A", "2B", "2A")]
    found = proof_circuits(plant, mirrors, [], nothing)
    assert list(found.named(plant.names)) == [("p-ocs-x-1-1", "1A", "2B")]
    assert len(proof_circuits(plant, mirrors[:1], [], nothing)) == 0
