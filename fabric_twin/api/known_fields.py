"""A request that names a field that there is not is refused: nobody believes that it was heard."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from nautobot.apps.api import NautobotModelSerializer, TaggedModelSerializerMixin
from rest_framework import serializers
from rest_framework.request import Request

#: What Nautobot's own page of the API sends along with a form.
_OF_FORMS = {"csrfmiddlewaretoken"}
#: Nautobot's own fields that it takes for objects, and does not ask.
_OBJECTS = {"custom_fields", "relationships"}
_NO_RECORD = "Name a record by its ID, or by an object with its attributes."


def _is_record(field: Any, taken: Mapping[str, Any]) -> bool:
    """False where a field names records and was given something else.

    Nautobot makes a list of a list, and passes on a None in one, where each is a record.
    """
    named = taken.get(field.source)
    match field:
        case serializers.ManyRelatedField() if isinstance(named, list):
            return all(isinstance(record, Model) for record in named)
        case serializers.RelatedField():
            return named is None or isinstance(named, Model)
    return True


class KnownFieldsMixin:
    """Takes fields that it has; those that are only read may be sent back, and change nothing."""

    def to_internal_value(self, data: Any) -> Any:
        """What was sent, or a refusal that names what is not known."""
        fields: Mapping[str, Any] = self.fields  # type: ignore[attr-defined]
        sent = set(data) if isinstance(data, Mapping) else set()
        if unknown := sorted(map(str, sent - fields.keys() - _OF_FORMS)):
            known = [name for name, field in fields.items() if not field.read_only]
            told = f"There is no such field. Known fields: {', '.join(known) or 'none'}."
            raise serializers.ValidationError({name: [told] for name in unknown})
        if odd := [name for name in _OBJECTS & sent if not isinstance(data[name], Mapping)]:
            raise serializers.ValidationError({name: ["It is not an object."] for name in odd})
        taken: dict[str, Any] = super().to_internal_value(data)  # type: ignore[misc]
        if odd := [field.field_name for field in fields.values() if not _is_record(field, taken)]:
            raise serializers.ValidationError({name: [_NO_RECORD] for name in odd})
        return taken


class AskedSerializer(KnownFieldsMixin, serializers.Serializer[Any]):
    """What is asked for, and is no record."""


def check_nothing_sent(request: Request) -> None:
    """Refuse fields where an act has none."""
    AskedSerializer(data=request.data).is_valid(raise_exception=True)


class RecordSerializer(KnownFieldsMixin, TaggedModelSerializerMixin, NautobotModelSerializer):
    """A record that people write, with tags, custom fields and relationships."""
