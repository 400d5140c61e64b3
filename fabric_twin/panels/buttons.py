"""Buttons that lead to a page about the record, or to a form filled in with it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from nautobot.apps.ui import Button
from nautobot.apps.views import get_obj_from_context


class RecordButton(Button):
    """Leads to a page about the record."""

    #: What the page is asked for, such as `{"form": "pdf"}`.
    asks: dict[str, str] = {}
    #: Whether it is shown for a record and a user.
    fits: Callable[[Any, Any], bool] | None = None

    def should_render(self, context: Any) -> bool:
        """Only where it leads somewhere."""
        if not super().should_render(context):
            return False
        record, user = get_obj_from_context(context), context["request"].user
        return self.fits is None or self.fits(record, user)

    def get_link(self, context: Any) -> str:
        """The page, and what it is asked for."""
        page = super().get_link(context)
        return f"{page}?{urlencode(self.asks)}" if self.asks else page


class FilledFormButton(Button):
    """Leads to a form; `fill` names its fields and the attributes of the record for them."""

    fill: dict[str, str] = {}
    link_includes_pk = False

    def get_link(self, context: Any) -> str:
        """The form's page, with what is known of it."""
        record = get_obj_from_context(context)
        known = {field: getattr(record, name) for field, name in self.fill.items()}
        return f"{self.get_page()}?{urlencode(known)}"

    def get_page(self) -> str:
        """Where the form is."""
        return reverse(self.link_name)


class WishButton(FilledFormButton):
    """Leads to the form of a ticket of some kind."""

    kind = ""
    link_name = "plugins:fabric_twin:ticket_add"
    required_permissions = ("fabric_twin.add_ticket",)

    def get_link(self, context: Any) -> str:
        """The form's page, with the kind first."""
        page, _, known = super().get_link(context).partition("?")
        return f"{page}?kind={self.kind}&{known}"


class OrderWishButton(WishButton):
    """Leads to the form of a work order of some kind."""

    link_name = "plugins:fabric_twin:workorder_add"
    required_permissions = ("fabric_twin.add_workorder",)


class JobFormButton(FilledFormButton):
    """Leads to the form of a Job, which says itself what is missing to run it."""

    job = ""
    required_permissions = ("extras.run_job",)

    def get_page(self) -> str:
        """Where the Job is run."""
        return reverse("extras:job_run_by_class_path", kwargs={"class_path": self.job})
