"""A tab that the App adds to the pages of Nautobot's own records."""

from typing import Any

from nautobot.apps.views import ObjectView


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
