"""Pages of slices: to make one is to find it a place, to delete one is to release it."""

from typing import Any

from django.contrib import messages
from nautobot.apps.ui import (
    Button,
    ButtonColorChoices,
    ObjectDetailContent,
    Titles,
)
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb
from fabric_twin.documents.slices.detour_map import detours_alike, missing_circuits
from fabric_twin.models import OpticalCircuit, Slice, SlicePart
from fabric_twin.operations.slices.make import make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.tickets.related_tickets import tickets_of_slice
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import WishButton
from fabric_twin.panels.clusters.cluster import of_pod
from fabric_twin.panels.clusters.fields import KindFieldsPanel
from fabric_twin.panels.clusters.jobs import (
    RingsPanel,
    draw_plane,
    has_rings_in,
    links_of_rings,
    tell_job,
)
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.findings_tab import FindingsTab
from fabric_twin.panels.slice import (
    DetoursPanel,
    LostPanel,
    draw_detours,
    draw_torus,
    links_of_lost,
    tell_size,
)
from fabric_twin.panels.ticket import TicketsTab
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.views.counted import CountedMixin
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin
from fabric_twin.views.tabs_of import FindingsOfMixin, TicketsOfMixin


class SliceUIViewSet(
    PageMixin, SeenFiltersMixin, FindingsOfMixin, TicketsOfMixin, CountedMixin, NautobotUIViewSet
):
    """A slice: its torus drawn, and whether its circuits are there."""

    queryset = Slice.objects.select_related("pod", "status")
    counts = {"cube_count": (SlicePart, "slice"), "circuit_count": (OpticalCircuit, "slice")}
    table_class = tables.SliceTable
    filterset_class = filters.SliceFilterSet
    filterset_form_class = forms.SliceFilterForm
    form_class = forms.SliceForm
    create_form_class = forms.MakeSliceForm
    bulk_update_form_class = forms.SliceBulkEditForm
    action_buttons = ("add", "export")
    breadcrumbs = breadcrumbs("pod")
    view_titles = Titles(titles={"create": "Make a slice", "destroy": "Release {{ object }}?"})
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            WishButton(
                weight=50,
                label="Release by Ticket",
                icon="mdi-ticket-outline",
                kind="release",
                fill={"pod": "pod_id", "slice": "pk"},
            ),
            WishButton(
                weight=50,
                label="Release by Ticket",
                icon="mdi-ticket-outline",
                kind="release",
                verb=Verb.RINGS,
                fill={"pod": "pod_id", "slice": "pk"},
            ),
            Button(
                weight=100,
                label="Release",
                icon="mdi-link-variant-off",
                color=ButtonColorChoices.RED,
                link_name="plugins:fabric_twin:slice_delete",
                required_permissions=["fabric_twin.delete_slice"],
            ),
        ],
        extra_tabs=[FindingsTab("slice"), TicketsTab("slice", tickets_of_slice)],
        panels=[
            KindFieldsPanel(
                weight=100,
                section=LEFT,
                in_cluster="Job",
                not_in_cluster=("twisted",),
                fields=["pod", "letter", "shape", "twisted", "status", "description"],
            ),
            FactsPanel(weight=100, label="Size and circuits", section=RIGHT, tell=tell_size),
            FactsPanel(weight=100, label="Groups and rings", section=RIGHT, tell=tell_job),
            DrawingPanel(weight=100, label="Torus", section=WIDE, draw=draw_torus, fits=of_pod),
            RingsPanel(weight=100, section=WIDE, links=links_of_rings),
            *(
                DrawingPanel(
                    weight=200,
                    label=f"A plane of {called}",
                    section=WIDE,
                    draw=draw_plane(dimension),
                    fits=has_rings_in(dimension),
                )
                for dimension, called in enumerate(("rows", "columns"))
            ),
            DetoursPanel(weight=200, label="How its traffic goes", section=WIDE, draw=draw_detours),
            LostPanel(weight=300, section=WIDE, lost=missing_circuits, links=links_of_lost),
            LostPanel(weight=400, section=WIDE, lost=detours_alike, links=links_of_lost),
        ],
    )

    def _process_create_or_update_form(self, form: Any) -> None:
        """Make a slice where there is none yet; one that stands is only described."""
        if self.action != "create":
            super()._process_create_or_update_form(form)
            return
        try:
            made, found = make_slice(form.cleaned_data["pod"], form.wish(), user_of(self.request))
        except FabricTwinError as refusal:
            form.add_error(None, str(refusal))
            self.has_error = True
            return
        made.tags.set(form.cleaned_data["tags"])
        for warning in found.warnings:
            messages.warning(self.request, warning)
        messages.success(self.request, f"Made the slice {made.name}.")
        self.success_url = self.get_return_url(self.request, made)

    def _process_destroy_form(self, form: Any) -> None:  # noqa: ARG002
        """Release the slice: its cubes are free, its circuits are no longer wanted."""
        made = self.get_object()
        try:
            released = release_slice(made, user_of(self.request))
        except FabricTwinError as refusal:
            messages.error(self.request, str(refusal))
            self.success_url = self.get_return_url(self.request, made)
        else:  # its page is gone
            messages.success(self.request, f"Released {released or made}.")
            self.success_url = self.get_return_url(self.request)
