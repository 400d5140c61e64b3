"""Where racks stand and how cables run, as JSON; what is not given is as by default."""

from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.floor import Floor, Spot
from fabric_twin.core.orders.planning.cableway import Cableway
from fabric_twin.inventory.json_files import list_of, read_object, text_of, unlike, whole_number

_SHAPE = (
    '{"racks": [{"rack": "iw1-c007", "row": 1, "place": 7}], "rack_m": 0.6, "row_m": 2.4, '
    '"height_m": 2.6, "slack_m": 1.5, "lengths_m": [3, 5, 10]}'
)
#: The most that anything on a floor measures, in metres.
_MOST = 10_000


def read_floor(data: bytes, source: str, floor: Floor) -> tuple[Floor, Cableway]:
    """Put racks where a file says, and measure cables as it says."""
    content = read_object(data, source, _SHAPE)
    spots = {}
    for number, row in enumerate(list_of(content, "racks", source, _SHAPE), 1):
        where = f"{source}, rack {number}"
        rack = text_of(row, "rack", where, _SHAPE)
        if rack in spots:
            raise UnusableInput(f"{rack} is there twice", where=where, remedy="Name it once")
        at = [whole_number(row.get(key), key, where, _SHAPE) for key in ("row", "place")]
        spots[rack] = Spot(at[0], at[1])
    sizes = {
        key: _metres(content[key], key, source)
        for key in ("rack_m", "row_m", "height_m", "slack_m")
        if key in content
    }
    way = Cableway()
    lengths = [
        whole_number(length, "a length", source, _SHAPE)
        for length in list_of(content, "lengths_m", source, _SHAPE)
    ]
    return floor.moved(spots).measured(
        sizes.get("rack_m", floor.rack_m), sizes.get("row_m", floor.row_m)
    ), Cableway(
        height_m=sizes.get("height_m", way.height_m),
        slack_m=sizes.get("slack_m", way.slack_m),
        standard_m=tuple(sorted(lengths)) or way.standard_m,
    )


def _metres(value: Any, key: str, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _MOST:
        raise unlike(f'"{key}" is not a number of metres', where, _SHAPE)
    return float(value)
