"""What light shows beside what is recorded, of plants with one thing about them."""

from collections import Counter

import numpy as np

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand, strand_of
from fabric_twin.core.designs import find_design
from fabric_twin.core.discovery.against_record import (
    APART,
    SILENT,
    Compared,
    ComparedCable,
    RecordedCable,
    compare_cables,
)

from .plants import HiddenPlant, discover

SLOTS = tuple(range(1, 7))
HELD = "a ticket holds it"


def as_ruled(intended: Intended) -> list[RecordedCable]:
    """Every cable recorded where the rule wants it; its key is its port."""
    ends = zip(intended.a.tolist(), intended.b.tolist(), strict=True)
    return [RecordedCable(str(near), near, far, False) for near, far in ends]


def compared(
    plant: HiddenPlant,
    records: list[RecordedCable],
    left: dict[int, str] | None = None,
    answered: tuple[int, ...] = SLOTS,
    design: str = "ironwood",
) -> tuple[dict[str, int], list[ComparedCable]]:
    """How many cables are how; and those that are not as recorded."""
    alone = [""] * len(plant.layout.mate)
    for port, why in (left or {}).items():
        alone[port] = why
    usable = np.array([not why for why in alone])
    observed, _ = discover(plant, usable=usable)
    intended = intended_plant(find_design(design), "p1", SLOTS)
    rows = list(compare_cables(intended, observed, records, alone, answered))
    other = [row for row in rows if row.how is not Compared.AS_RECORDED]
    return dict(Counter(row.how.value for row in rows)), other


def ironwood() -> tuple[HiddenPlant, list[RecordedCable]]:
    plant = HiddenPlant.as_ruled("ironwood", SLOTS)
    return plant, as_ruled(plant.intended)


def test_a_plant_that_is_as_recorded_says_nothing_else():
    plant, records = ironwood()
    assert compared(plant, records) == ({"as-recorded": len(records)}, [])


def test_two_plugs_that_are_swapped_are_elsewhere_and_can_be_accepted():
    plant, records = ironwood()
    one, other = records[0], records[96]
    plant.plugged[one.near], plant.plugged[other.near] = other.end, one.end
    counts, rows = compared(plant, records)
    assert counts == {"elsewhere": 2, "as-recorded": len(records) - 2}
    assert [(row.key, row.was, row.now, row.can_be_accepted) for row in rows] == [
        (one.key, one.end, other.end, True),
        (other.key, other.end, one.end, True),
    ]


def test_a_cable_without_a_record_is_shown_with_both_its_ends():
    plant, records = ironwood()
    gone, *rest = records
    counts, [row] = compared(plant, rest)
    assert counts == {"no-record": 1, "as-recorded": len(rest)}
    assert (row.key, row.near, row.now, row.can_be_accepted) == ("", gone.near, gone.end, True)


def test_a_dark_cable_is_not_shown_and_cannot_be_accepted():
    plant, records = ironwood()
    plant.dark.add(records[0].near)
    counts, [row] = compared(plant, records)
    assert counts == {"not-shown": 1, "as-recorded": len(records) - 1}
    assert (row.why, row.can_be_accepted) == ("", False)


def test_a_port_that_is_left_alone_says_why():
    plant, records = ironwood()
    held = records[0]
    counts, [row] = compared(plant, records, left={held.end: HELD})
    assert counts == {"not-looked-at": 1, "as-recorded": len(records) - 1}
    assert (row.how, row.why) == (Compared.NOT_LOOKED_AT, HELD)


def test_a_cube_that_did_not_answer_was_not_looked_at():
    plant, records = ironwood()
    of_six = [one for one in records if plant.layout.slot[one.near] == 6]
    plant.dark.update(one.near for one in of_six)
    counts, rows = compared(plant, records, answered=SLOTS[:-1])
    assert counts == {"not-looked-at": len(of_six), "as-recorded": len(records) - len(of_six)}
    assert {row.why for row in rows} == {SILENT.format("cube")}


def test_exchanged_strands_are_elsewhere_and_strands_apart_cannot_be_accepted():
    design = "tpu-v4"
    plant = HiddenPlant.as_ruled(design, SLOTS)
    whole = intended_plant(find_design(design), "p1", SLOTS)
    records = as_ruled(whole)
    layout = whole.names.layout
    crossed, one, other = records[0], records[1], records[2]
    strands = {near: [int(strand_of(layout, np.array([near]), n)[0]) for n in (0, 1)]
               for near in (crossed.near, one.near, other.near)}  # fmt: skip
    first, second = strands[crossed.near]
    plant.plugged[first], plant.plugged[second] = plant.plugged[second], plant.plugged[first]
    here, there = strands[one.near][0], strands[other.near][0]
    plant.plugged[here], plant.plugged[there] = plant.plugged[there], plant.plugged[here]
    assert by_strand(whole).names.layout.strands == 2
    counts, rows = compared(plant, records, design=design)
    assert counts == {"elsewhere": 3, "as-recorded": len(records) - 3}
    assert [(row.key, row.crossed, row.why, row.can_be_accepted) for row in rows] == [
        (crossed.key, True, "", True),
        (one.key, False, APART, False),
        (other.key, False, APART, False),
    ]
