"""Tickets of a record, as a tab of its page."""

from typing import Any

from rest_framework.decorators import action
from rest_framework.response import Response


class TicketsOfMixin:
    """Adds the page that the tab leads to."""

    @action(
        detail=True,
        custom_view_base_action="view",
        custom_view_additional_permissions=["fabric_twin.view_ticket"],
    )
    def tickets(self, request: Any, pk: str) -> Any:  # noqa: ARG002
        """The tab renders it."""
        return Response({})
