"""Tabs of a record's page: each is a page of its own, which needs an address."""

from typing import Any

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
