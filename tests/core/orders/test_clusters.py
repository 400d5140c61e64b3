"""Orders of clusters: whatever is wrong, their steps give the plant of the rule, and no light."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.orders.floor import default_floor
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.moving import decommission
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.steps import Do
from tests.core.groups.examples import example
from tests.examples import examples

from .pods import Pod, shuffled

#: With row and column switches, tier 1 and cross links; and the small forms.
DESIGNS = ("cross-links", "one-switch", "four-switches", "leaves-and-core")
designs, seeds = st.sampled_from(DESIGNS), st.integers(0, 10**6)


def cluster(design: str, without: frozenset[int] = frozenset()) -> Pod:
    of = example(design).design
    slots = sorted(set(range(1, of.slots + 1)) - without)
    intended = intended_plant(of, "pg1", slots)
    return Pod(intended, default_floor(intended.names))


def check_no_light(order: WorkOrder) -> None:
    """No port is kept dark, no ticket is asked for, and neighbours tell what is right."""
    assert not order.needs
    assert not any(step.guarded or step.do in (Do.BLOCK, Do.RELEASE) for step in order.steps)
    assert not any("transceiver" in step.part for step in order.steps)
    assert {step.by for step in order.steps if step.do == Do.CHECK} <= {"neighbours"}
    assert WorkOrder.from_json(order.as_json()) == order


@settings(max_examples=examples(25))
@given(designs, seeds, st.integers(1, 8), st.integers(1, 3))
def test_a_repair_gives_a_clean_audit_whatever_is_wrong(
    design: str, seed: int, mistakes: int, crews: int
) -> None:
    whole = cluster(design)
    broken = shuffled(whole, seed, mistakes)
    order = repair(
        whole.intended, whole.found(broken), whole.floor, whole.plugs(broken), crews=crews
    )

    after = whole.plugs(broken).carry_out(order.steps)
    assert after.pairs == whole.pairs
    assert not order.deferred
    check_no_light(order)
    names = whole.intended.names
    ends = {end: [after.of[cable, end] for cable, of in after.of if of == "a"] for end in "ab"}
    a, b = (names.find(*zip(*ends[end], strict=True)) for end in "ab")
    cables = [cable for cable, of in after.of if of == "a"]
    assert not audit_cabling(whole.intended, Recorded(cables, a, b)).findings
    # A new cable has the name of the rule, unless an old one has it elsewhere.
    ruled = set(names.cables(whole.intended.a))
    assert {laid.cable.removesuffix(" new") for laid in order.cables} <= ruled


@settings(max_examples=examples(12))
@given(designs, st.data(), st.integers(1, 3))
def test_groups_come_and_go_and_all_else_is_as_it_was(
    design: str, dice: st.DataObject, crews: int
) -> None:
    whole = cluster(design)
    slots = dice.draw(st.frozensets(st.sampled_from(whole.intended.slots), min_size=1, max_size=3))
    rest = cluster(design, slots)

    comes = install(whole.intended, slots, whole.floor, plugged=rest.plugs(), crews=crews)
    assert rest.plugs().carry_out(comes.steps).pairs == whole.pairs
    check_no_light(comes)
    assert {bundle.slot for bundle in comes.bundles} == slots

    goes = decommission(whole.intended, slots, whole.floor, whole.plugs(), crews=crews)
    assert whole.plugs().carry_out(goes.steps).pairs == rest.pairs
    check_no_light(goes)
    # The ports of switches that they leave are listened to, group by group.
    assert {bundle.slot for bundle in goes.bundles} == slots
    assert {c for b in goes.bundles for c in b.cables} == {laid.cable for laid in goes.cables}
    # At the switches first: what is out there is heard nowhere.
    groups = {whole.intended.names.cube(slot) for slot in slots}
    out = [step.device in groups for step in goes.steps if step.do == Do.UNPLUG]
    assert crews > 1 or out == sorted(out)


def test_an_exchange_of_uplinks_is_mended_at_the_switches() -> None:
    whole = cluster("cross-links")
    broken = whole.recorded()
    rows = [broken.cables.index(f"pg1-row-01-1-1:{port}") for port in (49, 63)]
    broken.b[rows] = broken.b[rows[::-1]]
    order = repair(whole.intended, whole.found(broken), whole.floor, whole.plugs(broken))

    assert order.title == "Repair 1 finding of pg1"
    hands = [str(step) for step in order.steps if step.do in (Do.UNPLUG, Do.PLUG, Do.CHECK)]
    [key] = [bundle.finding for bundle in order.bundles]
    here = "pg1-row-01-1-1"
    assert set(hands) == {
        f"unplug {here}:49 from {here} port 49",
        f"unplug {here}:63 from {here} port 63",
        f"plug {here}:49 into {here} port 63",
        f"plug {here}:63 into {here} port 49",
        f"check {key} by neighbours",
    }
    assert {step.rack for step in order.steps} == {"pg1-switches-r01"}


def test_a_group_is_one_part_and_its_cables_are_full_duplex() -> None:
    whole = cluster("cross-links")
    order = install(whole.intended, {3}, whole.floor)

    assert order.title == "Install group r01c03 of pg1"
    assert [str(step) for step in order.steps[:2]] == [
        "go to pg1-r01c03",
        "fit group of 4x4 processors in pg1-r01c03",
    ]
    parts = {part.name.rpartition(",")[0] or part.name: 0 for part in order.materials}
    assert set(parts) == {"cable, full duplex", "group of 4x4 processors", "label"}
    assert sum(p.needed for p in order.materials if p.name.startswith("cable")) == 48


def test_what_cannot_be_is_refused_in_words_of_clusters() -> None:
    whole = cluster("one-switch")
    with pytest.raises(UnusableInput, match="slots 9 are not all of the cluster that is to be"):
        install(whole.intended, {9}, whole.floor)
    with pytest.raises(UnusableInput, match="Name slots where groups stand"):
        decommission(whole.intended, {9}, whole.floor, whole.plugs())
    with pytest.raises(NotPossible, match="or leave its group out"):
        install(whole.intended, {2}, whole.floor, plugged=whole.plugs())
