"""Discovery of plants with one thing about them."""

from itertools import pairwise

import numpy as np
import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.designs import find_design
from fabric_twin.core.discovery import Discovery, Heard, Seen
from fabric_twin.core.discovery.cables import observed_cables
from fabric_twin.core.discovery.chains import chain_rounds
from fabric_twin.core.discovery.exchanged import exchanged_switches
from fabric_twin.core.discovery.rounds import joined_ports
from fabric_twin.core.errors import UnusableInput

from .plants import HiddenPlant, discover

NONE, NOT_ASKED, STRANGER = -3, -2, -1


def chain_lengths(design: str) -> list[int]:
    layout = by_strand(intended_plant(find_design(design), "p1")).names.layout
    wanted = layout.mate >= 0
    table = [joined_ports(layout, *map(np.array, sides)) for sides in chain_rounds(layout, wanted)]
    lengths = []
    for head in np.flatnonzero((table[0] < 0) & (table[1] >= 0)).tolist():
        chain = [head]
        while (following := int(table[len(chain) % 2][chain[-1]])) >= 0:
            chain.append(following)
        lengths.append(len(chain))
    return lengths


@pytest.mark.parametrize("design", ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-cwdm8"])
def test_all_chains_of_a_pod_are_of_different_odd_lengths(design):
    lengths = chain_lengths(design)
    assert len(set(lengths)) == len(lengths) == 2 * len(find_design(design).layout.switches)
    assert all(length % 2 for length in lengths)
    assert sum(lengths) == find_design(design).cables * (2 if design == "tpu-v4" else 1)


def test_the_first_round_goes_straight_through_and_the_second_to_the_next():
    discovery = Discovery(HiddenPlant.as_ruled("ironwood").intended)
    first = [pair for pair in rows(discovery.next_round()) if pair[0] == 5]
    dark = {k for _, k, _ in first} ^ set(range(1, 145))
    assert all(a == b for _, a, b in first)
    assert len(dark) == 1
    discovery.take(np.full(discovery._layout.cube_ports, NONE))
    second = [pair for pair in rows(discovery.next_round()) if pair[0] == 5]
    assert second == [(5, k, k + 1) for k in range(1, 144)]


def test_a_design_without_switches_is_refused():
    intended = intended_plant(find_design("tpu-v2-static"), "p1")
    with pytest.raises(UnusableInput, match="it has no switches"):
        Discovery(intended)


def test_a_paired_plant_is_discovered_by_strand():
    with pytest.raises(UnusableInput, match="strand by strand"):
        Discovery(intended_plant(find_design("tpu-v4"), "p1"))


def test_circuits_in_use_are_never_touched_and_the_rest_is_discovered():
    plant = HiddenPlant.as_ruled("ironwood")
    running = slots_joined(plant, range(1, 41))
    before = plant.light(running)
    discovery = Discovery(plant.intended, before=before, in_use=running)
    taken = set(rows(running))
    while (circuits := discovery.next_round()) is not None:
        assert not {row[:2] for row in rows(circuits)} & {row[:2] for row in taken}
        assert not {row[::2] for row in rows(circuits)} & {row[::2] for row in taken}
        discovery.take(np.where(before >= 0, before, plant.light(circuits)))
    observed = discovery.observed()
    assert observed.rounds == 2
    of = plant.layout.slot[: plant.layout.cube_ports]
    assert set(observed.seen[of <= 40]) == {Seen.IN_USE}
    assert set(observed.seen[of > 40]) == {Seen.LIGHT}
    assert set(observed.heard[observed.end[plant.layout.cube_ports :] < 0].tolist()) <= {
        Heard.UNTOUCHED
    }


def test_what_is_in_use_and_not_as_the_rule_wants_it_is_left_open():
    plant = HiddenPlant.as_ruled("ironwood", tuple(range(1, 21)))
    one, other = plant.intended.a[:2].tolist()
    plant.plugged[one], plant.plugged[other] = plant.plugged[other], plant.plugged[one]
    running = slots_joined(plant, range(1, 5))
    before = plant.light(running)
    observed, _ = discover(plant, before=before, in_use=running)
    assert observed.seen[one] == observed.seen[other] == Seen.IN_USE_ELSEWHERE
    assert observed.end[one] < 0


def test_ports_that_may_not_be_used_are_left_alone():
    plant = HiddenPlant.as_ruled("tpu-v5p")
    usable = np.ones(len(plant.layout.mate), np.bool_)
    blocked = plant.layout.cube_ports + np.array([3, 500, 7_000])
    usable[blocked] = False
    discovery = Discovery(plant.intended, usable=usable)
    while (circuits := discovery.next_round()) is not None:
        for _, a, b in rows(circuits):
            assert a <= 144 >= b
        discovery.take(plant.light(circuits))
    observed = discovery.observed()
    assert set(observed.heard[blocked - plant.layout.cube_ports]) == {Heard.UNTOUCHED}
    assert (observed.seen == Seen.LIGHT).sum() == 13_440 - 3
    # Whoever is in them is nowhere else, and does not keep discovery from an end.
    assert (observed.seen == Seen.DARK).sum() == 3
    assert observed.rounds <= 4


def test_circuits_that_are_not_made_are_no_darkness():
    plant = HiddenPlant.as_ruled("ironwood")
    stuck = plant.layout.cube_ports + 12
    discovery = Discovery(plant.intended)
    while (circuits := discovery.next_round()) is not None:
        bad = (circuits.switch == 0) & (circuits.a == 13)
        made, failed = (
            Circuits(circuits.switch[rows], circuits.a[rows], circuits.b[rows])
            for rows in (~bad, bad)
        )
        discovery.take(plant.light(made), failed)
    observed = discovery.observed()
    assert observed.heard[12] == Heard.UNTOUCHED
    assert (observed.seen == Seen.LIGHT).sum() == 13_823
    assert observed.end[plant.intended.want[stuck]] < 0


def test_cubes_that_do_not_answer_are_seen_by_others():
    plant = HiddenPlant.as_ruled("ironwood")
    silent = plant.layout.slot[: plant.layout.cube_ports] == 9
    discovery = Discovery(plant.intended)
    while (circuits := discovery.next_round()) is not None:
        discovery.take(np.where(silent, NOT_ASKED, plant.light(circuits)))
    assert (discovery.observed().seen == Seen.LIGHT).all()


def test_cages_known_to_be_empty_cost_no_round():
    plant = HiddenPlant.as_ruled("ironwood")
    plant.dark |= set(np.flatnonzero(plant.layout.slot[: plant.layout.cube_ports] == 9).tolist())
    shining = np.ones(plant.layout.cube_ports, np.bool_)
    shining[list(plant.dark)] = False
    observed, _ = discover(plant, shining=shining)
    assert observed.rounds == 2
    assert (observed.seen == Seen.SILENT).sum() == 96


def test_discovery_observes_both_ports_that_claim_one_name():
    plant = HiddenPlant.as_ruled("ironwood")
    one, other = plant.intended.a[[40, 4_000]].tolist()
    plant.alias[other] = one
    discovery = Discovery(plant.intended)
    while (circuits := discovery.next_round()) is not None:
        claims = plant.light(circuits)
        claims[other] = NOT_ASKED
        discovery.take(claims)
    observed = discovery.observed()
    named = plant.layout.cube_ports + np.flatnonzero(observed.end[plant.layout.cube_ports :] == one)
    assert set(named.tolist()) == {plant.plugged[one], plant.plugged[other]}
    assert (observed.seen == Seen.LIGHT).sum() >= 13_820
    cables = [c for c in observed_cables(plant.intended, observed, {}) if c.seen == "twice"]
    assert len(cables) == 2
    assert {cable.cable for cable in cables} == {
        f"{plant.intended.names.cable(one)} (2)",
        f"{plant.intended.names.cable(one)} (3)",
    }


def test_a_stranger_is_shown_where_it_is():
    plant = HiddenPlant.as_ruled("ironwood")
    stranger = int(plant.intended.a[77])
    discovery = Discovery(plant.intended)
    while (circuits := discovery.next_round()) is not None:
        claims = plant.light(circuits)
        claims[claims == stranger] = STRANGER
        claims[stranger] = NONE
        discovery.take(claims)
    observed = discovery.observed()
    port = plant.plugged[stranger]
    assert observed.heard[port - plant.layout.cube_ports] == Heard.FOREIGN
    by, number = observed.strangers[port]
    assert by != stranger
    assert number < observed.rounds
    cables = list(observed_cables(plant.intended, observed, {port: ("other-c001-t01", "x")}))
    assert cables[-1].seen == "foreign"
    assert cables[-1].b == plant.intended.names.port(port)


def test_old_news_makes_nothing_wrong():
    plant = HiddenPlant.as_ruled("ironwood")
    old = plant.layout.slot[: plant.layout.cube_ports] == 30
    discovery, last = Discovery(plant.intended), None
    while (circuits := discovery.next_round()) is not None:
        seen = plant.light(circuits)
        discovery.take(seen if last is None else np.where(old, last, seen))
        last = seen
    observed, truth = discovery.observed(), plant.truth()
    lit = np.flatnonzero(observed.seen == Seen.LIGHT)
    assert len(lit) > 13_000
    assert all(observed.end[port] == truth[port] for port in lit.tolist())


def test_a_cable_without_a_switch_is_no_switch_port():
    plant = HiddenPlant.as_ruled("ironwood")
    one, other = plant.intended.a[[3, 5_000]].tolist()
    plant.dark |= {one, other}
    discovery = Discovery(plant.intended)
    while (circuits := discovery.next_round()) is not None:
        claims = plant.light(circuits)
        claims[[one, other]] = other, one
        discovery.take(claims)
    observed = discovery.observed()
    assert {observed.seen[one], observed.seen[other]} <= {Seen.ODD, Seen.UNTOLD}
    assert (observed.seen == Seen.LIGHT).sum() == 13_822


def test_switches_that_answer_to_each_other_s_address_are_named():
    plant = HiddenPlant.as_ruled("ironwood")
    plant.addresses[4], plant.addresses[20] = 20, 4
    observed, _ = discover(plant)
    assert observed.rounds == 2
    assert exchanged_switches(plant.intended, observed) == [(4, 20)]


def test_strands_that_are_exchanged_and_dark_ones_are_rows_of_their_own():
    plant = HiddenPlant.as_ruled("tpu-v4", tuple(range(1, 17)))
    plugged = plant.plugged
    plugged[0], plugged[1] = plugged[1], plugged[0]
    plant.dark |= {5, 10, 11}
    observed, _ = discover(plant)
    cables = {c.cable: c for c in observed_cables(plant.intended, observed, {})}
    assert [(name, c.a[1], c.b[1], c.seen) for name, c in list(cables.items())[:7]] == [
        ("p1-c001:4.1.1/X+:1", "4.1.1/X+:1", "1B", "light"),
        ("p1-c001:4.1.1/X+:2", "4.1.1/X+:2", "1A", "light"),
        ("p1-c001:4.1.2/X+", "4.1.2/X+", "1", "light"),
        ("p1-c001:4.1.3/X+:1", "4.1.3/X+:1", "1A", "light"),
        ("p1-c001:4.1.3/X+:2", "4.1.3/X+:2", "", "dark"),
        ("p1-c001:4.1.4/X+", "4.1.4/X+", "1", "light"),
        ("p1-c001:4.2.1/X+", "4.2.1/X+", "1", "light"),
    ]
    assert cables["p1-c001:4.2.2/X+"].seen == "dark"
    assert len(cables) == 16 * 96 + 2


def rows(circuits: Circuits) -> list[tuple[int, int, int]]:
    columns = (circuits.switch, circuits.a, circuits.b)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def slots_joined(plant: HiddenPlant, slots) -> Circuits:
    """Rings through some slots on every switch: + of each to - of the next."""
    ring = [*slots, next(iter(slots))]
    joined = list(pairwise(ring))
    switches = range(len(plant.layout.switches))
    table = np.array([(switch, a, b) for switch in switches for a, b in joined])
    return Circuits(*table.T)
