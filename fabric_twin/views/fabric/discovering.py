"""The button that discovers the cables of a pod, and the page that accepts what light shows."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from nautobot.apps.forms import BootstrapMixin
from rest_framework.decorators import action

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.reasons import LONGEST
from fabric_twin.operations.discovery.accept import accept_cables, check_acceptable
from fabric_twin.operations.discovery.ask import ask_for_discovery
from fabric_twin.operations.discovery.kept import shown_by
from fabric_twin.presenters.runs.discovered import NO_NAMES, acceptable_shown, may_see_names

#: The number of a port in a form.
NUMBER = re.compile(r"[0-9]{1,9}")


class DiscoverMixin:
    """A view of pods whose cables can be discovered."""

    @action(detail=True, methods=["post"], custom_view_base_action="view")
    def discover(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Learn by light which cable is in which port; the page of the job follows it."""
        pod = self.get_object()  # type: ignore[attr-defined]
        try:
            asked = ask_for_discovery(pod, request.user)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(pod.get_absolute_url())
        return HttpResponseRedirect(asked.get_absolute_url())


class AcceptForm(BootstrapMixin, forms.Form):
    """Which cables, and why."""

    reason = forms.CharField(
        label="Why is the record wrong, and not the plug?",
        help_text="The history of each cable keeps it",
        max_length=LONGEST,
    )


class AcceptMixin:
    """A view of runs, of which a discovery may be accepted."""

    @action(detail=True, methods=["get", "post"], custom_view_base_action="view")
    def accept(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Show each cable as recorded and as light shows it; then write those that are ticked."""
        run = self.get_object()  # type: ignore[attr-defined]
        form = AcceptForm(request.POST or None)
        try:
            check_acceptable(run)
            if not may_see_names(run, request.user):
                raise NotPermitted(
                    NO_NAMES, where=str(run), remedy="Ask for the permission to view them"
                )
            if form.is_valid():
                ports = [
                    int(port) for port in request.POST.getlist("port") if NUMBER.fullmatch(port)
                ]
                many = accept_cables(run, request.user, ports, form.cleaned_data["reason"])
                messages.success(
                    request, f"{counted(many, 'cable')} recorded as {shown_by(run)}; audited now."
                )
                return HttpResponseRedirect(run.get_absolute_url())
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(run.get_absolute_url())
        context = {"run": run, "rows": acceptable_shown(run), "form": form}
        context["shown_by"] = shown_by(run)
        return render(request, "fabric_twin/accept_cables.html", context)
