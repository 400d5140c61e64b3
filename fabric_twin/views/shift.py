"""The page of a shift: what the next one has to know, on screen and on paper."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views import View

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.forms import HandOverForm
from fabric_twin.operations.shifts.hand_over import hand_over
from fabric_twin.presenters.shift import shift_of


class ShiftView(LoginRequiredMixin, View):
    """Since the last hand-over, until this one."""

    def get(self, request: Any) -> HttpResponse:
        """What broke, what was mended, what waits for whom, what is scheduled."""
        return self._page(request, HandOverForm())

    def post(self, request: Any) -> HttpResponse:
        """Hand over, with a note to the next shift."""
        form = HandOverForm(request.POST)
        if form.is_valid():
            try:
                hand_over(request.user, form.cleaned_data["note"])
            except FabricTwinError as refusal:
                messages.error(request, str(refusal))
            else:
                messages.success(request, "Handed over: the next shift begins.")
                return HttpResponseRedirect(reverse("plugins:fabric_twin:shift"))
        return self._page(request, form)

    def _page(self, request: Any, form: HandOverForm) -> HttpResponse:
        if not request.user.has_perm("fabric_twin.view_finding"):
            raise PermissionDenied
        context = {"shift": shift_of(request.user), "form": form}
        return render(request, "fabric_twin/shift.html", context)
