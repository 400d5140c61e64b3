"""The buttons that have a pod, a switch or a cube read: and keep what it says, or compare it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.operations.pods.ask_sync import ask_for_sync


class SyncMixin:
    """A view of records that can be read."""

    @action(detail=True, methods=["post"], custom_view_base_action="view")
    def sync(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Read it now, and keep what it says."""
        return self._asked(request, write=True)

    @action(detail=True, methods=["post"], custom_view_base_action="view")
    def compare(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Read it now, say what differs from what is known, and keep nothing."""
        return self._asked(request, write=False)

    def _asked(self, request: Any, *, write: bool) -> HttpResponse:
        """To the page of the job, which follows it by itself."""
        record = self.get_object()  # type: ignore[attr-defined]
        try:
            asked = ask_for_sync(record, request.user, write=write)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(record.get_absolute_url())
        return HttpResponseRedirect(asked.get_absolute_url())
