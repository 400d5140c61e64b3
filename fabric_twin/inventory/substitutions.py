"""Lists of substitutions: spare ports in place of the rule's, as JSON."""

from typing import Any

from fabric_twin.core.cabling.plant import Substitution
from fabric_twin.inventory.json_files import list_of, read_object, text_of

_SHAPE = (
    '{"substitutions": [{"switch": "iw1-ocs-x-3-2", "port": "7", "spare": "130", "reason": ""}]}'
)


def read_substitutions(data: bytes, source: str) -> list[Substitution]:
    """Read a list, or refuse it."""
    content = read_object(data, source, _SHAPE)
    rows = list_of(content, "substitutions", source, _SHAPE, needed=True)
    return [_substitution(row, f"{source}, substitution {n}") for n, row in enumerate(rows, 1)]


def _substitution(row: Any, where: str) -> Substitution:
    switch, port, spare = (text_of(row, key, where, _SHAPE) for key in ("switch", "port", "spare"))
    return Substitution(switch, port, spare, text_of(row, "reason", where, _SHAPE, default=""))
