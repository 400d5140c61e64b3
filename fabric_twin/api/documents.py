"""Documents of records over REST, each in several forms."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action

from fabric_twin.api.refusals import REFUSED

Method = TypeVar("Method", bound=Callable[..., Any])


def document_in(forms: Iterable[str]) -> Callable[[Method], Method]:
    """An action that answers with a document of the record, in the form that is asked for."""
    described = extend_schema(
        parameters=[OpenApiParameter("form", enum=list(forms), description="html by default")],
        responses={(200, "*/*"): OpenApiTypes.BINARY} | REFUSED,
        filters=False,
    )
    got = action(detail=True, pagination_class=None, filterset_class=None)

    def answering(method: Method) -> Method:
        return cast("Method", described(got(method)))

    return answering


def attachment(name: str, kind: str, content: str | bytes) -> HttpResponse:
    """A file to keep."""
    file = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=file)
