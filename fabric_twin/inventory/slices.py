"""Slices as `fabric-twin slice --json` writes them, checked against the pod they stand in.

A slice follows from its cubes and their order alone, so what it says of circuits can be checked:

    as its cubes need, by rule and substitutions     it is taken; some may be under "without"
    as the rule alone has it, or on a spare          it is taken, with a warning: a substitution
                                                     came or went since the slice was made
    anything else                                    of another design or pod: refused
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.cube import AXES
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.blocks import Chip, blocks_of
from fabric_twin.core.slices.boxes import check_stands
from fabric_twin.core.slices.shapes import Shape, check_shape, parse_shape
from fabric_twin.core.slices.slice import (
    CircuitNumbers,
    Slice,
    check_slice_name,
    slice_circuits,
)
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.inventory.json_files import is_version_1, list_of, read_object, text_of, unlike
from fabric_twin.inventory.unhealthy import slot_of

FORM = (
    '{"version": 1, "name": "job", "shape": "4x4x8", "twisted": false, '
    '"cubes": [{"at": [0, 0, 0], "slot": 3}], "circuits": [...]}'
)


@dataclass(frozen=True)
class WrittenSlice:
    """A slice, and what its file says of its circuits."""

    made: Slice
    circuits: tuple[Circuit, ...]
    #: What of its circuits is not as its cubes need it, in words; or nothing.
    warning: str
    #: The circuits that it says it does without, each with the reason that it gives.
    without: tuple[tuple[Circuit, str], ...] = ()


def read_slice(data: bytes, source: str, intended: Intended) -> WrittenSlice:
    """Read a slice of a pod, or refuse it."""
    return slice_of(read_object(data, source, FORM), source, intended, FORM)


def read_without(data: bytes, source: str, intended: Intended) -> list[Circuit]:
    """The circuits that a slice's file says it does without, checked; none in other files."""
    content = read_object(data, source, FORM)
    if not list_of(content, "without", source, FORM):
        return []
    return [circuit for circuit, _ in slice_of(content, source, intended, FORM).without]


def slice_of(row: Any, where: str, intended: Intended, form: str) -> WrittenSlice:
    """A slice in a file; `form` shows how one is written."""
    try:
        made = _slice(row, where, intended, form)
        circuits = tuple(circuits_of(list_of(row, "circuits", where, form), where, form))
        without = _without(row, where, form)
        left_out = [circuit for circuit, _ in without]
        borne = _borne(made, circuits, left_out, intended)
        warning = _difference(made, circuits, left_out, where, intended)
        return WrittenSlice(replace(made, without=borne), circuits, warning, without)
    except NotPossible as refusal:
        place = refusal.where if refusal.where.startswith(where) else where
        raise UnusableInput(refusal.what, where=place, remedy=refusal.remedy) from None


def _without(row: dict[str, Any], where: str, form: str) -> tuple[tuple[Circuit, str], ...]:
    """The circuits that a slice says it does without, and why."""
    rows = list_of(row, "without", where, form)
    circuits = circuits_of(rows, f"{where}, without", form)
    reasons = (
        text_of(one, "why", circuit.where, form, default="")
        for one, circuit in zip(rows, circuits, strict=True)
    )
    return tuple(zip(circuits, reasons, strict=True))


def _borne(
    made: Slice, circuits: Sequence[Circuit], without: Sequence[Circuit], intended: Intended
) -> tuple[CircuitNumbers, ...]:
    """Which of the circuits that its cubes need a slice does without: both of a paired link."""
    if not without:
        return ()
    here = {circuit.key for circuit in circuits}
    if both := next((circuit for circuit in without if circuit.key in here), None):
        raise NotPossible(
            f'{both} is under "circuits" and under "without"',
            where=both.where,
            remedy="Let each circuit be either made or left out",
        )
    wanted = slice_circuits(intended.design, made, intended.mate)
    columns = (wanted.switch, wanted.a, wanted.b)
    needed = set(zip(*(column.tolist() for column in columns), strict=True))
    named, kept = numbered(without, intended.names)
    rows = list(zip(named.switch.tolist(), named.a.tolist(), named.b.tolist(), strict=True))
    if intended.design.plant is Plant.PAIRED:
        _check_both(rows, kept)
    borne = tuple(row for row in rows if row in needed)
    for axis, slot, after in Bearing(intended, replace(made, without=borne)).cut_joins():
        raise NotPossible(
            f"cube {slot} to cube {after} along {AXES[axis]} has no circuit left",
            where=without[0].where.rpartition(", ")[0],
            remedy="Leave each join of two cubes one circuit at least",
        )
    return borne


def _check_both(rows: Sequence[CircuitNumbers], circuits: Sequence[Circuit]) -> None:
    """Refuse half of a link of a paired plant."""
    gone = set(rows)
    for (switch, a, b), circuit in zip(rows, circuits, strict=True):
        if (switch, b, a) not in gone:
            raise NotPossible(
                f"it does without {circuit} and not without {b}A to {a}B",
                where=circuit.where,
                remedy="A link of a paired plant is two circuits: leave out both or neither",
            )


def _slice(row: Any, where: str, intended: Intended, form: str) -> Slice:
    design = intended.design
    text, name = (text_of(row, key, where, form) for key in ("shape", "name"))
    if not is_version_1(row):
        raise unlike("it is not a slice of version 1", where, form)
    twisted = row.get("twisted", False)
    if not isinstance(twisted, bool):
        raise unlike('"twisted" is neither true nor false', where, form)
    check_slice_name(name, where)
    shape = parse_shape(text, design, twisted=twisted, where=where)
    check_shape(design, shape)
    grid = shape.grid(design.cube)
    slots = _cubes(row, where, grid or (1,) * design.cube.dimensions, intended, form)
    if not grid:
        chips = _chips(row, where, shape, intended, form)
        if any(slot != chips[0][0] for slot in slots.values()):
            raise unlike('"cubes" and "chips" name different slots', where, form)
        return Slice(name, shape, (chips[0][0],), tuple(chip[1:] for chip in chips))
    if len(slots) != shape.cubes(design.cube) or len(set(slots.values())) != len(slots):
        many = shape.cubes(design.cube)
        raise unlike(f"{shape.text} takes {many} cubes of different slots", where, form)
    standing = tuple(slots[at] for at in sorted(slots))
    check_stands(design, grid, standing, where)
    return Slice(name, shape, standing)


def _cubes(
    row: dict[str, Any], where: str, grid: tuple[int, ...], intended: Intended, form: str
) -> dict[tuple[int, ...], int]:
    """The slot at each place of a slice."""
    slots: dict[tuple[int, ...], int] = {}
    for place in list_of(row, "cubes", where, form):
        facts = place if isinstance(place, dict) else {}
        if not _numbers(facts.get("at"), grid, first=0) or tuple(facts["at"]) in slots:
            sides = "x".join(map(str, grid))
            what = f'"at" of a cube is not a place of {sides} cubes, once each'
            raise unlike(what, where, form)
        slots[tuple(facts["at"])] = slot_of(facts.get("slot"), where, intended.names)
    return slots


def _chips(
    row: dict[str, Any], where: str, shape: Shape, intended: Intended, form: str
) -> list[Chip]:
    """Slot and coordinates of each chip of a slice under a cube."""
    cube = intended.design.cube
    chips = list_of(row, "chips", where, form)
    last = (intended.design.slots, *cube.chips)
    if not all(_numbers(chip, last, first=1) for chip in chips):
        raise unlike('"chips" are not all of the form [slot, x, y, z]', where, form)
    found = [tuple(chip) for chip in chips]
    bits = blocks_of(cube).bit
    different = {bits[chip[1:]] for chip in found}
    if len({chip[0] for chip in found}) != 1 or len(different) != shape.chips:
        what = f"{shape.text} takes {shape.chips} different chips of one cube"
        raise unlike(what, where, form)
    if len(found) != shape.chips:
        raise unlike(f"{shape.text} takes {shape.chips} chips, each once", where, form)
    return found


def _difference(
    made: Slice,
    circuits: Sequence[Circuit],
    without: Sequence[Circuit],
    where: str,
    intended: Intended,
) -> str:
    """What is odd about circuits that may stand, or a refusal; none at all say nothing."""
    design, names = intended.design, intended.names
    needed = set(slice_circuits(design, made, intended.mate).named(names))
    given = {circuit.key for circuit in (*circuits, *without)}
    if (not circuits and given <= needed) or given == needed:
        return ""
    known = needed.union(slice_circuits(design, made).named(names))
    switches = set(names.switches)
    for circuit in (*circuits, *without):
        on_spare = {int(circuit.a[:-1]), int(circuit.b[:-1])} & set(design.spares)
        if circuit.key not in known and not (on_spare and circuit.switch in switches):
            raise UnusableInput(
                f"{circuit} is not what joins its cubes in pod {intended.pod} of {design.name}",
                where=circuit.where,
                remedy="Name the pod and the design that the slice was made for",
            )
    return (
        f"{where}: {len(needed - given):,} of the {len(needed):,} circuits that its cubes need "
        "are missing, or on ports that --substitutions does not say"
    )


def _numbers(row: Any, limits: tuple[int, ...], first: int) -> bool:
    """Whether a row is as many whole numbers as there are limits, each within its own."""
    return (
        isinstance(row, list)
        and len(row) == len(limits)
        and all(
            type(number) is int and first <= number < first + limit
            for number, limit in zip(row, limits, strict=True)
        )
    )
