"""What faults cost, against a count that knows the wiring rule from its sentence alone.

The port (axis, sign, i, j) of the cube in slot n is on switch (axis, i, j): `+` on n of the A side,
`-` on n of the B side. So a circuit from 7A to 9B of a switch joins cube 7's `+` to cube 9's `-`.
"""

import random
import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.designs import find_design
from fabric_twin.core.findings.cost import Cost, Costs, Impact

IRONWOOD = find_design("ironwood")
PLANT = intended_plant(IRONWOOD, "p")
NAMES = PLANT.names
AXES = "xyz"
#: As pods are drawn: cubes in the first slots, the others are empty.
SLOTS, SWITCHES = 40, [(axis, i, j) for axis in AXES for i in range(1, 5) for j in range(1, 5)]


def place_of(device: str, port: str) -> tuple:
    """A port by what the rule says of it: a cube's, or a switch's."""
    if cube := re.fullmatch(r"p-c(\d+)-t\d+", device):
        *chip, axis, sign = re.fullmatch(r"(\d)\.(\d)\.(\d)/([XYZ])([+-])", port).groups()
        i, j = (int(at) for at, name in zip(chip, AXES, strict=True) if name != axis.lower())
        return "cube", int(cube[1]), axis.lower(), sign, i, j
    axis, i, j = re.fullmatch(r"p-ocs-([xyz])-(\d)-(\d)", device).groups()
    return "switch", axis, int(i), int(j), int(port[:-1]), port[-1]


@pytest.fixture(scope="module")
def places() -> dict[int, tuple]:
    """Every port that a cable of the first cubes is in."""
    found = {}
    for number in range(len(PLANT.mate)):
        place = place_of(*NAMES.port(number))
        if place[1 if place[0] == "cube" else 4] <= SLOTS:
            found[number] = place
    return found


def drawn_circuits(draw: random.Random, number_of: dict[tuple, int]) -> dict[tuple, set]:
    """Some circuits of each switch: `A port, B port` by switch."""
    made = defaultdict(set)
    for switch in draw.sample(SWITCHES, draw.randint(0, 48)):
        a, b = (draw.sample(range(1, SLOTS + 1), draw.randint(0, 20)) for _ in "ab")
        made[switch] = set(zip(a, b, strict=False))
    return made


def columns(made: dict[tuple, set]) -> Circuits:
    number = {name: n for n, name in enumerate(SWITCHES)}
    layout = IRONWOOD.layout
    assert [(AXES[axis], *index) for axis, index in layout.switches] == SWITCHES, layout.switches[
        :3
    ]
    rows = [(number[switch], a, b) for switch, pairs in made.items() for a, b in pairs]
    return Circuits(*np.array(rows, np.int32).reshape(-1, 3).T)


def counted(made: dict[tuple, set], idle: set[int], fault: list[tuple]) -> tuple[int, int]:
    """The circuits that a fault hits, and the idle cubes, by the sentence."""
    hit, cubes = set(), set()
    for kind, *where in fault:
        if kind == "cube":
            slot, axis, sign, i, j = where
            port, side = slot, "A" if sign == "+" else "B"
        else:
            axis, i, j, port, side = where
        cubes.add(port)
        for pair in made.get((axis, i, j), ()):
            if pair["AB".index(side)] == port:
                hit.add(((axis, i, j), pair))
    return len(hit), len(cubes & idle)


@pytest.mark.parametrize("seed", range(500))
def test_findings_of_a_drawn_pod_cost_what_was_counted_and_come_in_that_order(
    seed: int, places: dict[int, tuple]
) -> None:
    draw = random.Random(seed)
    made = drawn_circuits(draw, {})
    idle = set(draw.sample(range(1, SLOTS + 1), draw.randint(0, SLOTS)))
    costs = Costs(IRONWOOD.layout, PLANT.mate, circuits=columns(made), idle=idle)
    begin = datetime(2026, 11, 1, tzinfo=UTC)
    findings = []
    for name in range(draw.randint(1, 12)):
        ports = draw.sample(sorted(places), draw.choice((1, 1, 2, 4, 96)))
        opened = begin + timedelta(hours=draw.randint(0, 5))
        circuits, cubes = counted(made, idle, [places[port] for port in ports])
        cost = costs.of(ports)
        assert cost == Cost(circuits, cubes)
        findings.append((name, cost, circuits, cubes, opened))
    by_count = sorted(findings, key=lambda one: (-one[2], -one[3], one[4]))
    by_cost = sorted(findings, key=lambda one: (-one[1].circuits, -one[1].cubes, one[4]))
    assert [one[0] for one in by_cost] == [one[0] for one in by_count]


def test_a_port_whose_cable_is_on_a_spare_costs_nothing_and_the_spare_costs_the_circuit() -> None:
    design = find_design("tpu-v5p")
    moved = Substitution("p-ocs-x-3-2", "7A", "141A")
    plant = intended_plant(design, "p", None, [moved])
    bad, spare = plant.names.find(["p-ocs-x-3-2"] * 2, ["7A", "141A"]).tolist()
    switch = SWITCHES.index(("x", 3, 2))
    row = Circuits(*(np.array([column], np.int32) for column in (switch, 141, 9)))
    costs = Costs(design.layout, plant.mate, circuits=row, idle={7}, replaced={bad})
    assert costs.of([bad]) == Cost(is_spared=True)
    assert costs.of([spare]) == Cost(circuits=1, cubes=1)


@pytest.mark.parametrize("name", ["tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8", "tpu-v5p"])
def test_a_switch_that_is_lost_takes_each_of_its_circuits_once(name: str) -> None:
    design = find_design(name)
    layout, plant = design.layout, intended_plant(design, "p")
    a = np.arange(1, 5, dtype=np.int32)
    circuits = Circuits(np.zeros(4, np.int32), a, np.roll(a, 1))
    costs = Costs(layout, plant.mate, circuits=circuits, idle={1, 2, 3, 60})
    first = layout.cube_ports
    assert costs.of(range(first, first + layout.ports_per_switch)) == Cost(circuits=4, cubes=4)
    assert costs.of(range(layout.ports_per_cube)).circuits == 2  # cube 1: one leaves, one arrives


def test_how_bad_it_is() -> None:
    assert Cost(circuits=1, cubes=9).impact is Impact.SLICES
    assert Cost(cubes=1).impact is Impact.CAPACITY
    assert Cost(is_spared=True).impact is Impact.NOTHING
