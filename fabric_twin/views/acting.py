"""The page that asks whether an act is meant, and then does it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.operations.acts import Deed, Deeds
from fabric_twin.presenters.acts import Shown


class ActingView(ABC):
    """For pages of a record with which people do something."""

    deeds: ClassVar[Deeds[Any, Any]]
    acts: ClassVar[Mapping[str, Shown]]

    @action(detail=True, methods=["get", "post"], custom_view_base_action="view")
    def act(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Ask for a word, and for sure; then do it. What is to be said otherwise is asked again."""
        record, form = self.get_object(), None  # type: ignore[attr-defined]
        try:
            deed = self.deeds.named(request.GET.get("do", ""))
            form = self.form_of(deed, record, request.POST if request.method == "POST" else None)
            if form.is_valid():
                done = deed.do(record, request.user, self.deeds.given(**form.facts()))
                so = self.acts[deed.name].done or done.get_state_display().lower()
                messages.success(request, f"{done.name}: {so}.")
                return HttpResponseRedirect(done.get_absolute_url())
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            if form is None or not isinstance(refusal, UnusableInput):
                return HttpResponseRedirect(record.get_absolute_url())
        try:
            shown = self.shown_with(deed, record, request.user)
        except FabricTwinError as refusal:  # such as a pod whose design is gone
            messages.error(request, str(refusal))
            return HttpResponseRedirect(record.get_absolute_url())
        context = {
            "object": record,
            "act": self.acts[deed.name],
            "decides": deed.decides,
            "told": self.told_of(deed, record),
            **shown,
            "form": form,
        }
        return render(request, "fabric_twin/act.html", context)

    @abstractmethod
    def form_of(self, deed: Deed[Any, Any], record: Any, given: Any) -> Any:
        """What is asked with an act; `facts()` of the form is what was said and given."""

    def told_of(self, deed: Deed[Any, Any], record: Any) -> str:  # noqa: ARG002
        """What happens then, in a sentence."""
        return self.acts[deed.name].told

    def shown_with(self, deed: Deed[Any, Any], record: Any, user: Any) -> dict[str, Any]:  # noqa: ARG002
        """What is to be read before it is done, for the page."""
        return {}
