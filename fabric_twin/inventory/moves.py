"""Lists of moves: which end of which cable goes to which port, as JSON."""

from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.inventory.json_files import list_of, read_object

_SHAPE = '{"moves": [{"cable": "iw1-c007:4.3.2/X+", "end": "b", "to": ["iw1-ocs-x-3-2", "9A"]}]}'


def read_moves(data: bytes, source: str) -> list[Moved]:
    """Read a list, or refuse it."""
    rows = list_of(read_object(data, source, _SHAPE), "moves", source, _SHAPE, needed=True)
    return [Moved.from_json(row, f"{source}, move {n}") for n, row in enumerate(rows, 1)]
