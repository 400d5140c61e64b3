"""The page that shows who answers at an address, and asks whether that is the recorded device."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.identity import Told
from fabric_twin.operations.audits.who_answers import confirm, told_by
from fabric_twin.panels.who_answers import tell_who_answers


class ConfirmForm(forms.Form):
    """How somebody knows; and what was shown to them."""

    why = forms.CharField(
        label="How do you know?",
        help_text="A delivery note, its label, who replaced it",
        max_length=200,
    )
    name = forms.CharField(required=False, widget=forms.HiddenInput)
    serial = forms.CharField(required=False, widget=forms.HiddenInput)


class ConfirmMixin:
    """A view of switches or cubes with that page."""

    @action(detail=True, methods=["get", "post"], custom_view_base_action="view")
    def confirm(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Show who answers; then write it down."""
        record = self.get_object()  # type: ignore[attr-defined]
        told = told_by(record)
        form = ConfirmForm(request.POST or None, initial=told._asdict())
        if form.is_valid():
            shown = Told(form.cleaned_data["name"], form.cleaned_data["serial"])
            try:
                confirm(record, request.user, shown, form.cleaned_data["why"])
            except FabricTwinError as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, f"{record}: {told} is confirmed, and audited now.")
                return HttpResponseRedirect(record.get_absolute_url())
        facts = tell_who_answers(record, request.user)
        context = {"record": record, "facts": facts, "form": form}
        return render(request, "fabric_twin/confirm.html", context)
