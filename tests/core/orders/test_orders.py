"""Work orders as a technician reads them."""

import pytest

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.floor import Spot
from fabric_twin.core.orders.materials import Stock
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import Deferred
from fabric_twin.core.orders.planning.cableway import Cableway
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.steps import Step

from .pods import pod


def test_racks_of_switches_stand_in_the_middle_of_the_default_floor() -> None:
    floor = pod().floor
    assert [floor.spots[rack] for rack in ("p1-c001", "p1-c024", "p1-c025", "p1-c144")] == [
        Spot(1, 1),
        Spot(1, 24),
        Spot(2, 1),
        Spot(7, 24),
    ]
    assert [floor.spots[f"p1-ocs-r{n:02d}"] for n in (1, 6)] == [Spot(4, 10), Spot(4, 15)]
    assert floor.rack("p1-c007-t03") == "p1-c007"
    assert floor.rack("p1-ocs-z-4-4") == "p1-ocs-r06"
    assert floor.in_turn(["p1-c025", "p1-c001", "p1-c002", "p1-c026"]) == [
        *("p1-c001", "p1-c002", "p1-c026", "p1-c025")
    ]


def test_a_floor_may_be_another() -> None:
    floor = pod().floor.moved({"p1-c001": Spot(9, 1), "p1-c002": Spot(1, 1)})
    assert floor.walk_m(floor.spot("p1-c001"), floor.spot("p1-c002")) == pytest.approx(20.4)
    with pytest.raises(UnusableInput, match="p1-c002 both stand in row 1, place 2"):
        pod().floor.moved({"p1-c001": Spot(1, 2)})
    with pytest.raises(UnusableInput, match="no rack 'p1-c999'"):
        pod().floor.moved({"p1-c999": Spot(1, 2)})


def test_a_cable_goes_up_along_and_down_with_slack_and_is_sold_in_standard_lengths() -> None:
    floor, way = pod().floor, Cableway()
    ends = floor, "p1-c001-t16", "p1-ocs-x-1-1"
    # 2.6 - 46 units up, 9 places along, 3 rows across, 2.6 - 1 unit down, twice 1.5 to spare
    assert way.run_m(*ends) == pytest.approx(0.5553 + 5.4 + 7.2 + 2.55555 + 3.0)
    assert way.length_m(*ends) == 20
    assert Cableway(standard_m=(3, 5)).length_m(*ends) == 20
    assert Cableway(standard_m=(3, 19)).length_m(*ends) == 19


def test_a_cube_is_installed_with_one_visit_to_each_rack() -> None:
    whole = pod(slots=range(1, 3))
    order = install(whole.intended, {2}, whole.floor)
    assert order.title == "Install cube 2 of p1"
    assert [(visit[0].rack, len(visit)) for visit in order.visits()] == [
        ("p1-c002", 1 + 16 + 96 + 96 * 4),
        *[(f"p1-ocs-r{n:02d}", 1 + 16 * 6 + 1) for n in (6, 5, 4, 3, 2, 1)],
    ]
    assert [(part.name, part.needed, part.short) for part in order.materials] == [
        ("OSFP 800G bidi, 8 wavelengths", 96, 96),
        ("cable, one strand, 20 m", 56, 56),
        ("cable, one strand, 25 m", 40, 40),
        ("label", 192, 192),
        ("tray", 16, 16),
    ]
    at_the_switch = [str(step) for step in order.steps if step.device == "p1-ocs-z-4-4"]
    assert at_the_switch == [
        "block p1-ocs-z-4-4 port 2A",
        "block p1-ocs-z-4-4 port 2B",
        "scan p1-c002:4.4.4/Z+ at p1-ocs-z-4-4 port 2A",
        "inspect p1-ocs-z-4-4 port 2A",
        "clean p1-ocs-z-4-4 port 2A",
        "plug p1-c002:4.4.4/Z+ into p1-ocs-z-4-4 port 2A",
        "scan p1-c002:4.4.1/Z- at p1-ocs-z-4-4 port 2B",
        "inspect p1-ocs-z-4-4 port 2B",
        "clean p1-ocs-z-4-4 port 2B",
        "plug p1-c002:4.4.1/Z- into p1-ocs-z-4-4 port 2B",
        "release p1-ocs-z-4-4 port 2A",
        "release p1-ocs-z-4-4 port 2B",
    ]
    cost = measure(order)
    assert (cost.hands, cost.visits, cost.metres) == (112 + 192 * 3, 7, 21.6)


FAULTS = [
    {
        "id": "dirt",
        "code": "high-loss",
        "cables": ["p1-c001:4.1.1/X+"],
        "ports": [["p1-c001-t02", "4.1.1/X+"], ["p1-ocs-x-1-1", "1A"]],
        "remedy": [
            {"do": "clean", "device": "p1-c001-t02", "port": "4.1.1/X+"},
            {"do": "clean", "device": "p1-ocs-x-1-1", "port": "1A"},
        ],
    },
    {
        "id": "mirror",
        "code": "port-failed",
        "ports": [["v4-ocs-x-1-2", "1A"]],
        "evidence": {"spare": "130A"},
        "remedy": [{"do": "replace", "device": "v4-ocs-x-1-2", "port": "1A", "part": "mirror"}],
    },
    {
        "id": "board",
        "code": "board-out",
        "ports": [["p1-ocs-x-1-2", ""], ["p1-ocs-x-1-2", "1A"], ["p1-ocs-x-1-2", "2A"]],
        "remedy": [{"do": "replace", "device": "p1-ocs-x-1-2", "port": "", "part": "LINE-CARD0"}],
    },
    {
        "id": "record",
        "code": "wrong-serial",
        "severity": "warning",
        "remedy": [
            {"do": "correct-record", "object": "x", "field": "serial", "from": "1", "to": "2"}
        ],
    },
]


def test_switch_faults_come_first_and_two_faults_at_one_rack_are_one_visit() -> None:
    whole = pod()
    found = [Found.from_json(fault) for fault in FAULTS if fault["id"] != "mirror"]
    circuits = {("p1-ocs-x-1-2", "2A"): "job-7", ("p1-ocs-x-1-1", "1A"): "job-8"}
    order = repair(whole.intended, found, whole.floor, whole.plugs(), in_circuits=circuits)

    assert [str(step) for step in order.steps if not step.rung] == [
        "go to p1-ocs-r01",
        "replace LINE-CARD0 of p1-ocs-x-1-2",
        "check board by light",
        "block p1-ocs-x-1-1 port 1A",
        "inspect p1-ocs-x-1-1 port 1A",
        "clean p1-ocs-x-1-1 port 1A",
        "inspect p1-ocs-x-1-1 port 1A",
        "release p1-ocs-x-1-1 port 1A",
        "go to p1-c001",
        "inspect p1-c001-t02 port 4.1.1/X+",
        "clean p1-c001-t02 port 4.1.1/X+",
        "inspect p1-c001-t02 port 4.1.1/X+",
        "check dirt by light",
    ]
    assert [(n.name, n.what, n.ports, n.owners) for n in order.needs] == [
        ("drain board", "drain", (("p1-ocs-x-1-2", "2A"),), ("job-7",)),
        ("drain dirt", "drain", (("p1-ocs-x-1-1", "1A"),), ("job-8",)),
        ("record record", "record", (), ()),
    ]
    assert {(s.finding, s.need) for s in order.steps if s.need} == {
        ("board", "drain board"),
        ("dirt", "drain dirt"),
    }


def test_what_has_no_part_goes_to_a_spare_or_waits_and_says_why() -> None:
    whole = pod("tpu-v4", name="v4")
    mirror = Found.from_json(FAULTS[1])
    order = repair(whole.intended, [mirror], whole.floor, whole.plugs(), stock=Stock.of({}, {}))
    assert [str(step) for step in order.steps] == [
        "go to v4-ocs-r01",
        "block v4-ocs-x-1-2 port 1",
        "unplug v4-c001:4.1.2/X+ from v4-ocs-x-1-2 port 1",
        "cap v4-ocs-x-1-2 port 1",
        "release v4-ocs-x-1-2 port 1",
        "block v4-ocs-x-1-2 port 130",
        "scan v4-c001:4.1.2/X+ at v4-ocs-x-1-2 port 130",
        "inspect v4-ocs-x-1-2 port 130",
        "clean v4-ocs-x-1-2 port 130",
        "plug v4-c001:4.1.2/X+ into v4-ocs-x-1-2 port 130",
        "release v4-ocs-x-1-2 port 130",
        "check mirror by light",
    ]
    [need] = order.needs
    assert (need.what, need.ports, need.spare) == ("substitute", (("v4-ocs-x-1-2", "1"),), "130")

    bare = pod()
    [board] = [Found.from_json(fault) for fault in FAULTS if fault["id"] == "board"]
    order = repair(bare.intended, [board], bare.floor, bare.plugs(), stock=Stock.of({}, {}))
    assert order.steps == ()
    assert order.deferred == (Deferred("board", "there is no LINE-CARD0 on hand or ordered"),)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"do": "dance", "rack": "r"}, "there is no kind of step called 'dance'"),
        ({"rack": "r"}, "there is no kind of step called 'None'"),
        ({"do": "go"}, "there is no kind of step called 'go'"),
        ({"do": "go", "rack": 7}, "a step has no 'rack' of this kind"),
        ({"do": "go", "rack": "r", "number": True}, "a step has no 'number' of this kind"),
        ({"do": "go", "rack": "r", "speed": 7}, "a step has no 'speed' of this kind"),
    ],
)
def test_what_is_no_step_is_refused(step: dict[str, object], said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        Step.from_json(step)
