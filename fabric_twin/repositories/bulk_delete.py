"""Remove many rows at once, with everything that hangs on them."""

from typing import Any

from django.contrib.contenttypes.fields import GenericRelation
from django.contrib.contenttypes.models import ContentType
from nautobot.extras.models import Note, TaggedItem


def remove(rows: Any) -> int:
    """Delete rows by statements instead of one by one, and say how many they were.

    No signal is sent for each: the caller records one change that stands for all. Rows
    that another table still needs are refused by the database.
    """
    kind = ContentType.objects.get_for_model(rows.model)
    # Taken once: what hangs on the rows is then found by key, whatever the query was.
    keys = list(rows.values_list("pk", flat=True))
    if not keys:
        return 0
    hanging: list[tuple[Any, str, str]] = [
        (relation.related_model, relation.content_type_field_name, relation.object_id_field_name)
        for relation in rows.model._meta.private_fields
        if isinstance(relation, GenericRelation)
    ]
    hanging += [
        (TaggedItem, "content_type", "object_id"),
        (Note, "assigned_object_type", "assigned_object_id"),
    ]
    for model, its_kind, its_key in hanging:
        model.objects.filter(**{its_kind: kind, f"{its_key}__in": keys}).delete()
    found = rows.model.objects.filter(pk__in=keys).order_by()
    return int(found._raw_delete(found.db))  # noqa: SLF001 - the only way without a row at a time
