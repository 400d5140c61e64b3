"""Slices and plans as `fabric-twin slice --json` and `plan --json` write them."""

from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.plans import Circuit
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.inventory.json_files import list_of, read_object, text_of, whole_number

SLICE = (
    '{"version": 1, "name": "job", "shape": "4x4x8", "twisted": false, '
    '"cubes": [{"at": [0, 0, 0], "slot": 3}], "circuits": [...]}'
)
PLAN = (
    '{"version": 1, "keep": 0, "remove": [...], "add": [...], '
    '"stages": [{"remove": [], "add": []}]}'
)


@dataclass(frozen=True)
class Slice:
    """A slice as it is written."""

    name: str
    shape: str
    twisted: bool
    #: Where in the slice, counted in cubes from 0, and in which slot.
    cubes: tuple[tuple[tuple[int, ...], int], ...]
    #: Under a cube: slot, x, y, z.
    chips: tuple[tuple[int, ...], ...]
    circuits: tuple[Circuit, ...]


@dataclass(frozen=True)
class Plan:
    """A plan as it is written; a stage is what goes, then what comes."""

    keep: int
    lower_bound: int
    stages: tuple[tuple[tuple[Circuit, ...], tuple[Circuit, ...]], ...]
    untouched_owners: tuple[str, ...]


def read_slice(data: bytes, source: str) -> Slice:
    """Read a slice, or refuse it."""
    content = read_object(data, source, SLICE)
    shape = content.get("shape")
    if isinstance(shape, list):
        content["shape"] = "x".join(
            str(whole_number(side, "a side", source, SLICE)) for side in shape
        )
    cubes = []
    for number, row in enumerate(list_of(content, "cubes", source, SLICE), 1):
        where = f"{source}, cube {number}"
        cube = row if isinstance(row, dict) else {}
        at = _numbers(cube.get("at"), where)
        cubes.append((at, whole_number(cube.get("slot"), '"slot"', where, SLICE)))
    return Slice(
        name=text_of(content, "name", source, SLICE),
        shape=text_of(content, "shape", source, SLICE),
        twisted=content.get("twisted") is True,
        cubes=tuple(cubes),
        chips=tuple(_numbers(row, source) for row in list_of(content, "chips", source, SLICE)),
        circuits=tuple(circuits_of(list_of(content, "circuits", source, SLICE), source, SLICE)),
    )


def read_plan(data: bytes, source: str) -> Plan:
    """Read a plan, or refuse it; one without stages is done in one."""
    content = read_object(data, source, PLAN)
    if not content.keys() & {"stages", "remove", "add"}:
        raise UnusableInput("there is no plan in it", where=source, remedy=f"Write {PLAN}")
    stages = list_of(content, "stages", source, PLAN) or [content]
    return Plan(
        keep=whole_number(content.get("keep", 0), '"keep"', source, PLAN),
        lower_bound=whole_number(content.get("lower_bound", 0), '"lower_bound"', source, PLAN),
        stages=tuple(_stage(stage, f"{source}, stage {n}") for n, stage in enumerate(stages, 1)),
        untouched_owners=tuple(
            text_of({"owner": owner}, "owner", source, PLAN)
            for owner in list_of(content, "untouched_owners", source, PLAN)
        ),
    )


def _stage(stage: Any, where: str) -> tuple[tuple[Circuit, ...], tuple[Circuit, ...]]:
    if not isinstance(stage, dict):
        raise UnusableInput("the stage is not an object", where=where, remedy=f"Write {PLAN}")
    remove, add = (
        tuple(circuits_of(list_of(stage, key, where, PLAN), f"{where}, {key}", PLAN))
        for key in ("remove", "add")
    )
    return remove, add


def _numbers(value: Any, where: str) -> tuple[int, ...]:
    if not isinstance(value, list) or not value:
        raise UnusableInput(
            "a place is not a list of whole numbers", where=where, remedy=f"Write {SLICE}"
        )
    return tuple(whole_number(number, "a place", where, SLICE) for number in value)
