"""A tab with findings, on pages of racks, devices and cables that are of a pod."""

from typing import Any

from nautobot.apps.ui import DistinctViewTab
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.models import Finding
from fabric_twin.panels import WIDE
from fabric_twin.panels.finding_list import FindingListPanel
from fabric_twin.panels.once import once


class FindingsTab(DistinctViewTab):
    """Shown where there is, or was, a finding that the user may see."""

    required_permissions = ("fabric_twin.view_finding",)

    def __init__(self, url_name: str, place: str) -> None:
        self.place = f"places__{place}"
        panel = FindingListPanel(weight=100, label="Findings", section=WIDE, at=self.place)
        super().__init__(
            weight=1100, tab_id="findings", label="Findings", url_name=url_name, panels=[panel]
        )

    def should_render(self, context: Any) -> bool:
        """Whether there is anything to list."""
        record, user = get_obj_from_context(context), context["request"].user
        return super().should_render(context) and once(self._has_any, record, user)

    def _has_any(self, record: Any, user: User) -> bool:
        found = Finding.objects.restrict(user, "view").filter(**{self.place: record})
        return bool(found.exists())
