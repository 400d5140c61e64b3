"""Refusals over REST: what, where and remedy, in the words of the command line."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import Http404
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ErrorDetail

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible, UnusableInput


class RefusalSerializer(serializers.Serializer[Any]):
    """Why a wish was not granted, and what would help."""

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


class Refusing:
    """A view whose refusals are answers, never faults of the server."""

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Refuse what PostgreSQL cannot look for, before a filter asks it."""
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        for name, values in request.query_params.lists():
            if any("\0" in value for value in (name, *values)):
                raise UnusableInput(
                    "a filter holds the character NUL",
                    where=name.replace("\0", "")[:60],
                    remedy="Leave it out",
                )

    def get_object(self) -> Any:
        """The record; none has a key that the database cannot even look for."""
        try:
            return super().get_object()  # type: ignore[misc]
        except (ValueError, ValidationError) as error:
            raise Http404 from error

    def handle_exception(self, error: Exception) -> Any:
        """Say a refusal; leave everything else to Nautobot."""
        said: Exception = error
        if isinstance(error, FabricTwinError):
            said = Refused(error)
        elif isinstance(error, RequestDataTooBig):
            said = TooLong()
        return super().handle_exception(said)  # type: ignore[misc]
