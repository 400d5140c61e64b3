"""A tab that the App adds to the pages of Nautobot's own records."""

from typing import Any, ClassVar

from nautobot.apps.views import ObjectView


class TabView(ObjectView):
    """The page of the record, with the tab open."""

    template_name = "generic/object_retrieve.html"
    tab: ClassVar[str]

    def get_extra_context(self, request: Any, instance: Any) -> dict[str, Any]:
        """Open the tab that the App adds to the page."""
        return {**super().get_extra_context(request, instance), "active_tab": self.tab}
