"""POST on a record for each thing that people do with it: their one list makes the addresses."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema
from nautobot.extras.models import JobResult
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from fabric_twin.api.known_fields import AskedSerializer
from fabric_twin.api.permissions import ViewPermission
from fabric_twin.api.refusals import REFUSED
from fabric_twin.operations.acts import Deed, Deeds
from fabric_twin.presenters.acts import Shown
from fabric_twin.presenters.asking_user import user_of

View = TypeVar("View", bound=type)


def job_asked(result: JobResult, request: Request) -> dict[str, str]:
    """The id and the address of a job that was asked for: it is followed there."""
    where = reverse("extras-api:jobresult-detail", args=[result.pk], request=request)
    return {"id": str(result.pk), "url": where}


class SaidSerializer(AskedSerializer):
    """The comment on an action."""

    said = serializers.CharField(required=False, allow_blank=True, default="")

    def facts(self) -> dict[str, Any]:
        """What was said and given, by name."""
        return dict(self.validated_data)


def with_acts(
    deeds: Deeds[Any, Any],
    shown: Mapping[str, Shown],
    answer: type,
    *,
    names: Iterable[str],
    asked: Mapping[str, type[Any]],
    answered_later: Collection[str] = (),
    later: type | None = None,
) -> Callable[[View], View]:
    """Give a view set an action for each of these names.

    Who may see a record may ask; what is done asks for its own permission. What a worker goes on
    with is answered by 202, and the job.
    """

    def given(viewset: View) -> View:
        for name in names:
            code, body = (202, later) if name in answered_later else (200, answer)
            said = asked.get(name, SaidSerializer)
            posted = _posted(deeds, deeds.named(name), said, code)
            posted.__doc__ = shown[name].told
            described = extend_schema(request=said, responses={code: body} | REFUSED, filters=False)
            method = action(
                detail=True, methods=["post"], url_path=name, permission_classes=[ViewPermission]
            )
            setattr(viewset, posted.__name__, described(method(posted)))
        return viewset

    return given


def _posted(
    deeds: Deeds[Any, Any], deed: Deed[Any, Any], asked: type[Any], code: int
) -> Callable[..., Response]:
    def do(self: Any, request: Request, pk: str) -> Response:  # noqa: ARG001
        record, said = self.get_object(), asked(data=request.data)
        said.is_valid(raise_exception=True)
        done = deed.do(record, user_of(request), deeds.given(**said.facts()))
        answered: Response = self.answer(done, code)
        return answered

    do.__name__ = str(deed.name).replace("-", "_")
    return do
