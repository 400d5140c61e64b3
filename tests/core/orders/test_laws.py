"""Laws of work orders, whatever pod, whatever is wrong with it, however many crews come."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.materials import Stock
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.moving import Moved, decommission, move
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.steps import Do
from tests.examples import examples

from .pods import DESIGNS, pod, shuffled

seeds, crews = st.integers(0, 10**6), st.integers(1, 4)
designs = st.sampled_from(DESIGNS)


def racks_of(order: WorkOrder) -> dict[int, list[str]]:
    """The racks that each crew goes to, in order."""
    return {
        crew: [visit[0].rack for visit in order.visits(crew)] for crew in range(1, order.crews + 1)
    }


def never_meet(order: WorkOrder) -> bool:
    racks = racks_of(order).values()
    return sum(map(len, map(set, racks))) == len(set().union(*racks))


def interleaved(order: WorkOrder, dice: st.DataObject) -> list[int]:
    """The steps as crews may really do them: each its own in order, none before what it awaits."""
    queues = {crew: [s for s in order.steps if s.crew == crew] for crew in racks_of(order)}
    done: list[int] = []
    while any(queues.values()):
        able = [c for c, q in queues.items() if q and set(q[0].after) <= set(done)]
        assert able, "every crew waits for another"
        crew = dice.draw(st.sampled_from(able))
        queue = queues[crew]
        done.append(queue.pop(0).number)
        while queue and not queue[0].after and queue[0].do not in (Do.PLUG, Do.UNPLUG):
            done.append(queue.pop(0).number)
    return done


@settings(max_examples=examples(12))
@given(designs, crews, st.data())
def test_an_installation_gives_the_plant_it_promises_in_any_order_that_crews_may_take(
    design: str, crews: int, dice: st.DataObject
) -> None:
    before, after = pod(design, range(1, 3)), pod(design, range(1, 5))
    order = install(after.intended, {3, 4}, after.floor, plugged=before.plugs(), crews=crews)

    assert before.plugs().carry_out(order.steps).pairs == after.pairs
    if design in ("ironwood", "tpu-v4-cwdm8"):
        steps = [order.steps[number - 1] for number in interleaved(order, dice)]
        assert before.plugs().carry_out(steps).pairs == after.pairs


@settings(max_examples=examples(12))
@given(designs, crews, st.sets(st.integers(1, 20), min_size=1, max_size=6))
def test_crews_never_meet_and_each_rack_of_an_installation_is_visited_once(
    design: str, crews: int, slots: set[int]
) -> None:
    whole = pod(design, range(1, 21))
    order = install(whole.intended, slots, whole.floor, crews=crews)

    assert never_meet(order)
    assert all(
        count == 1 for racks in racks_of(order).values() for count in Counter(racks).values()
    )


@settings(max_examples=examples(12))
@given(designs, st.sets(st.integers(1, 8), min_size=1, max_size=3), st.integers(0, 400))
def test_no_installation_needs_what_is_not_on_hand_or_ordered(
    design: str, slots: set[int], missing: int
) -> None:
    whole = pod(design, range(1, 9))
    needed = {p.name: p.needed for p in install(whole.intended, slots, whole.floor).materials}
    part = sorted(needed)[missing % len(needed)]
    here = {name: count // 2 for name, count in needed.items()}
    comes = {name: count - count // 2 for name, count in needed.items()}

    enough = Stock.of(here, comes)
    order = install(whole.intended, slots, whole.floor, stock=enough)
    assert not any(p.short for p in order.materials)
    assert not any(enough.on_hand.values())
    assert not any(enough.ordered.values())

    comes[part] -= 1
    short = Stock.of(here, comes)
    with pytest.raises(NotPossible, match="short of 1 of"):
        install(whole.intended, slots, whole.floor, stock=short)
    assert short == Stock.of(here, comes), "a refusal takes nothing"


@settings(max_examples=examples(25))
@given(designs, seeds, st.integers(1, 12), crews)
def test_a_repair_never_has_two_cables_on_a_port_and_mends_the_plant(
    design: str, seed: int, mistakes: int, crews: int
) -> None:
    whole = pod(design)
    broken = shuffled(whole, seed, mistakes)
    found = whole.found(broken)
    order = repair(whole.intended, found, whole.floor, whole.plugs(broken), crews=crews)

    # Plugs refuses a second cable on a port, and a plug that is somewhere else.
    assert whole.plugs(broken).carry_out(order.steps).pairs == whole.pairs
    assert not order.deferred
    assert never_meet(order)


@settings(max_examples=examples(25))
@given(designs, seeds, st.integers(1, 12))
def test_findings_at_one_rack_are_one_visit_unless_a_port_there_is_not_empty_yet(
    design: str, seed: int, mistakes: int
) -> None:
    whole = pod(design)
    broken = shuffled(whole, seed, mistakes)
    found, plugs = whole.found(broken), whole.plugs(broken)
    order = repair(whole.intended, found, whole.floor, plugs)
    naive = repair(whole.intended, found, whole.floor, plugs, by_finding=True)

    visits = Counter(visit[0].rack for visit in order.visits())
    assert not visits or max(visits.values()) <= 2
    assert visits.total() <= sum(1 for _ in naive.visits())
    assert whole.plugs(broken).carry_out(naive.steps).pairs == whole.pairs


@settings(max_examples=examples(25))
@given(seeds, st.dictionaries(st.sampled_from(("fan", "LINE-CARD0", "PSU 1")), st.integers(0, 2)))
def test_no_repair_takes_a_part_that_is_nowhere(seed: int, on_hand: dict[str, int]) -> None:
    whole = pod()
    switch = whole.intended.names.switches[seed % 48]
    parts = ["fan", "fan", "LINE-CARD0", "PSU 1", "PSU 1", "PSU 1"]
    found = [
        Found.from_json(
            {
                "id": f"f{number}",
                "code": "fan-lost",
                "remedy": [{"do": "replace", "device": switch, "port": "", "part": part}],
            }
        )
        for number, part in enumerate(parts)
    ]
    order = repair(whole.intended, found, whole.floor, whole.plugs(), stock=Stock.of(on_hand))

    used = Counter(step.part for step in order.steps if step.do == Do.REPLACE)
    assert used == {
        part: min(count, on_hand.get(part, 0))
        for part, count in Counter(parts).items()
        if on_hand.get(part)
    }
    assert {part.name: part.needed for part in order.materials} == used
    assert len(order.deferred) == len(parts) - used.total()


@settings(max_examples=examples(25))
@given(seeds, st.integers(2, 20))
def test_a_move_brings_every_plug_to_its_place(seed: int, count: int) -> None:
    import random

    whole = pod()
    plugs = whole.plugs()
    rows = random.Random(seed).sample(sorted(plugs.of), count)
    turned = [
        Moved(*plug, plugs.of[to]) for plug, to in zip(rows, [*rows[1:], rows[0]], strict=True)
    ]
    order = move(whole.intended, turned, whole.floor, plugs)
    after = plugs.copy().carry_out(order.steps)

    assert all(after.of[m.cable, m.end] == m.to for m in turned)
    assert len(after.of) == len(plugs.of)


@settings(max_examples=examples(10))
@given(designs, st.sets(st.integers(1, 4), min_size=1, max_size=3), crews)
def test_what_is_decommissioned_is_gone_and_all_else_is_as_it_was(
    design: str, slots: set[int], crews: int
) -> None:
    whole, rest = pod(design), pod(design, [s for s in range(1, 5) if s not in slots])
    order = decommission(whole.intended, slots, whole.floor, whole.plugs(), crews=crews)
    after = whole.plugs().carry_out(order.steps)

    assert after.pairs == rest.pairs
    assert len(after.of) == 2 * len(rest.pairs)
    capped = {s.at for s in order.steps if s.do == Do.CAP}
    assert capped == set(whole.plugs().at) - set(after.at), "every open port is capped"


@settings(max_examples=examples(10))
@given(designs, st.integers(1, 4))
def test_an_order_reads_as_it_was_written(design: str, seed: int) -> None:
    whole = pod(design, range(1, 4))
    broken = shuffled(whole, seed, 4)
    for order in (
        install(whole.intended, {2, 3}, whole.floor, crews=2),
        repair(whole.intended, whole.found(broken), whole.floor, whole.plugs(broken)),
        decommission(whole.intended, {1}, whole.floor, whole.plugs()),
    ):
        assert WorkOrder.from_json(order.as_json()) == order


def test_a_port_in_use_is_never_plugged_into() -> None:
    whole, before = pod(), pod(slots=range(1, 3))
    there = before.plugs()
    free = ("p1-ocs-x-3-2", "3A")
    there.put(("stray", "a"), free)
    with pytest.raises(NotPossible, match="stray is in the port that p1-c003:"):
        install(whole.intended, {3, 4}, whole.floor, plugged=there)
    with pytest.raises(NotPossible, match="a circuit uses the port"):
        install(whole.intended, {3, 4}, whole.floor, plugged=before.plugs(), in_circuits={free})
    with pytest.raises(NotPossible, match="is in the port"):
        install(whole.intended, {2, 3}, whole.floor, plugged=before.plugs())
    with pytest.raises(NotPossible, match="is in it"):
        Plugs(at={free: (("stray", "a"),)}).plug(("other", "b"), free)
