"""Off a bad port: to a spare where there is one, else to other cubes."""

from dataclasses import replace

import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals.effects import (
    Substitute,
)
from fabric_twin.core.proposals.off_port import propose_off_port
from fabric_twin.core.slices.shapes import Shape

from .bench import DESIGNS, SLOTS, carried_out, pod


def test_a_bad_port_is_left_for_a_spare_with_hands_between_two_stages():
    now = pod("tpu-v4", [("job-a", Shape((4, 4, 8)))])
    proposal = propose_off_port(now, ("p-ocs-z-1-1", "65"), reason="mirror stuck")
    assert proposal.title == "p-ocs-z-1-1: spare 129 in place of port 65"
    assert proposal.effects == (Substitute("p-ocs-z-1-1", "65", "129", "mirror stuck"),)
    assert proposal.on_failure == "hold"
    assert [
        ([f"{c.a} {c.b}" for c in stage.remove], [f"{c.a} {c.b}" for c in stage.add])
        for stage in proposal.plan.stages
    ] == [(["2A 65B", "65A 2B"], []), ([], ["2A 129B", "129A 2B"])]
    assert proposal.warnings == (
        "p-c001:1.1.1/Z- is moved from port 65 to port 129 of p-ocs-z-1-1 by hand: once the port "
        "is free, and before the spare is joined",
    )
    assert proposal.risk.reason == "job-a loses a link until p-c001:1.1.1/Z- is moved by hand"
    assert carried_out(
        carried_out(now.circuits, proposal.plan.stages), proposal.plan.undone
    ) == set(now.circuits)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_circuits_on_a_spare_are_those_of_the_plant_with_the_substitution(name):
    now = pod(name, [("job-a", Shape((4, 4, 8))), ("job-b", Shape((4, 4, 4)))])
    port = (now.names.switches[5], "1" if name in {"tpu-v4", "tpu-v4-duplex"} else "1A")
    proposal = propose_off_port(now, port)
    if not now.intended.design.spares:
        assert not any(isinstance(effect, Substitute) for effect in proposal.effects)
        return
    (effect,) = proposal.effects
    done = Substitution(effect.switch, effect.port, effect.spare)
    intended = intended_plant(now.intended.design, "p", SLOTS, [done])
    there = replace(now, intended=intended)
    wanted = {c for made in now.occupancy.slices.values() for c in there.circuits_of(made)}
    assert carried_out(now.circuits, proposal.plan.stages) == wanted
    # The next one takes another spare; without any the slice moves.
    again = propose_off_port(
        replace(there, circuits=tuple(wanted)), (port[0], port[1].replace("1", "2"))
    )
    assert again.effects[0].spare != effect.spare


def test_without_spares_it_says_what_is_lost_and_moves_the_slice():
    now = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    proposal = propose_off_port(now, ("p-ocs-y-3-2", "1B"))
    assert proposal.title == "p-ocs-y-3-2: off port 1B"
    assert proposal.warnings == (
        "The design ironwood has no spare ports: until p-ocs-y-3-2 is mended, p-c001 in slot 1 "
        "lacks Y at index 3,2, and only a slice that bears a switch can use it whole",
    )
    (move,) = proposal.effects
    assert (move.before.slots, move.after.slots) == ((1,), (2,))
    full = pod("ironwood", [("job-a", Shape((4, 4, 4)))], slots=[1])
    (stranded,) = propose_off_port(full, ("p-ocs-y-3-2", "1B")).stranded
    assert stranded.why == (
        "every cube has a cable on what is out; it could bear that: a join would lack 1 switch, "
        "Y keeps 0.9375"
    )


@pytest.mark.parametrize(
    ("port", "spare", "said"),
    [
        (
            ("p-ocs-x-1-1", "7"),
            None,
            "port of p-ocs-x-1-1: '7' is on both sides. Write 7A or 7B.",
        ),
        (
            ("p-ocs-x-9-9", "7A"),
            None,
            "port of p-ocs-x-9-9: '7A' is not a port of a switch of this pod. Name a switch and "
            "its "
            "port.",
        ),
        (
            ("p-ocs-x-1-1", "144A"),
            None,
            "p-ocs-x-1-1 port 144A: no cable belongs on it, so nothing has to leave it. Name a "
            "port that a cube is cabled to.",
        ),
        (
            ("p-ocs-x-1-1", "7A"),
            "141B",
            "spare of p-ocs-x-1-1: port 141B is not a spare that is free on that side. Use one of "
            "141A, 142A, 143A, 144A.",
        ),
    ],
)
def test_what_cannot_be_left_is_refused(port, spare, said):
    with pytest.raises((NotPossible, UnusableInput)) as refused:
        propose_off_port(pod("tpu-v5p"), port, spare=spare)
    assert str(refused.value) == said
