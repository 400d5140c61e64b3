"""Who answers at an address, and that it is the recorded device, over REST."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin.api.known_fields import AskedSerializer
from fabric_twin.api.permissions import ViewPermission
from fabric_twin.api.refusals import REFUSED
from fabric_twin.core.identity import Answering, Told
from fabric_twin.operations.audits.who_answers import answering_at, confirm, told_by
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.repositories.addresses import known_of


class _ToldSerializer(AskedSerializer):
    """Who a device is."""

    name = serializers.CharField(allow_blank=True, required=False, default="")
    serial = serializers.CharField(allow_blank=True, required=False, default="")


class WhoAnswersSerializer(serializers.Serializer[Any]):
    """What answered the last time, and what is recorded."""

    answering = serializers.ChoiceField(choices=[one.value for one in Answering], allow_null=True)
    told = _ToldSerializer(
        help_text="Its own name and serial, where nobody has confirmed that it is the recorded "
        "device"
    )
    recorded = _ToldSerializer()
    confirmed_by = serializers.CharField(allow_blank=True)


class ConfirmSerializer(_ToldSerializer):
    """Who was seen to answer, and how somebody knows that it is the recorded device."""

    why = serializers.CharField()


class ConfirmMixin:
    """A view of switches or cubes with both."""

    @extend_schema(responses={200: WhoAnswersSerializer} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None, url_path="who-answers")
    def who_answers(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Who answered at its address the last time that it was asked."""
        return Response(_facts(self.get_object()))  # type: ignore[attr-defined]

    @extend_schema(
        request=ConfirmSerializer, responses={200: WhoAnswersSerializer} | REFUSED, filters=False
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def confirm(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Say that the device that answers is the recorded one."""
        said = ConfirmSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        told = Told(said.validated_data["name"], said.validated_data["serial"])
        record = self.get_object()  # type: ignore[attr-defined]
        done = confirm(record, user_of(request), told, said.validated_data["why"])
        return Response(_facts(done))


def _facts(record: Any) -> dict[str, Any]:
    known = known_of(record)
    return {
        "answering": answering_at(record),
        "told": told_by(record)._asdict(),
        "recorded": Told(known.name, known.serial)._asdict(),
        "confirmed_by": record.confirmed_by,
    }
