"""Follow the light of a slice, chip by chip, and find the torus that was asked for.

The checker knows what the facts say and what `slice --json` writes, and nothing of our code:

    chip --copper-- chip        inside a cube
    chip --port-- cable --switch port-- circuit --switch port-- cable --port-- chip
"""

import json
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples

OURS = ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"]
SLOTS = {"ironwood": 144, "tpu-v5p": 140}
PLUS, MINUS = 0, 1


def plugged(design, slot, axis, sign, index, lane):
    """The switch port that a cube port's cable is on: switch, and its A and B side or one."""
    i, j = index
    if design == "tpu-v4-cwdm8":
        port, j = slot + (0 if j % 2 else 64), (j + 1) // 2
    elif design in {"tpu-v4", "tpu-v4-duplex"}:
        port = slot + 64 * sign
    else:
        port = slot
    group = f"-{lane}" if design == "tpu-v4-duplex" else ""
    return f"p-ocs-{'xyz'[axis]}-{i}-{j}{group}", port


class Light:
    """Where light goes that leaves a chip of a slice."""

    def __init__(self, design, made):
        self.design = design
        self.paired = design in {"tpu-v4", "tpu-v4-duplex"}
        self.lanes = [1, 2] if design == "tpu-v4-duplex" else [1]
        self.from_a, self.from_b = {}, {}
        for circuit in made["circuits"]:
            switch, a, b = circuit["switch"], circuit["a"], circuit["b"]
            assert a.endswith("A")
            assert b.endswith("B")
            # No port of a switch is used twice.
            assert (switch, a) not in self.from_a
            assert (switch, b) not in self.from_b
            self.from_a[switch, a], self.from_b[switch, b] = b, a
        self.slots = [cube["slot"] for cube in made["cubes"]]
        self.cable = {
            (plugged(design, slot, axis, sign, index, lane), sign if not self.paired else None): (
                slot,
                axis,
                sign,
                index,
            )
            for slot in self.slots
            for axis, sign in product(range(3), (PLUS, MINUS))
            for index in product(range(1, 5), repeat=2)
            for lane in self.lanes
        }

    def through(self, slot, axis, sign, index, lane):
        """The cube port at the other end of a link; both directions of a pair must agree."""
        switch, port = plugged(self.design, slot, axis, sign, index, lane)
        if self.paired:
            out = self.from_a[switch, f"{port}A"]
            back = self.from_b[switch, f"{port}B"]
            assert out[:-1] == back[:-1]
            return self.cable[(switch, int(out[:-1])), None]
        far = self.from_a[switch, f"{port}A"] if sign == PLUS else self.from_b[switch, f"{port}B"]
        return self.cable[(switch, int(far[:-1])), 1 - sign]

    def next(self, slot, chip, axis, sign):
        """The chip that one step leads to, from a chip with coordinates from 1."""
        step = 1 if sign == PLUS else -1
        if 1 <= chip[axis] + step <= 4:
            return slot, tuple(c + step * (a == axis) for a, c in enumerate(chip))
        index = tuple(c for a, c in enumerate(chip) if a != axis)
        ends = {self.through(slot, axis, sign, index, lane) for lane in self.lanes}
        [(far_slot, far_axis, far_sign, far_index)] = ends
        assert (far_axis, far_sign, far_index) == (axis, 1 - sign, index)
        far_chip = list(far_index)
        far_chip.insert(axis, 1 if sign == PLUS else 4)
        return far_slot, tuple(far_chip)


def expected(place, axis, sides, twisted):
    """The chip of a torus after this one, in the slice's own coordinates from 0."""
    after = list(place)
    after[axis] += 1
    if after[axis] == sides[axis]:
        after[axis] = 0
        if twisted and sides[axis] == min(sides):
            for long in range(3):
                if sides[long] == max(sides):
                    after[long] = (after[long] + sides[long] // 2) % sides[long]
    return tuple(after)


def check_torus(design, made):
    """Every chip's six neighbours are those of the torus asked for."""
    sides = tuple(map(int, made["shape"].split("x")))
    light = Light(design, made)
    slot_at = {tuple(cube["at"]): cube["slot"] for cube in made["cubes"]}
    assert sorted(slot_at) == sorted(product(*(range(side // 4) for side in sides)))
    assert len(set(slot_at.values())) == len(slot_at)
    at_slot = {slot: at for at, slot in slot_at.items()}

    def here(place):
        return slot_at[tuple(c // 4 for c in place)], tuple(c % 4 + 1 for c in place)

    def place_of(slot, chip):
        return tuple(4 * at + c - 1 for at, c in zip(at_slot[slot], chip, strict=True))

    for place in product(*map(range, sides)):
        for axis in range(3):
            after = expected(place, axis, sides, made["twisted"])
            assert place_of(*light.next(*here(place), axis, PLUS)) == after
            assert place_of(*light.next(*here(after), axis, MINUS)) == place


def slice_of(run, design, shape, *options):
    done = run("slice", "--design", design, "--pod", "p", "--shape", shape, "--json", *options)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("design", "shape", "circuits"),
    [
        ("tpu-v4", "4x4x4", 96),
        ("tpu-v4", "4x4x8", 192),
        ("tpu-v4", "4x8x12", 576),
        ("tpu-v4", "8x8x16", 1536),
        ("tpu-v4", "4x4x256", 6144),
        ("tpu-v4", "8x16x32", 6144),
        ("tpu-v4", "16x16x16", 6144),
        ("tpu-v5p", "16x20x28", 6720),
        ("ironwood", "16x16x36", 6912),
    ],
)
def test_the_published_shapes_are_tori(run, design, shape, circuits):
    made = slice_of(run, design, shape)
    assert len(made["circuits"]) == circuits
    check_torus(design, made)


@pytest.mark.parametrize(
    ("design", "links"),
    list(zip(OURS, [48, 48, 96, 192, 48], strict=True)),
)
@pytest.mark.parametrize(("shape", "cubes"), [("4x4x4", 1), ("8x4x12", 6)])
def test_every_design_makes_tori(run, design, links, shape, cubes):
    made = slice_of(run, design, shape)
    assert len(made["circuits"]) == links * cubes
    check_torus(design, made)


TWISTED = ["4x4x8", "4x8x8", "8x8x16", "8x16x16"]


@pytest.mark.parametrize(
    "shape",
    sorted({"x".join(turned) for shape in TWISTED for turned in permutations(shape.split("x"))}),
)
def test_every_twisted_shape_of_the_mix_is_twisted_in_every_order_of_axes(run, shape):
    check_torus("tpu-v4", slice_of(run, "tpu-v4", shape, "--twisted"))


@pytest.mark.parametrize("design", OURS)
def test_every_design_makes_twisted_tori(run, design):
    check_torus(design, slice_of(run, design, "8x4x8", "--twisted"))


@st.composite
def wishes(draw):
    """A design, a shape of at most 24 cubes, and the slots that may be used, far apart."""
    design = draw(st.sampled_from(OURS))
    grid = draw(st.tuples(*[st.integers(1, 6)] * 3).filter(lambda g: g[0] * g[1] * g[2] <= 24))
    last = SLOTS.get(design, 64)
    cubes = grid[0] * grid[1] * grid[2]
    slots = draw(st.sets(st.integers(1, last), min_size=cubes, max_size=cubes + 3))
    return design, "x".join(str(4 * side) for side in grid), ",".join(map(str, sorted(slots)))


@settings(max_examples=examples(12))
@given(wish=wishes())
def test_random_shapes_on_random_cubes_are_tori(wish):
    from click.testing import CliRunner

    from fabric_twin.cli import main

    design, shape, slots = wish
    arguments = ["slice", "--design", design, "--pod", "p", "--shape", shape, "--slots", slots]
    done = CliRunner().invoke(main, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)
    assert {cube["slot"] for cube in made["cubes"]} <= set(map(int, slots.split(",")))
    check_torus(design, made)


@pytest.mark.parametrize("design", OURS)
@pytest.mark.parametrize(
    "shape", ["1x1x1", "1x1x2", "1x2x2", "2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x2x4"]
)
def test_a_slice_under_a_cube_is_a_mesh_of_copper_without_wraparound(run, design, shape):
    made = slice_of(run, design, shape)
    assert "circuits" not in made
    sides = tuple(map(int, shape.split("x")))
    places = list(product(*map(range, sides)))
    assert len(made["chips"]) == len({tuple(chip) for chip in made["chips"]}) == len(places)
    assert len({slot for slot, *_ in made["chips"]}) == 1
    chip_at = dict(zip(places, made["chips"], strict=True))
    for place, (axis, side) in product(places, enumerate(sides)):
        after = tuple(c + (a == axis) for a, c in enumerate(place))
        if after[axis] < side:
            steps = [abs(a - b) for a, b in zip(chip_at[place], chip_at[after], strict=True)]
            assert sorted(steps) == [0, 0, 0, 1]  # one step of copper
    assert all(1 <= c <= 4 for _, *chip in made["chips"] for c in chip)


def test_a_spare_port_carries_the_circuit_of_the_port_it_stands_in_for(run, tmp_path):
    spares = tmp_path / "spares.json"
    row = {"switch": "p-ocs-x-3-2", "port": "2", "spare": "130"}
    spares.write_text(json.dumps({"substitutions": [row]}))
    plain = slice_of(run, "tpu-v4", "8x4x4")
    spared = slice_of(run, "tpu-v4", "8x4x4", "--substitutions", str(spares))
    changed = [c for c in spared["circuits"] if c not in plain["circuits"]]
    assert changed == [
        {"switch": "p-ocs-x-3-2", "a": "130A", "b": "65B"},
        {"switch": "p-ocs-x-3-2", "a": "65A", "b": "130B"},
    ]
