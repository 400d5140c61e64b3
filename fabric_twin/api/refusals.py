"""Refusals over REST: what, where and remedy, in the words of the command line."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from nautobot.core.api.renderers import NautobotJSONRenderer
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ErrorDetail
from rest_framework.permissions import SAFE_METHODS

from fabric_twin.api.csv_lists import CsvListsMixin
from fabric_twin.api.nested_pages import NestedPagination
from fabric_twin.api.readable import check_address, check_asked, check_nested, check_sent
from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible, UnusableInput


class RefusalSerializer(serializers.Serializer[Any]):
    """Why a request was refused, and what would help."""

    what = serializers.CharField(help_text="What is wrong")
    where = serializers.CharField(help_text="Where it is")
    remedy = serializers.CharField(help_text="What to do about it")


#: What is unusable or not permitted may also be said by Nautobot, in forms of its own.
REFUSED = {409: RefusalSerializer}


class Refused(APIException):
    """A refusal on its way out: 400 unusable, 403 not permitted, 409 not possible as things are."""

    def __init__(self, refusal: FabricTwinError) -> None:
        self.status_code = _status_of(refusal)
        self.detail = {
            "what": ErrorDetail(refusal.what),
            "where": ErrorDetail(refusal.where),
            "remedy": ErrorDetail(refusal.remedy),
        }


class TooLong(APIException):
    """A request with more bytes than this installation of Nautobot reads."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE

    def __init__(self) -> None:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        self.detail = {
            "what": ErrorDetail(f"the request has more than {most:,} bytes, and no more are read"),
            "where": ErrorDetail("request"),
            "remedy": ErrorDetail(
                "Send less at once, or a smaller photo; "
                "Nautobot's DATA_UPLOAD_MAX_MEMORY_SIZE says how much is read"
            ),
        }


def _status_of(refusal: FabricTwinError) -> int:
    if isinstance(refusal, NotPermitted):
        return int(status.HTTP_403_FORBIDDEN)
    if isinstance(refusal, NotPossible):
        return int(status.HTTP_409_CONFLICT)
    return int(status.HTTP_400_BAD_REQUEST)


class Refusing(CsvListsMixin):
    """A view whose refusals are answers, and whose lists hold nobody up."""

    #: Whether a list may be sent to make several records.
    makes_many = True
    pagination_class: Any = NestedPagination

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Refuse what nobody can read or keep, before anybody is asked to; then who may not."""
        check_address(kwargs.get("pk"))
        check_asked(request)
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        action = self.action  # type: ignore[attr-defined]
        is_written = request.method in ("POST", "PUT", "PATCH") or action == "bulk_destroy"
        if action and is_written:  # no action: it is no method of this address
            check_sent(request, action, many=self.makes_many)
        is_read = request.method in SAFE_METHODS and action != "notes"
        if request.accepted_renderer.format == "csv" and not is_read:
            raise UnusableInput(
                "CSV is only for reading records, and not for their notes",
                where="format",
                remedy="Ask for JSON",
            )

    def get_object(self) -> Any:
        """The record, as deep as it can be shown."""
        check_nested(self.get_serializer_context()["depth"], 1)  # type: ignore[attr-defined]
        return super().get_object()  # type: ignore[misc]

    def handle_exception(self, error: Exception) -> Any:
        """Say a refusal, as JSON: other forms fail at one; leave everything else to Nautobot."""
        request = self.request  # type: ignore[attr-defined]
        renderer = NautobotJSONRenderer()
        request.accepted_renderer, request.accepted_media_type = renderer, renderer.media_type
        said: Exception = error
        if isinstance(error, FabricTwinError):
            said = Refused(error)
        elif isinstance(error, RequestDataTooBig):
            said = TooLong()
        return super().handle_exception(said)  # type: ignore[misc]
