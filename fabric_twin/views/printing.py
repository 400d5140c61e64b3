"""Print buttons on the pages of switches and cubes."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.panels.buttons import RecordButton
from fabric_twin.presenters.printed import can_be_printed, printed


class PrintMixin:
    """A PDF of the record, shown in the browser."""

    #: The kinds of document, and the buttons' labels.
    prints: Mapping[str, str] = {}

    @action(detail=True, custom_view_base_action="view", url_path="print", url_name="print")
    def print_document(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """The document, or the record's page with the reason why there is none."""
        kind = request.GET.get("document", next(iter(self.prints), ""))
        if kind not in self.prints:
            raise Http404
        record = self.get_object()  # type: ignore[attr-defined]
        try:
            name, content = printed(record, kind, request.user)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(record.get_absolute_url())
        file = {"Content-Disposition": f'inline; filename="{name}"'}
        return HttpResponse(content, content_type="application/pdf", headers=file)


def print_buttons(model: str, prints: Mapping[str, str]) -> Iterator[RecordButton]:
    """A button for each kind of document."""
    for place, (kind, label) in enumerate(prints.items()):
        yield RecordButton(
            weight=300 + place,
            label=label,
            icon="mdi-printer",
            link_name=f"plugins:fabric_twin:{model}_print",
            asks={"document": kind},
            fits=partial(_can_be_printed, kind),
        )


def _can_be_printed(kind: str, record: Any, _user: Any) -> bool:
    return can_be_printed(record, kind)
