"""A design file as a design, or refused for all its mistakes."""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import PurePath
from typing import Any

from fabric_twin.core.chips.chip import MOST_ENDPOINTS, MOST_METADATA, WIDTHS
from fabric_twin.core.cube import STANDARD_CUBE, Cube
from fabric_twin.core.design import Design
from fabric_twin.core.errors import DesignRefused, UnusableInput
from fabric_twin.core.groups.cluster import MOST
from fabric_twin.core.groups.group import LONGEST_CHAIN
from fabric_twin.core.rule import Plant
from fabric_twin.core.slots import parse_slots
from fabric_twin.core.static_torus import neighbour_rule
from fabric_twin.inventory.designs.chip import read_chip
from fabric_twin.inventory.designs.cluster import read_cluster
from fabric_twin.inventory.designs.switch_rule import read_rule
from fabric_twin.inventory.designs.values import Value
from fabric_twin.inventory.designs.yaml_lines import SUFFIX, YamlFile

#: The largest pod that is laid out, by the ports of its cubes: fourteen Ironwoods.
MOST_PORTS = 200_000
#: No pod has as many chips.
MOST_CHIPS = 1_000_000
MOST_SWITCH_PORTS = 1_000_000
_SWITCHED, _STATIC = frozenset({Plant.SPLIT, Plant.PAIRED}), frozenset({Plant.STATIC})
_PACKET, _RING, _CUBES = frozenset({Plant.PACKET}), frozenset({Plant.RING}), _SWITCHED | _STATIC


@dataclass(frozen=True)
class _Field:
    read: Callable[[Value, str], Any]
    example: str
    plants: frozenset[Plant] = frozenset(Plant)
    is_needed: bool = False


def _number(least: int, most: int) -> Callable[[Value, str], int | None]:
    return lambda value, example: value.number(example, least, most)


def _later(value: Value, _example: str) -> Value:
    return value


FIELDS = {
    "name": _Field(Value.name, "pod-150", is_needed=True),
    "title": _Field(Value.text, "Pods of 150 cubes, a fibre pair a port", is_needed=True),
    "plant": _Field(Value.plant, "paired", is_needed=True),
    "slots": _Field(_number(1, MOST_PORTS), "150", _SWITCHED, is_needed=True),
    "cube": _Field(Value.sides, "4x4x4", _CUBES),
    "tray": _Field(Value.sides, "2x2x1", _CUBES),
    "lanes": _Field(_number(1, 8), "1", _CUBES | _PACKET),
    "radix": _Field(_number(1, 10_000), "300", _SWITCHED, is_needed=True),
    "spares": _Field(_later, "129-136", _SWITCHED),
    "rule": _Field(
        read_rule, "{switch: [i, j], port: {slot: 1, sign: 150}}", _SWITCHED, is_needed=True
    ),
    "grid": _Field(Value.sides, "4x4x4", _STATIC, is_needed=True),
    "optical_wraps": _Field(Value.flag, "yes", _STATIC),
    "group": _Field(Value.sides, "4x4", _PACKET),
    "chain": _Field(_number(2, LONGEST_CHAIN), "5", _PACKET),
    "rows": _Field(_number(1, MOST), "24", _PACKET, is_needed=True),
    "columns": _Field(_number(1, MOST), "24", _PACKET, is_needed=True),
    "joined": _Field(Value.joined, "a", _PACKET, is_needed=True),
    "cross_links": _Field(Value.flag, "yes", _PACKET),
    "region": _Field(Value.sides, "8x8", _RING, is_needed=True),
    "regions": _Field(Value.sides, "8x8", _RING, is_needed=True),
    "data": _Field(_number(min(WIDTHS), max(WIDTHS)), "32", _RING),
    "metadata": _Field(_number(0, MOST_METADATA), "4", _RING),
    "memory": _Field(_number(0, MOST_ENDPOINTS - 1), "4", _RING),
    "transceiver": _Field(Value.text, "OSFP 2x CWDM4 bidi", _CUBES),
    "largest_offer": _Field(_number(0, 10**7), "2048", _CUBES),
    "assumptions": _Field(Value.texts, "`+` of slot k is on port k"),
}


def read_design(data: bytes, source: str) -> Design:
    """Read a design, or refuse the file and say all that is wrong with it.

    The file of a design is called by its name, so that a folder of them needs no list.
    """
    file = YamlFile(data, source)
    given = Value(file, "", file.top).table("", FIELDS) or {}
    found = {key: FIELDS[key].read(value, FIELDS[key].example) for key, value in given.items()}
    _check_name(file, given, found)
    _check_keys(file, given, found)
    file.refuse()
    if found["plant"] is Plant.PACKET:
        return read_cluster(given, found)
    if found["plant"] is Plant.RING:
        return read_chip(given, found)
    made = _cubes(given, found)
    switched = found["plant"] in _SWITCHED
    made |= _switches(given, found, made) if switched else _grid(given, found, made)
    file.refuse()
    later = {"cube", "tray", "grid", "spares", "rule"}
    plain = {key for key, field in FIELDS.items() if field.plants not in (_PACKET, _RING)} - later
    made = {key: value for key, value in found.items() if key in plain} | made
    try:
        return Design(**made)
    except DesignRefused as refusal:
        place = refusal.where.partition(", ")[2]
        what = f"{place}: {refusal.what}" if place else refusal.what
        (found["rule"].port if switched else given["grid"]).note(what, refusal.remedy)
        file.refuse()
        raise


def _check_name(file: YamlFile, given: dict[str, Value], found: dict[str, Any]) -> None:
    path = PurePath(file.source)
    if found.get("name") and path.suffix == SUFFIX and path.stem != found["name"]:
        what = f"the design is `{found['name']}`, but its file is {path.name}"
        given["name"].note(what, f"Call the file {found['name']}{SUFFIX}, or change the name")


def _check_keys(file: YamlFile, given: dict[str, Value], found: dict[str, Any]) -> None:
    """Note what is missing, and what a plant of its kind does not have."""
    plant = found.get("plant")
    top = Value(file, "", file.top)
    for key, field in FIELDS.items():
        belongs = plant in field.plants if plant else field.plants == frozenset(Plant)
        if key not in given and field.is_needed and belongs:
            top.note(f"`{key}` is missing", f"Write `{key}: {field.example}`")
        if key in given and plant and not belongs:
            fits = " or ".join(sorted(plant.value for plant in field.plants))
            what = f"a {plant.value} plant has no `{key}`"
            given[key].note(what, f"Leave it out, or write `plant: {fits}`")
    for one, other in (("cube", "tray"), ("tray", "cube")):
        if one in given and other not in given:
            what = f"`{one}` is given without `{other}`"
            given[one].note(what, f"Write both, such as `{other}: {FIELDS[other].example}`")


def _cubes(given: dict[str, Value], found: dict[str, Any]) -> dict[str, Any]:
    """The cube, unless the pod would be larger than any that is laid out."""
    cube = STANDARD_CUBE
    slots = prod(found["grid"]) if "grid" in found else found["slots"]
    sized = given["grid" if "grid" in found else "slots"]
    chips = found.get("cube", cube.chips)
    per_cube = 2 * sum(prod(chips) // side for side in chips) * found.get("lanes", 1)
    if slots * per_cube > MOST_PORTS:
        what = f"{slots:,} cubes of {per_cube:,} ports are more than {MOST_PORTS:,} ports"
        sized.note(what, "Give the pod fewer or smaller cubes")
        sized.file.refuse()
    if slots * prod(chips) > MOST_CHIPS:
        what = f"{slots:,} cubes of {prod(chips):,} chips are more than {MOST_CHIPS:,} chips"
        sized.note(what, "Give the pod fewer or smaller cubes")
        sized.file.refuse()
    if "cube" in found:
        try:
            cube = Cube(chips, found["tray"])
            if found["plant"] in _SWITCHED:
                cube.check_equal_faces()
        except DesignRefused as refusal:
            given["cube"].note(_as_written(refusal.what), _as_written(refusal.remedy))
            sized.file.refuse()
    return {"cube": cube, "slots": slots}


def _as_written(text: str) -> str:
    """Sides as files have them: (4, 4, 2) is 4x4x2."""
    return text.replace(", ", "x").replace("(", "").replace(")", "")


def _grid(given: dict[str, Value], found: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    cube, grid = made["cube"], found["grid"]
    if len(grid) != cube.dimensions:
        what = f"a grid of {len(grid)} sides for cubes of {cube.dimensions}"
        given["grid"].note(what, "Give the grid as many sides as the cube has")
    return {"rule": neighbour_rule(grid)}


def _switches(
    given: dict[str, Value], found: dict[str, Any], made: dict[str, Any]
) -> dict[str, Any]:
    radix, cube = found["radix"], made["cube"]
    counts = {"slot": made["slots"], "sign": 2, "lane": found.get("lanes", 1)}
    counts |= dict(zip("ij", cube.chips[1:], strict=False))
    rule = found["rule"].made(found["plant"], counts)
    if rule:
        many = prod(key.many(counts) for key in rule.switch) * cube.dimensions
        if many * radix * found["plant"].sides > MOST_SWITCH_PORTS:
            what = f"{many:,} switches of {radix:,} ports a side are more than "
            what += f"{MOST_SWITCH_PORTS:,} ports"
            given["radix"].note(what, "Give switches fewer ports, or fewer keys in their names")
    return {"rule": rule, "spares": _spares(given.get("spares"), radix)}


def _spares(value: Value | None, radix: int) -> tuple[int, ...]:
    if value is None:
        return ()
    try:
        return parse_slots(value.word() or "", radix)
    except UnusableInput:
        value.is_not(f"a set of ports 1 to {radix:,}", str(radix))
        return ()
