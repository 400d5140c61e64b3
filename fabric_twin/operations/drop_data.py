"""Going back over a migration drops what its tables hold: it needs a word that says so."""

import os
from collections.abc import Iterator, Sequence

from django.db import connections
from django.db.migrations import AddField, CreateModel, Migration

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible

APP = "fabric_twin"
#: The word: `FABRIC_TWIN_DROP_DATA=yes nautobot-server migrate fabric_twin 0008`.
VARIABLE, WORD = "FABRIC_TWIN_DROP_DATA", "yes"


def refuse_to_drop(plan: Sequence[tuple[Migration, bool]], using: str) -> None:
    """Refuse migrations that would be taken back over rows, unless somebody said the word."""
    back = [one for one, backwards in plan if backwards and one.app_label == APP]
    if not back or os.environ.get(VARIABLE) == WORD:
        return
    if lost := list(dict.fromkeys(_lost(back, using))):
        raise NotPossible(
            f"to take back {', '.join(one.name for one in back)} drops {', '.join(lost)}",
            where=APP,
            remedy=f"Dump the database first, then say {VARIABLE}={WORD} before the command",
        )


def _lost(back: Sequence[Migration], using: str) -> Iterator[str]:
    """Tables with rows that go, and columns of tables with rows that stay."""
    operations = [operation for one in back for operation in one.operations]
    made = {one.name_lower for one in operations if isinstance(one, CreateModel)}
    for model in sorted(made):
        if many := _count(f"{APP}_{model}", using):
            yield f"{counted(many, 'row')} of {APP}_{model}"
    for one in operations:
        if isinstance(one, AddField) and one.model_name_lower not in made:
            table = f"{APP}_{one.model_name_lower}"
            if _count(table, using, most=1):
                yield f"{one.name} of {table}"


def _count(table: str, using: str, most: int | None = None) -> int:
    """How many rows a table has, as far as anybody wants to know; none where there is none."""
    database = connections[using]
    with database.cursor() as cursor:
        if table not in database.introspection.table_names(cursor):
            return 0
        name = database.ops.quote_name(table)
        limit = f" LIMIT {most}" if most else ""
        cursor.execute(f"SELECT count(*) FROM (SELECT FROM {name}{limit}) AS rows")  # noqa: S608
        return int(cursor.fetchone()[0])
