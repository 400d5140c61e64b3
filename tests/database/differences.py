"""Where two databases differ: table by table, column by column, row by row, each by its name."""

from collections.abc import Iterator
from difflib import unified_diff

from tests.database.canonical import canonical
from tests.database.dump import things


def differences(packaged: str, migrated: str) -> Iterator[str]:
    """What only one of two dumps has, and what they define otherwise, line by line."""
    ours, theirs = dict(things(canonical(packaged))), dict(things(canonical(migrated)))
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in theirs:
            yield f"only packaged: {name}"
        elif name not in ours:
            yield f"only migrated: {name}"
        elif ours[name] != theirs[name]:
            yield f"not the same: {name}"
            lines = unified_diff(ours[name].splitlines(), theirs[name].splitlines(), n=0)
            yield from (line.rstrip() for line in lines if line[:3] not in {"---", "+++", "@@ "})
