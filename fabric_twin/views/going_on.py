"""The button that makes something go on that is stuck."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import View

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.operations.stuck.go_on import go_on


class GoOnView(LoginRequiredMixin, View):
    """Pressed on the home page, or on that of a pod."""

    def post(self, request: Any, kind: str, key: UUID) -> HttpResponse:
        """Try it now, and say what was done; then back to where it was pressed."""
        try:
            messages.success(request, f"{go_on(kind, key, request.user)}.")
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
        return self._back(request)

    def get(self, request: Any, kind: str, key: UUID) -> HttpResponse:  # noqa: ARG002
        """A page that is loaded again does nothing."""
        return self._back(request)

    def _back(self, request: Any) -> HttpResponse:
        back = request.POST.get("back", "")
        is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
        return HttpResponseRedirect(back if is_ours and back else reverse("home"))
