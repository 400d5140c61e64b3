"""What all pages of the App have, and Nautobot's own have not."""

from typing import Any

#: Nautobot's page with our head; templates of our own extend it, Nautobot's by this name.
ROOT = "fabric_twin/page.html"


class PageMixin:
    """A page of the App that a template of Nautobot's makes."""

    def get_extra_context(self, request: Any, instance: Any = None) -> dict[str, Any]:
        """Nautobot's templates extend what is named here."""
        return {**super().get_extra_context(request, instance), "root_template": ROOT}  # type: ignore[misc]
