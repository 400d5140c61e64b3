"""Many rows like one: the first is made and cleaned by its model, the others differ by columns.

    first row    status, role, type, ...   cleaned as `validated_save()` would
    columns      name, device, ...         one value a row
    -> one INSERT ... SELECT FROM unnest(...): 27,648 interfaces are one statement

What the first row gets from Nautobot (defaults, custom fields, what an operator's validators say)
all rows have. What differs from row to row the caller has checked.

Django's `bulk_create` sends UNNEST too, but of model instances: a pod of 154,765 rows took it 2.3
times as long, its inserts 3.1 times (docs/performance.md).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import connection, models
from nautobot.core.models.fields import NaturalOrderingField

from fabric_twin.core.errors import UnusableInput

_CUSTOM = "_custom_field_data"

#: Called with what is being written and how many rows are.
Progress = Callable[[str, int], None]


def rows_are(model: type[models.Model], count: int) -> str:
    """What so many rows of a model are called: `switch` is one, `switches` are more."""
    return str(model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural)


class Writer:
    """Inserts rows, and remembers which."""

    def __init__(self, progress: Progress = lambda _what, _rows: None) -> None:
        self._progress = progress
        self.added: dict[type[models.Model], list[UUID]] = {}

    def insert(
        self, first: models.Model, *, clean: bool = True, **columns: Sequence[Any]
    ) -> list[UUID]:
        """Insert a row for every value of the columns, named as attributes are (`device_id`).

        What Nautobot itself saves without cleaning is not to be cleaned.
        """
        model = type(first)
        count = len(next(iter(columns.values())))
        if not count:
            return []
        keys = list(columns.get("id") or (uuid4() for _ in range(count)))
        columns = {**columns, "id": keys}
        for name, values in columns.items():
            setattr(first, name, copy(values[0]))
        if clean:
            _clean(first)
        columns |= {**_natural(model, columns), **_custom(first, columns)}
        with connection.cursor() as cursor:
            cursor.execute(*_statement(first, columns))
        self.added.setdefault(model, []).extend(keys)
        self._progress(rows_are(model, count), count)
        return keys

    def made(self, instance: models.Model) -> models.Model:
        """Save one row by Nautobot's own way."""
        _clean(instance)
        instance.save()
        self.added.setdefault(type(instance), []).append(instance.pk)
        return instance

    @property
    def counts(self) -> dict[str, int]:
        """How many rows were written, by what they are called."""
        return {rows_are(model, len(keys)): len(keys) for model, keys in self.added.items()}

    def analyze(self) -> None:
        """Tell the planner what the tables hold now: it cannot know before autovacuum came by."""
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in self.added)
        if tables:
            with connection.cursor() as cursor:
                cursor.execute(f"ANALYZE {tables}")


def _clean(instance: models.Model) -> None:
    try:
        instance.full_clean()
    except ValidationError as error:
        said = "; ".join(
            f"{field}: {' '.join(messages)}" if field != "__all__" else " ".join(messages)
            for field, messages in error.message_dict.items()
        )
        raise UnusableInput(
            f"Nautobot refuses it ({said.rstrip('.')})",
            where=f"{instance._meta.verbose_name} {instance}".strip(),
            remedy="Mend what it names, then load again: nothing was written",
        ) from None


def _custom(
    first: models.Model, columns: Mapping[str, Sequence[Any]]
) -> dict[str, list[dict[str, Any]]]:
    """Custom fields of every row, with the defaults that the first one was given."""
    if _CUSTOM not in columns:
        return {}
    rows = columns[_CUSTOM]
    defaults = {key: value for key, value in getattr(first, _CUSTOM).items() if key not in rows[0]}
    return {_CUSTOM: [defaults | row for row in rows]}


def _natural(
    model: type[models.Model], columns: Mapping[str, Sequence[Any]]
) -> dict[str, list[str]]:
    """The columns that Nautobot sorts by."""
    found = {}
    for field in model._meta.concrete_fields:
        if isinstance(field, NaturalOrderingField) and field.target_field in columns:
            # Names repeat from tray to tray.
            order = cache(
                lambda name, f=field: f.naturalize_function(name, max_length=f.max_length)
            )
            found[field.attname] = [order(name) for name in columns[field.target_field]]
    return found


def _statement(first: models.Model, columns: Mapping[str, Sequence[Any]]) -> tuple[str, list[Any]]:
    """One INSERT; values come as text, since that is one kind of array for all of them."""
    quote = connection.ops.quote_name
    names, picked, constants = [], [], []
    for field in type(first)._meta.concrete_fields:
        names.append(quote(field.column))
        if field.attname in columns:
            # Without a length: a cast to varchar(64) would cut, an assignment refuses.
            kind = str(field.db_type(connection)).partition("(")[0]
            picked.append(f"given.{quote(field.attname)}::{kind}")
        else:
            picked.append("%s")
            constants.append(field.get_db_prep_save(field.pre_save(first, add=True), connection))
    fields = {field.attname: field for field in type(first)._meta.concrete_fields}
    arrays = [_texts(values, fields[name]) for name, values in columns.items()]
    given = ", ".join(map(quote, columns))
    sql = (
        f"INSERT INTO {quote(first._meta.db_table)} ({', '.join(names)}) "  # noqa: S608
        f"SELECT {', '.join(picked)} "
        f"FROM unnest({', '.join(['%s::text[]'] * len(arrays))}) AS given({given})"
    )
    return sql, constants + arrays


def _texts(values: Sequence[Any], field: "models.Field[Any, Any]") -> list[str | None]:
    if isinstance(field, models.JSONField):
        return [json.dumps(value) for value in values]
    return [None if value is None else str(value) for value in values]
