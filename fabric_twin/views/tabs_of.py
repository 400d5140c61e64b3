"""Tabs of a record's page, ours or Nautobot's own: each is a page with an address."""

from typing import Any

from nautobot.apps.views import ObjectView
from rest_framework.decorators import action
from rest_framework.response import Response

from fabric_twin.operations.audits.findings_of import count_of


class TicketsOfMixin:
    """Adds the page that the tab with tickets leads to."""

    @action(
        detail=True,
        custom_view_base_action="view",
        custom_view_additional_permissions=["fabric_twin.view_ticket"],
    )
    def tickets(self, request: Any, pk: str) -> Any:  # noqa: ARG002
        """The tab renders it."""
        return Response({})


class FindingsOfMixin:
    """Adds the page that the tab with findings leads to, and their number to the list."""

    @action(
        detail=True,
        custom_view_base_action="view",
        custom_view_additional_permissions=["fabric_twin.view_finding"],
    )
    def findings(self, request: Any, pk: str) -> Any:  # noqa: ARG002
        """The tab renders it."""
        return Response({})

    def alter_queryset(self, request: Any) -> Any:
        """The rows of the list, each with how many findings are there."""
        queryset = super().alter_queryset(request)  # type: ignore[misc]
        if getattr(self, "action", "") != "list":
            return queryset
        return queryset.annotate(finding_count=count_of(queryset.model, request.user))


class TabView(ObjectView):
    """The page of the record, with the tab open."""

    template_name = "generic/object_retrieve.html"
    tab = ""

    def get_extra_context(self, request: Any, instance: Any) -> dict[str, Any]:
        """Open the tab that the App adds to the page."""
        return {**super().get_extra_context(request, instance), "active_tab": self.tab}


def tab_of(page: Any, tab: str) -> Any:
    """The address of a tab: what Nautobot's own page shows stands around it."""
    records, content = page.queryset.model.objects.all(), page.object_detail_content
    return TabView.as_view(queryset=records, object_detail_content=content, tab=tab)
