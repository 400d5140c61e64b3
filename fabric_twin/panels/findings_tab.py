"""A tab with the findings of a record, and how many of them are there now."""

from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from nautobot.apps.ui import DistinctViewTab
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.operations.audits.findings_of import findings_of, heard_there
from fabric_twin.panels import WIDE
from fabric_twin.panels.finding_list import FindingListPanel
from fabric_twin.panels.once import once


class FindingsTab(DistinctViewTab):
    """On a page of the App, where findings are looked for."""

    required_permissions = ("fabric_twin.view_finding",)

    def __init__(self, model: str, weight: int = 800) -> None:
        panel = FindingListPanel(weight=100, label="Findings", section=WIDE)
        super().__init__(
            weight=weight,
            tab_id="findings",
            label="Findings",
            url_name=f"plugins:fabric_twin:{model}_findings",
            panels=[panel],
        )

    def render_label(self, context: Any) -> str:
        """The label, and how many findings are there that nobody silenced."""
        record, user = get_obj_from_context(context), context["request"].user
        many = once(_count, record, user)
        if not many:
            return str(super().render_label(context))
        badge = render_to_string("utilities/templatetags/badge.html", {"value": many})
        return format_html("{} {}", self.label, badge)


class SomeFindingsTab(FindingsTab):
    """On a page of Nautobot's: only where there is, or was, a finding that the user may see."""

    def __init__(self, model: str) -> None:
        super().__init__(model, weight=1100)

    def should_render(self, context: Any) -> bool:
        """Whether there is anything to list."""
        record, user = get_obj_from_context(context), context["request"].user
        return super().should_render(context) and once(_any, record, user)


def _count(record: Any, user: User) -> int:
    of_record = findings_of(record, user).order_by().values("pk")
    return int(heard_there(user).filter(pk__in=of_record).count())


def _any(record: Any, user: User) -> bool:
    return bool(findings_of(record, user).exists())
