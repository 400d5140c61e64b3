"""What of a pod is in use and unhealthy, as JSON: slices as the `slice` command writes them."""

from typing import Any

from fabric_twin.core.blocks import Chip, blocks_of
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.core.occupancy import Occupancy
from fabric_twin.core.shapes import Shape, check_shape, parse_shape
from fabric_twin.core.slices import Slice, check_slice_name
from fabric_twin.core.unhealthy import numbers_of
from fabric_twin.inventory.json_files import list_of, read_object, text_of
from fabric_twin.inventory.unhealthy import slot_of, unhealthy_of

_FORM = (
    '{"slices": [SLICE, ..], "unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]]}}, '
    "each SLICE as fabric-twin slice --json writes it"
)


def read_in_use(data: bytes, source: str, occupancy: Occupancy, names: Names) -> None:
    """Put everything that a file says is in use or unhealthy onto a pod, or refuse the file."""
    content = read_object(data, source, _FORM)
    unhealthy = unhealthy_of(content, source, names)
    for number, row in enumerate(list_of(content, "slices", source, _FORM), 1):
        where = f"{source}, slice {number}"
        try:
            occupancy.add(_slice(row, where, occupancy, names))
        except NotPossible as refusal:
            raise UnusableInput(refusal.what, where=where, remedy=refusal.remedy) from None
    for slot in unhealthy.slots:
        occupancy.fail(slot)
    for port in unhealthy.ports:
        for found in numbers_of(names, port):
            occupancy.fail_port(found)


def _unusable(what: str, where: str) -> UnusableInput:
    return UnusableInput(what, where=where, remedy=f"Write {_FORM}")


def _slice(row: Any, where: str, occupancy: Occupancy, names: Names) -> Slice:
    cube = occupancy.design.cube
    text, name = (text_of(row, key, where, _FORM) for key in ("shape", "name"))
    twisted = row.get("twisted", False)
    if not isinstance(twisted, bool):
        raise _unusable('"twisted" is neither true nor false', where)
    check_slice_name(name, where)
    shape = parse_shape(text, occupancy.design, twisted=twisted, where=where)
    check_shape(occupancy.design, shape)
    chips = _chips(row, where, shape, occupancy)
    if chips:
        return Slice(name, shape, (chips[0][0],), tuple(chip[1:] for chip in chips))
    grid = shape.grid(cube)
    slots: dict[Chip, int] = {}
    for place in list_of(row, "cubes", where, _FORM):
        facts = place if isinstance(place, dict) else {}
        if not _numbers(facts.get("at"), grid, first=0) or tuple(facts["at"]) in slots:
            raise _unusable(f'"at" of a cube is not a place of {shape.text}, once each', where)
        slots[tuple(facts["at"])] = slot_of(facts.get("slot"), where, names)
    if len(slots) != shape.cubes(cube) or len(set(slots.values())) != len(slots):
        raise _unusable(f"{shape.text} takes {shape.cubes(cube)} cubes of different slots", where)
    return Slice(name, shape, tuple(slots[at] for at in sorted(slots)))


def _chips(row: dict[str, Any], where: str, shape: Shape, occupancy: Occupancy) -> list[Chip]:
    """Slot and coordinates of each chip of a slice under a cube; nothing for whole cubes."""
    cube = occupancy.design.cube
    if shape.grid(cube):
        return []
    chips = list_of(row, "chips", where, _FORM)
    last = (occupancy.design.slots, *cube.chips)
    if not all(_numbers(chip, last, first=1) for chip in chips):
        raise _unusable('"chips" are not all of the form [slot, x, y, z]', where)
    found = [tuple(chip) for chip in chips]
    bits = blocks_of(cube).bit
    if len({chip[0] for chip in found}) != 1 or len({bits[c[1:]] for c in found}) != shape.chips:
        raise _unusable(f"{shape.text} takes {shape.chips} different chips of one cube", where)
    if len(found) != shape.chips:
        raise _unusable(f"{shape.text} takes {shape.chips} chips, each once", where)
    return found


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
