"""How far an audit or a job is, for a page that stays open."""

from typing import Any
from uuid import UUID

from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views import View

from fabric_twin.operations.stuck.under_way import find_under_way
from fabric_twin.panels.jobs.progress import bar_of


class ProgressView(LoginRequiredMixin, View):
    """The bar, again and again; when the job has ended, the page is new."""

    def get(self, request: Any, key: UUID) -> HttpResponse:
        """The bar of one run or job."""
        one = find_under_way(key, request.user)
        if one is None:
            raise Http404
        if one.is_over:
            return HttpResponse(headers={"HX-Refresh": "true"})
        bar = bar_of(one, titled="titled" in request.GET)
        return render(request, "fabric_twin/inc/progress_bar.html", {"bar": bar})
