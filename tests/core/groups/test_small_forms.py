"""The small forms of the source: how long a ring their cables allow, followed port by port."""

from fabric_twin.core.cabling.plant import Intended
from tests.core.groups.examples import example

#: What joins two ports of a switch, one way: the port in and the port out, by switch.
Entries = dict[str, dict[int, int]]


def processors_of_a_ring(intended: Intended, entries: Entries) -> int:
    """Follow a ring from its first switch until it is back there, and count the processors."""
    names, length = intended.names, intended.design.cube.size
    switch = first = min(entries)
    port = begin = min(entries[first])
    seen = 0
    while True:
        out = entries[switch].pop(port)
        here = int(names.find([f"pg1-row-{switch}-1-1"], [str(out)])[0])
        device, came_in = names.port(int(intended.mate[here]))
        if "row" not in device:  # through a chain, to its other end
            seen += length
            other = f"1.{length}/E1" if "W" in came_in else "1.1/W1"
            far = int(intended.mate[int(names.find([device], [other])[0])])
            device, came_in = names.port(far)
        switch, port = device.split("-")[2], int(came_in)
        if (switch, port) == (first, begin):
            assert not any(entries.values()), "the ring uses every entry"
            return seen


def test_one_switch_joins_four_chains_of_four_to_a_ring_of_16() -> None:
    entries = {"01": {2: 3, 4: 5, 6: 7, 8: 1}}
    assert processors_of_a_ring(example("one-switch"), entries) == 16


def test_two_of_four_switches_make_a_ring_of_20_that_goes_back_over_a_third() -> None:
    entries = {"01": {8: 1, 2: 3, 4: 5, 6: 7}, "02": {7: 1, 2: 8}, "03": {8: 7}}
    assert processors_of_a_ring(example("four-switches"), entries) == 20


def test_all_four_switches_make_a_ring_of_60() -> None:
    entries = {
        "01": {9: 1, 2: 3, 4: 5, 6: 7},
        "02": {7: 1, 2: 3, 4: 5, 6: 8},
        "03": {8: 1, 2: 3, 4: 5, 6: 9},
        "04": {9: 1, 2: 3, 4: 5, 6: 7},
    }
    assert processors_of_a_ring(example("four-switches"), entries) == 60


def test_leaves_reach_each_other_over_the_core() -> None:
    intended = example("leaves-and-core")
    names = intended.names
    core = [names.find(["pg1-row-t1-1-1-1"], [str(leaf)])[0] for leaf in (1, 2, 3, 4)]
    assert [names.port(int(intended.mate[port])) for port in core] == [
        (f"pg1-row-0{leaf}-1-1", "7") for leaf in (1, 2, 3, 4)
    ]
