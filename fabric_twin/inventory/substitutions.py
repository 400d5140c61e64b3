"""Lists of substitutions: spare ports in place of the rule's, as JSON."""

import json
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.plant import Substitution

LARGEST = 2**20
_SHAPE = (
    '{"substitutions": [{"switch": "iw1-ocs-x-3-2", "port": "7", "spare": "130", "reason": ""}]}'
)


def read_substitutions(data: bytes, source: str) -> list[Substitution]:
    """Read a list, or refuse it."""
    if len(data) > LARGEST:
        raise UnusableInput(
            f"the file is larger than {LARGEST // 2**20} MiB",
            where=source,
            remedy="Give the substitutions of one pod",
        )
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise UnusableInput(
            "the file is not JSON", where=f"{source}, line {line}", remedy=f"Write {_SHAPE}"
        ) from None
    rows = content.get("substitutions") if isinstance(content, dict) else None
    if not isinstance(rows, list) or str(content.get("version", 1)) != "1":
        raise UnusableInput(
            "there is no list of substitutions of version 1",
            where=source,
            remedy=f"Write {_SHAPE}",
        )
    return [_substitution(row, f"{source}, substitution {n}") for n, row in enumerate(rows, 1)]


def _substitution(row: Any, where: str) -> Substitution:
    given = row if isinstance(row, dict) else {}
    for key in ("switch", "port", "spare"):
        if not isinstance(given.get(key), str):
            raise UnusableInput(
                f'"{key}" is missing, or not text', where=where, remedy=f"Write {_SHAPE}"
            )
    reason = given.get("reason", "")
    return Substitution(given["switch"], given["port"], given["spare"], str(reason))
