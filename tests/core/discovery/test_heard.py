"""Cables by neighbours, on hidden plants: who hears whom is enough, and who lies is found."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.discovery.cables import NOWHERE
from fabric_twin.core.discovery.heard import contradictions, heard_cables
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN
from tests.core.groups.examples import example

PLANT = example("four-switches")
NAMES = PLANT.names
CABLES, DEVICES = len(PLANT.a), len(NAMES.devices)
SOME = st.frozensets(st.integers(0, DEVICES - 1), max_size=4)


def hearing(far, dead=frozenset(), mute=frozenset()):
    """Whom each port hears, where cables end on these ports: the dead hear nobody, the mute do
    not tell whom."""
    layout = NAMES.layout
    claims = np.full(len(layout.mate), NO_PORT, np.int32)
    for near, end in zip(PLANT.a.tolist(), far.tolist(), strict=True):
        devices = {int(layout.device[near]), int(layout.device[end])} if end >= 0 else dead
        if end >= 0 and not devices & dead:
            claims[near], claims[end] = end, near
    claims[np.isin(layout.device, list(dead | mute))] = NOT_KNOWN
    return claims


@given(st.permutations(range(CABLES)), st.frozensets(st.integers(0, CABLES - 1)), SOME, SOME)
def test_each_cable_that_one_end_tells_is_where_it_is_and_no_other_is_said_to_be(
    order, out, dead, mute
):
    far = PLANT.b[list(order)]
    far[list(out)] = NO_PORT
    tells, device = set(), NAMES.layout.device
    for near, end in zip(PLANT.a.tolist(), far.tolist(), strict=True):
        between = {int(device[near]), int(device[end])}
        if end >= 0 and not between & dead and not between <= mute:
            tells.add(frozenset({NAMES.port(near), NAMES.port(end)}))
    claims = hearing(far, dead, mute)
    rows = list(heard_cables(PLANT, claims, {}))
    assert {frozenset({row.a, row.b}) for row in rows if row.b != NOWHERE} == tells
    assert contradictions(NAMES, claims, {}) == []
    # Every near end of the rule is accounted for, once.
    assert {NAMES.port(near) for near in PLANT.a.tolist()} <= {row.a for row in rows} | {
        row.b for row in rows
    }


def test_ports_that_hear_one_which_hears_another_are_named():
    claims = hearing(PLANT.b)
    one, other, far = int(PLANT.a[0]), int(PLANT.a[1]), int(PLANT.b[1])
    claims[one] = far
    end = NAMES.port(int(PLANT.b[0]))
    assert contradictions(NAMES, claims, {}) == [
        (NAMES.port(one), NAMES.port(far), NAMES.port(other)),
        (end, NAMES.port(one), NAMES.port(far)),
    ]
    claims = hearing(PLANT.b)
    claims[one] = NO_PORT
    assert contradictions(NAMES, claims, {}) == [(end, NAMES.port(one), NOWHERE)]


def test_who_is_heard_and_hears_a_stranger_is_named_with_the_stranger():
    claims, one = hearing(PLANT.b), int(PLANT.a[0])
    claims[one] = NOT_OF_DESIGN
    stranger = ("pg9-row-01-1-1", "1")
    [(_, heard, other)] = contradictions(NAMES, claims, {one: stranger})
    assert (heard, other) == (NAMES.port(one), stranger)
