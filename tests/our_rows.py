"""Which rows of a switch are ours; a Set of the product touches no other."""

import json
import re
from pathlib import Path

#: Circuits, and whether a port is blocked: nothing else of a switch is ours. A whole table only
#: where it has no rows but those of the Set.
_OURS = re.compile(
    r"/CONFIG_DB/localhost/(OCS_CROSS_CONNECT(/\d+A-\d+B)?|OCS_PORT(/\d+[AB](/(state|config_status))?)?)"
)


def is_ours(path: str) -> bool:
    """Whether a path leads to what is ours."""
    return bool(_OURS.fullmatch(path))


def sets_of(file: Path) -> list[list[str]]:
    """The paths of each Set that a simulator wrote down; none may replace."""
    requests = [json.loads(line) for line in file.read_text().splitlines()]
    assert not [one for one in requests if "replace" in one or "unionReplace" in one]
    return [
        [
            "/" + "/".join(step["name"] for step in path.get("elem", ()))
            for path in (*one.get("delete", ()), *(new["path"] for new in one.get("update", ())))
        ]
        for one in requests
    ]


def switches_set(file: Path, after: int = 0) -> set[str]:
    """The switches that were sent a Set, after the first so many."""
    requests = [json.loads(line) for line in file.read_text().splitlines()[after:]]
    return {one["prefix"]["target"] for one in requests}


def check_sets(file: Path) -> None:
    """Every Set that came touched only rows of ours."""
    others = [path for paths in sets_of(file) for path in paths if not is_ours(path)]
    assert others == []
