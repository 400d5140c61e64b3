"""The button that runs for real what a dry run tried."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views import View
from nautobot.extras.models import JobResult

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.operations.calls.for_real import can_run_for_real, run_for_real, why_by_form
from fabric_twin.operations.stuck.seen import results_of


class ForRealView(LoginRequiredMixin, View):
    """Pressed on the page of a dry run."""

    def post(self, request: Any, key: UUID) -> HttpResponse:
        """Run it, and show the page of that job; or the form, where a person has to send that."""
        job = self._job(request, key)
        if can_run_for_real(job) and (why := why_by_form(job, request.user)):
            messages.warning(request, f"{why}.")
            return HttpResponseRedirect(_form_of(job))
        try:
            asked = run_for_real(job, request.user)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(job.get_absolute_url())
        return HttpResponseRedirect(asked.get_absolute_url())

    def get(self, request: Any, key: UUID) -> HttpResponse:
        """A page that is loaded again does nothing."""
        return HttpResponseRedirect(self._job(request, key).get_absolute_url())

    def _job(self, request: Any, key: UUID) -> JobResult:
        job: JobResult | None = results_of(request.user).filter(pk=key).first()
        if job is None:
            raise Http404
        return job


def _form_of(job: JobResult) -> str:
    """Nautobot's form, filled with what the dry run was given; it takes `False` for a tick."""
    form = reverse("extras:job_run", kwargs={"pk": job.job_model_id})
    return f"{form}?kwargs_from_job_result={job.pk}&dryrun="
