"""What is on hand and ordered, as JSON."""

from collections import Counter

from fabric_twin.core.orders.materials import Stock
from fabric_twin.inventory.json_files import list_of, read_object, text_of, whole_number

_SHAPE = '{"parts": [{"part": "tray", "on_hand": 16, "ordered": 0}]}'


def read_stock(data: bytes, source: str) -> Stock:
    """Read a stock, or refuse it; a part that is there twice counts both times."""
    content = read_object(data, source, _SHAPE)
    counts: dict[str, Counter[str]] = {"on_hand": Counter(), "ordered": Counter()}
    for number, row in enumerate(list_of(content, "parts", source, _SHAPE, needed=True), 1):
        where = f"{source}, part {number}"
        part = text_of(row, "part", where, _SHAPE)
        for key, counter in counts.items():
            counter[part] += whole_number(row.get(key, 0), f'"{key}"', where, _SHAPE)
    return Stock(**counts)
