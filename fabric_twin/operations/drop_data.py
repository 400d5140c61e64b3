"""Going back over a migration drops what its tables hold: it needs a word that says so."""

import os
from collections.abc import Iterator, Sequence

from django.db import connection
from django.db.migrations import AddField, CreateModel, Migration

from fabric_twin.core.errors import NotPossible

APP = "fabric_twin"
#: The word: `FABRIC_TWIN_DROP_DATA=yes nautobot-server migrate fabric_twin 0008`.
VARIABLE, WORD = "FABRIC_TWIN_DROP_DATA", "yes"


def refuse_to_drop(plan: Sequence[tuple[Migration, bool]]) -> None:
    """Refuse migrations that would be taken back over rows, unless somebody said the word."""
    back = [one for one, backwards in plan if backwards and one.app_label == APP]
    lost = list(dict.fromkeys(_lost(back)))
    if lost and os.environ.get(VARIABLE) != WORD:
        raise NotPossible(
            f"to take back {', '.join(one.name for one in back)} drops {', '.join(lost)}",
            where=APP,
            remedy=f"Dump the database first, then say {VARIABLE}={WORD} before the command",
        )


def _lost(back: Sequence[Migration]) -> Iterator[str]:
    """Tables with rows that go, and columns of tables with rows that stay."""
    made = {
        operation.name_lower
        for one in back
        for operation in one.operations
        if isinstance(operation, CreateModel)
    }
    there = set(connection.introspection.table_names())
    rows = {
        table: many
        for table in sorted(there)
        if table.startswith(f"{APP}_") and (many := _count(table))
    }
    for table, many in rows.items():
        if table.removeprefix(f"{APP}_") in made:
            yield f"{many:,} rows of {table}"
    for one in back:
        for operation in one.operations:
            if isinstance(operation, AddField) and operation.model_name_lower not in made:
                table = f"{APP}_{operation.model_name_lower}"
                if table in rows:
                    yield f"{operation.name} of {table}"


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
        return int(cursor.fetchone()[0])
