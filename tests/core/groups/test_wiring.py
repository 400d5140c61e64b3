"""The counts of the source, and every cable of any cluster against the rule written once more."""

from collections import Counter

import pytest
from hypothesis import given, settings

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import GroupsDesign, groups_design
from fabric_twin.core.groups.group import Group
from tests.core.groups import by_hand
from tests.core.groups.examples import clusters, example


def ends(intended: Intended) -> list[frozenset[tuple[str, str]]]:
    """The cables of a plant, each as the set of its two ends."""
    names = intended.names
    sides = (zip(*names.ends(ports), strict=True) for ports in (intended.a, intended.b))
    return [frozenset(pair) for pair in zip(*sides, strict=True)]


def what(device: str) -> str:
    """Which kind of device a name is of."""
    part = device.removeprefix("pg1-")
    return "group" if part[0] == "r" and part[1].isdigit() else part[:3] + "-t1" * ("t1" in part)


@pytest.mark.parametrize(
    ("joined", "cross", "switches", "uplinks"),
    [
        ("a", False, 48, 1_152),
        ("b", False, 192, 9_216),
        ("a", True, 48, 1_152),
        ("b", True, 168, 8_064),
    ],
)
def test_the_full_cluster_has_the_counts_of_the_source(
    joined: str, cross: bool, switches: int, uplinks: int
) -> None:
    if cross:
        sizes = Cluster(Group.of(4, lanes=3), 24, 24, Joined(joined), cross_links=True)
        design = groups_design("crossed", "with cross links", sizes)
    else:
        design = find_design(f"groups-{joined}")
    found = ends(intended_plant(design, "pg1"))
    full = {"side": 4, "lanes": 3, "rows": 24, "columns": 24, "joined": joined, "cross": cross}
    assert set(found) == by_hand.cables("pg1", **full)
    ports = [end for cable in found for end in cable]
    assert max(Counter(ports).values()) == 1, "no port twice"

    pairs = Counter(tuple(sorted(what(device) for device, _ in cable)) for cable in found)
    assert pairs == Counter(
        {
            ("group", "row"): 13_824,
            ("col", "group"): 13_824,
            ("row", "row-t1"): uplinks // 2,
            ("col", "col-t1"): uplinks // 2,
            **({("col", "row"): 576} if cross else {}),
        }
    )
    devices = Counter(map(what, {device for device, _ in ports}))
    assert devices == {
        "group": 576,
        "row": 288,
        "col": 288,
        "row-t1": switches // 2,
        "col-t1": switches // 2,
    }
    assert design.chips == 9_216
    assert 576 * len(design.cube.copper_links) == 41_472
    of_a_switch = [int(port) for device, port in ports if device == "pg1-row-07-2-3"]
    down = [port for port in of_a_switch if port <= 48]
    assert (len(down), len(down) / 16) == (48, 3), "3:1"
    of_tier_1 = Counter(port for device, port in ports if device == "pg1-col-t1-4-1-2")
    assert len(of_tier_1) == (24 if joined == "a" else 48), "40, or 16, are free"


@settings(max_examples=60, deadline=None)
@given(clusters())
def test_every_cluster_is_wired_as_the_rule_is_written_cable_by_cable(
    made: tuple[GroupsDesign, dict[str, object]],
) -> None:
    design, sizes = made
    intended = intended_plant(design, "pg1")
    found = ends(intended)
    assert len(found) == len(set(found)) == design.cables
    assert set(found) == by_hand.cables("pg1", **sizes)
    assert max(Counter(end for cable in found for end in cable).values()) == 1
    names, ports = intended.names, list(range(len(intended.mate)))
    called = [names.port(port) for port in ports]
    assert names.find(*zip(*called, strict=True)).tolist() == ports


def test_cross_links_are_the_pairs_of_the_figure() -> None:
    crossed = [
        sorted((device.split("-")[1:3], port) for device, port in cable)
        for cable in ends(example("cross-links"))
        if {what(device) for device, _ in cable} == {"row", "col"}
    ]
    pairs = {(f"{int(row[1])}-{int(col[1])}", port) for (col, _), (row, port) in crossed}
    assert pairs == {
        *(("1-1", "63"), ("1-2", "64"), ("2-2", "63"), ("2-3", "64")),
        *(("3-3", "63"), ("3-4", "64"), ("4-4", "63"), ("4-1", "64")),
    }
    assert len(crossed) == 8 * 12, "once in each plane"


def test_a_group_of_some_slots_brings_its_own_cables() -> None:
    intended = intended_plant(find_design("groups-a"), "pg1", [25])
    assert len(intended.a) == 48 + 1_152, "switches are there whatever groups are"
    assert {names[0] for names in map(intended.names.port, intended.a.tolist()[:48])} == {
        "pg1-r02c01"
    }


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ({"rows": 25}, "rows: 25 rows of groups cannot be laid out: a switch has 48 ports for"),
        ({"columns": 0}, "columns: 0 columns of groups cannot be laid out"),
        ({"group": Group.of(1, lanes=3)}, "group: a group of 1x1 processors cannot be laid out"),
        ({"group": Group.of(9, lanes=3)}, "group: a group of 9x9 processors cannot be laid out"),
        ({"group": Group.of(4, lanes=9)}, "lanes: 9 lanes cannot be laid out. Give 1 to 8."),
        ({"rows": 3}, "cross links: each row has a column of its number, and there are 3 rows"),
        (
            {"joined": Joined.CORE},
            "cross links: their ports are known beside nothing, a or b, not",
        ),
        ({"group": Group.of(4, lanes=1, chain=True)}, "cross links: they join switches of rows to"),
        (
            {"joined": Joined.EACH_OTHER, "rows": 24, "columns": 24, "cross_links": False},
            "joined: 24 switches of a plane cannot each have a cable to each other: 16 ports are",
        ),
    ],
)
def test_what_cannot_be_wired_is_refused_where_it_is_written(
    sizes: dict[str, object], told: str
) -> None:
    good = {"group": Group.of(4, lanes=3), "rows": 4, "columns": 4}
    good |= {"joined": Joined.EIGHT, "cross_links": True}
    with pytest.raises(DesignRefused) as refused:
        Cluster(**(good | sizes))
    assert str(refused.value).startswith(told)
