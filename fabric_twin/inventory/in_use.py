"""What of a pod is in use and unhealthy, as JSON: slices as the `slice` command writes them."""

import re
from typing import Any

from fabric_twin.core.blocks import Chip, blocks_of
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.core.occupancy import Occupancy
from fabric_twin.core.shapes import Shape, check_shape, parse_shape
from fabric_twin.core.slices import Slice, check_slice_name
from fabric_twin.inventory.text import json_of

#: All circuits of a whole Ironwood pod are less than 1 MB.
LARGEST = 64 * 2**20
_FORM = (
    '{"slices": [SLICE, ..], "unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]]}}, '
    "each SLICE as fabric-twin slice --json writes it"
)
_HALF = re.compile(r"(\d{1,6})[AB]", re.ASCII)


def read_in_use(data: bytes, source: str, occupancy: Occupancy, names: Names) -> None:
    """Put everything that a file says is in use or unhealthy onto a pod, or refuse the file."""
    content = json_of(data, source, LARGEST, _FORM)
    if not isinstance(content, dict) or content.get("version", 1) != 1:
        raise _unusable("this is not what is in use, of version 1", source)
    for number, row in enumerate(_list(content, "slices", source), 1):
        where = f"{source}, slice {number}"
        try:
            occupancy.add(_slice(row, where, occupancy))
        except NotPossible as refusal:
            raise UnusableInput(refusal.what, where=where, remedy=refusal.remedy) from None
    unhealthy = content.get("unhealthy", {})
    if not isinstance(unhealthy, dict):
        raise _unusable('"unhealthy" is not an object', source)
    for number, slot in enumerate(_list(unhealthy, "slots", source), 1):
        occupancy.fail(_slot(slot, f"{source}, unhealthy slot {number}", occupancy))
    for number, port in enumerate(_list(unhealthy, "ports", source), 1):
        occupancy.fail_port(_port(port, f"{source}, unhealthy port {number}", names))


def _unusable(what: str, where: str) -> UnusableInput:
    return UnusableInput(what, where=where, remedy=f"Write {_FORM}")


def _list(row: dict[str, Any], key: str, where: str) -> list[Any]:
    rows = row.get(key, [])
    if not isinstance(rows, list):
        raise _unusable(f'"{key}" is not a list', where)
    return rows


def _slice(row: Any, where: str, occupancy: Occupancy) -> Slice:
    cube = occupancy.design.cube
    if not isinstance(row, dict) or not isinstance(row.get("shape"), str):
        raise _unusable('"shape" is missing, or not text', where)
    twisted, name = row.get("twisted", False), row.get("name")
    if not isinstance(twisted, bool):
        raise _unusable('"twisted" is neither true nor false', where)
    if not isinstance(name, str):
        raise _unusable('"name" is missing, or not text', where)
    check_slice_name(name, where)
    shape = parse_shape(row["shape"], occupancy.design, twisted=twisted, where=where)
    check_shape(occupancy.design, shape)
    chips = _chips(row, where, shape, occupancy)
    if chips:
        return Slice(name, shape, (chips[0][0],), tuple(chip[1:] for chip in chips))
    grid = shape.grid(cube)
    slots: dict[Chip, int] = {}
    for place in _list(row, "cubes", where):
        facts = place if isinstance(place, dict) else {}
        if not _numbers(facts.get("at"), grid, first=0) or tuple(facts["at"]) in slots:
            raise _unusable(f'"at" of a cube is not a place of {shape.text}, once each', where)
        slots[tuple(facts["at"])] = _slot(facts.get("slot"), where, occupancy)
    if len(slots) != shape.cubes(cube) or len(set(slots.values())) != len(slots):
        raise _unusable(f"{shape.text} takes {shape.cubes(cube)} cubes of different slots", where)
    return Slice(name, shape, tuple(slots[at] for at in sorted(slots)))


def _chips(row: dict[str, Any], where: str, shape: Shape, occupancy: Occupancy) -> list[Chip]:
    """Slot and coordinates of each chip of a slice under a cube; nothing for whole cubes."""
    cube = occupancy.design.cube
    if shape.grid(cube):
        return []
    chips = _list(row, "chips", where)
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


def _slot(slot: Any, where: str, occupancy: Occupancy) -> int:
    if type(slot) is not int or not 1 <= slot <= occupancy.design.slots:
        raise UnusableInput(
            f"{slot!r:.40} is not a slot from 1 to {occupancy.design.slots}",
            where=where,
            remedy="Name slots that the design has",
        )
    return slot


def _port(row: Any, where: str, names: Names) -> int:
    """A port of a switch or a cube; SONiC's 7A and 7B of a paired plant are its port 7."""
    if not (isinstance(row, list) and len(row) == 2 and all(isinstance(c, str) for c in row)):
        raise _unusable("this is not a device and a port", where)
    device, port = row
    half = _HALF.fullmatch(port)
    found = names.find([device] * 2, [port, half[1] if half else port]).tolist()
    if max(found) < 0:
        raise UnusableInput(
            f"the design has no port {port[:40]!r} of a device {device[:60]!r}",
            where=where,
            remedy="Name a device and a port as a cut sheet does",
        )
    return int(max(found))
