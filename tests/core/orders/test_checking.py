"""A bundle is checked by light while the pod runs: what is wrong is named, and nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.orders.checking import Verdict, ends_of, look_at
from fabric_twin.core.orders.order import Bundle, WorkOrder
from fabric_twin.core.orders.planning.install import install
from tests.core.discovery.plants import HiddenPlant
from tests.examples import examples

from .pods import Pod, pod

IDLE, NEW = 3, 4


def made(design: str) -> tuple[Pod, WorkOrder, HiddenPlant]:
    whole = pod(design)
    order = install(whole.intended, {NEW}, whole.floor)
    return whole, order, HiddenPlant.as_ruled(design, (1, 2, 3, 4))


MADE = {design: made(design) for design in ("ironwood", "tpu-v4", "tpu-v4-duplex")}


def running(whole: Pod, hidden: HiddenPlant) -> Circuits:
    """Cubes 1 and 2 wrap around: their ports are not to be touched."""
    plant = by_strand(whole.intended)
    layout = plant.names.layout
    rows = []
    for slot in (1, 2):
        ports = np.arange(layout.ports_per_cube) + (slot - 1) * layout.ports_per_cube
        home = plant.mate[ports]
        switch, place = np.divmod(home - layout.cube_ports, layout.ports_per_switch)
        for number in np.unique(switch).tolist():
            mine = place[switch == number]
            rows += [
                (number, a + 1, b - layout.radix + 1)
                for a, b in zip(
                    sorted(mine[mine < layout.radix]),
                    sorted(mine[mine >= layout.radix]),
                    strict=True,
                )
            ]
    return Circuits(*np.array(rows, np.int32).T)


def checked(design: str, bundle: Bundle, plugged: dict[int, int], dark: set[int]) -> Verdict:
    """Look at a bundle of a plant that is not as the order wanted it."""
    whole, order, hidden = MADE[design]
    plant = HiddenPlant(hidden.intended, plugged, dark, hidden.addresses, {})
    in_use = running(whole, hidden)
    ends = ends_of(whole.intended, order, bundle)
    seen = look_at(whole.intended, bundle, *ends, idle=[IDLE], in_use=in_use)
    ours, running_on = simplex_ports(seen.circuits), simplex_ports(in_use)
    assert len(ours) == 2 * len(seen.circuits), "a port is in two circuits"
    assert not ours & running_on, "a running circuit is touched"
    return seen.verdict(plant.light(seen.circuits))


def simplex_ports(circuits: Circuits) -> set[tuple[int, str, int]]:
    columns = (circuits.switch.tolist(), circuits.a.tolist(), circuits.b.tolist())
    rows = zip(*columns, strict=True)
    return {port for switch, a, b in rows for port in ((switch, "A", a), (switch, "B", b))}


@settings(max_examples=examples(16))
@given(st.sampled_from(sorted(MADE)), st.data())
def test_exchanged_dark_and_misplugged_cables_are_named_and_no_others(
    design: str, dice: st.DataObject
) -> None:
    whole, order, hidden = MADE[design]
    bundle = dice.draw(st.sampled_from(order.bundles))
    strands = hidden.layout.strands
    of = {
        laid.cable: whole.intended.names.find([laid.a[0]], [laid.a[1]])[0] for laid in order.cables
    }
    plugged, dark = dict(hidden.plugged), set()
    wrong: set[str] = set()
    shuffled = dice.draw(st.permutations(bundle.cables))
    for _ in range(dice.draw(st.integers(0, 3))):
        kind = dice.draw(st.sampled_from(("exchanged", "dark", "beside")))
        one, other = shuffled.pop(), shuffled.pop()
        for strand in range(strands):
            near, far = (int(of[cable]) * strands + strand for cable in (one, other))
            if kind == "exchanged":
                plugged[near], plugged[far] = plugged[far], plugged[near]
            elif kind == "dark":
                dark.add(near)
            else:
                plugged[near] += 1  # slot 5 stands empty
        wrong |= {one, other} if kind == "exchanged" else {one}
    assert set(checked(design, bundle, plugged, dark).wrong) == wrong


def test_ports_to_do_again_are_those_of_the_rack_where_the_crew_stands() -> None:
    _, order, _ = MADE["ironwood"]
    bundle = order.bundles[0]
    said = Verdict(bundle, wrong=bundle.cables[:1], weak=bundle.cables[1:2])
    ends = {laid.cable: laid for laid in order.cables}
    assert said.ports(order, bundle.rack) == {ends[c].b for c in bundle.cables[:2]}
    assert said.ports(order, "p1-c004") == {ends[c].a for c in bundle.cables[:2]}
    assert not said.agrees


def test_light_that_is_poor_is_said_of_cables_that_are_where_they_should_be() -> None:
    whole, order, hidden = MADE["ironwood"]
    bundle = order.bundles[0]
    seen = look_at(whole.intended, bundle, *ends_of(whole.intended, order, bundle), idle=[IDLE])
    weak = {bundle.cables[0], "p1-c001:1.1.1/X-"}
    said = seen.verdict(hidden.light(seen.circuits), weak)
    assert (said.wrong, said.weak) == ((), bundle.cables[:1])


@pytest.mark.parametrize("idle", [(), (IDLE,)])
def test_only_an_idle_cube_beside_shows_two_cubes_ports_exchanged_pair_by_pair(
    idle: tuple[int, ...],
) -> None:
    whole, order, hidden = MADE["ironwood"]
    bundle = next(b for b in order.bundles if b.rack.endswith("r01"))
    names = hidden.intended.names
    plus = [
        int(names.find(["p1-c004-t02"], ["4.1.1/X+"])[0]),
        int(names.find(["p1-c004-t06"], ["4.1.2/X+"])[0]),
    ]
    minus = [
        int(names.find(["p1-c004-t01"], ["1.1.1/X-"])[0]),
        int(names.find(["p1-c004-t05"], ["1.1.2/X-"])[0]),
    ]
    plugged = dict(hidden.plugged)
    for one, other in (plus, minus):
        plugged[one], plugged[other] = plugged[other], plugged[one]
    plant = HiddenPlant(hidden.intended, plugged, set(), hidden.addresses, {})
    seen = look_at(whole.intended, bundle, *ends_of(whole.intended, order, bundle), idle=idle)
    said = seen.verdict(plant.light(seen.circuits))
    assert len(said.wrong) == (4 if idle else 0)


@pytest.mark.parametrize("design", ["ironwood", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"])
def test_the_first_cube_of_a_pod_is_checked_by_itself(design: str) -> None:
    whole = pod(design, range(1, 2))
    hidden = HiddenPlant.as_ruled(design, (1,))
    order = install(whole.intended, {1}, whole.floor)
    for bundle in order.bundles:
        seen = look_at(whole.intended, bundle, *ends_of(whole.intended, order, bundle))
        assert len(simplex_ports(seen.circuits)) == 2 * len(seen.circuits)
        assert seen.verdict(hidden.light(seen.circuits)).agrees
        dark = {int(seen.near[0])}
        in_the_dark = HiddenPlant(
            hidden.intended, hidden.plugged, dark, hidden.addresses, {}
        ).light(seen.circuits)
        assert bundle.cables[0] in seen.verdict(in_the_dark).wrong
