"""Pages of multislices: to make one is to ask for it, to delete one is to release it first."""

from typing import Any

from django.contrib import messages
from nautobot.apps.ui import ObjectDetailContent, ObjectFieldsPanel
from nautobot.apps.views import (
    ObjectChangeLogViewMixin,
    ObjectDestroyViewMixin,
    ObjectDetailViewMixin,
    ObjectEditViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)

from fabric_twin import filters, forms, tables
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Multislice
from fabric_twin.operations.networks.rings import JobIs, jobs_of
from fabric_twin.operations.superpods.ask import ask_for_multislice
from fabric_twin.operations.superpods.release import release_multislice
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.networks.multislice import tell_pods, tell_rings
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class MultisliceUIViewSet(
    PageMixin,
    SeenFiltersMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectEditViewMixin,
    ObjectDestroyViewMixin,
    ObjectChangeLogViewMixin,
    ObjectNotesViewMixin,
):
    """A job over several pods: its slices, its rings, its tickets."""

    queryset = Multislice.objects.select_related("pod", "author")
    action_buttons = ("add", "export")
    table_class = tables.MultisliceTable
    filterset_class = filters.MultisliceFilterSet
    filterset_form_class = forms.MultisliceFilterForm
    form_class = forms.MultisliceForm
    create_form_class = forms.MakeMultisliceForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        panels=[
            ObjectFieldsPanel(
                weight=100,
                section=LEFT,
                fields=[
                    "pod",
                    "name",
                    "shape",
                    "owner",
                    "author",
                    "least",
                    "gigabytes",
                    "description",
                ],
            ),
            FactsPanel(weight=100, label="Pods", section=RIGHT, tell=tell_pods),
            FactsPanel(weight=200, label="Rings", section=WIDE, tell=tell_rings),
        ],
    )

    def _process_create_or_update_form(self, form: Any) -> None:
        """Ask for it where there is none yet; one that is there is only described."""
        if self.action != "create":
            super()._process_create_or_update_form(form)
            return
        data = form.cleaned_data
        try:
            made = ask_for_multislice(data["pod"], form.wish(), user_of(self.request))
        except FabricTwinError as refusal:
            form.add_error(None, str(refusal))
            self.has_error = True
            return
        messages.success(self.request, f"Asked for {made.name}: its tickets await approval.")
        self.success_url = self.get_return_url(self.request, made)

    def _process_destroy_form(self, form: Any) -> None:
        """Release it; the record of one that has ended is deleted."""
        made = self.get_object()
        if jobs_of([made])[0].state is JobIs.ENDED:
            super()._process_destroy_form(form)
            return
        try:
            tickets = release_multislice(made, user_of(self.request))
        except FabricTwinError as refusal:
            messages.error(self.request, str(refusal))
        else:
            named = ", ".join(ticket.name for ticket in tickets) or "its rings are given up"
            messages.success(self.request, f"Asked for the release of {made.name}: {named}.")
        self.success_url = self.get_return_url(self.request, made)
