"""Buttons that lead to a form or to the form of a Job, filled in with the record."""

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from nautobot.apps.ui import Button
from nautobot.apps.views import get_obj_from_context


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


class ReportButton(Button):
    """Leads to the report of a run in one form."""

    form = "html"
    icon = "mdi-file-document-outline"

    def get_link(self, context: Any) -> str:
        """The report's address."""
        run = get_obj_from_context(context)
        return f"{reverse('plugins:fabric_twin:auditrun_report', args=[run.pk])}?form={self.form}"
