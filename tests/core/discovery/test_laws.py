"""What holds of any plant, whatever hands did to it: what is told is true, and all is told."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.discovery import Discovery, Heard, Seen
from tests.examples import examples

from .broken import break_it
from .plants import HiddenPlant, discover

#: Small and whole pods of every kind of switch.
SMALL = (
    ("ironwood", (3, 5, 6, 7, 9, 10)),
    ("tpu-v4", (1, 2, 3)),
    ("tpu-v4-cwdm8", (1, 2, 3, 4)),
    ("tpu-v4-duplex", (1, 5, 64)),
    ("tpu-v5p", (7, 8, 138, 140)),
)
WHOLE = tuple((design, None) for design in ("ironwood", "tpu-v4", "tpu-v4-cwdm8", "tpu-v5p"))
#: Enough to try every port of a switch from the few that are lit.
ALL = 160
SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize(("design", "slots"), SMALL)
@settings(max_examples=examples(2))
@given(seed=SEEDS)
def test_whatever_is_told_of_a_small_pod_is_true(design, slots, seed):
    check_truth(design, slots, seed)


@pytest.mark.parametrize(("design", "slots"), WHOLE)
@settings(max_examples=examples(2))
@given(seed=SEEDS)
def test_whatever_is_told_of_a_whole_pod_is_true(design, slots, seed):
    check_truth(design, slots, seed)


def check_truth(design, slots, seed):
    plant = break_it(HiddenPlant.as_ruled(design, slots), seed)
    observed, _ = discover(plant, seed=seed)
    truth = plant.truth()
    for port, end in told_by_light(observed).items():
        assert truth[port] == end
    inside = set(truth.values())
    first = plant.layout.cube_ports
    for port in (observed.heard == Heard.DARK).nonzero()[0].tolist():
        assert first + port not in inside


@pytest.mark.parametrize(("design", "slots"), SMALL)
@settings(max_examples=examples(5))
@given(seed=SEEDS)
def test_all_that_light_can_tell_is_told(design, slots, seed):
    plant = break_it(HiddenPlant.as_ruled(design, slots), seed)
    observed, _ = discover(plant, seed=seed, most_rounds=ALL)
    told, truth = told_by_light(observed), plant.truth()
    assert {port for port in tellable(plant) if port not in told} == set()
    assert told == {port: truth[port] for port in told}


@pytest.mark.parametrize(("design", "slots"), SMALL[1:3])
@settings(max_examples=examples(5))
@given(seed=SEEDS, since=st.integers(0, 5))
def test_a_switch_that_keeps_its_circuits_from_some_round_on_makes_nothing_untrue(
    design, slots, seed, since
):
    plant = break_it(HiddenPlant.as_ruled(design, slots), seed, most=8)
    discovery, kept = Discovery(plant.intended, seed=seed), Circuits.none()
    while (wanted := discovery.next_round()) is not None:
        stuck = discovery.rounds >= since
        mine, others = wanted.switch == 0, wanted.switch != 0
        first, rest = (Circuits(*(c[some] for c in columns(wanted))) for some in (mine, others))
        there = kept if stuck else first
        light = plant.light(
            Circuits(*map(np.concatenate, zip(columns(rest), columns(there), strict=True)))
        )
        if stuck:
            discovery.take(light, failed=first, left=kept)
        else:
            discovery.take(light)
            kept = first
    truth = plant.truth()
    for port, end in told_by_light(discovery.observed()).items():
        assert truth[port] == end


def columns(circuits: Circuits):
    return circuits.switch, circuits.a, circuits.b


@pytest.mark.parametrize("design", ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-cwdm8"])
@pytest.mark.parametrize("seed", range(3))
def test_two_rounds_tell_everything_when_all_is_lit_whatever_is_plugged_where(design, seed):
    plant = HiddenPlant.as_ruled(design)
    ports, chance = list(plant.plugged.values()), random.Random(seed)
    chance.shuffle(ports)
    chance.shuffle(plant.addresses)
    plant.plugged = dict(zip(plant.plugged, ports, strict=True))
    observed, _ = discover(plant)
    assert observed.rounds == 2
    assert told_by_light(observed) == plant.truth()


@pytest.mark.parametrize("seed", range(3))
def test_a_plant_of_more_switches_than_chains_can_name_takes_three(seed):
    observed, _ = discover(plant := HiddenPlant.as_ruled("tpu-v4-duplex"), seed=seed)
    assert observed.rounds == 3
    assert told_by_light(observed) == plant.truth()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dark", [1, 2, 30, 300])
def test_some_dark_ports_of_a_pod_take_one_round_more(dark, seed):
    plant = HiddenPlant.as_ruled("ironwood")
    plant.dark |= set(random.Random(seed).sample(sorted(plant.plugged), dark))
    observed, _ = discover(plant, seed=seed)
    assert observed.rounds == 3
    assert told_by_light(observed) == plant.truth()


def told_by_light(observed) -> dict[int, int]:
    ports = (observed.seen == Seen.LIGHT).nonzero()[0].tolist()
    return {port: int(observed.end[port]) for port in ports}


def tellable(plant: HiddenPlant) -> set[int]:
    """Lit fibres on switches with light on both sides, and more than one fibre on one of them.

    A fibre that meets no light is dark to everybody; of two alone, each could be the other.
    """
    per, first = plant.layout.ports_per_switch, plant.layout.cube_ports
    sides: dict[int, tuple[set[int], set[int]]] = {}
    for cube, port in plant.truth().items():
        switch, local = divmod(port - first, per)
        sides.setdefault(switch, (set(), set()))[local >= plant.layout.radix].add(cube)
    return {cube for a, b in sides.values() if a and b and len(a) + len(b) > 2 for cube in a | b}
