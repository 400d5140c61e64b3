"""Tickets and work orders that concern the record of a page, as a table."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from nautobot.apps.ui import Panel, SectionChoices
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

#: Rows of a record that its page lists.
MOST = 50


class ConcerningPanel(Panel, ABC):
    """What was planned about a record: its name, what, kind, state, more, and since when."""

    body_content_template_path = "fabric_twin/panels/concerning.html"
    section = SectionChoices.FULL_WIDTH
    #: What the columns are called.
    heads: tuple[str, ...] = ()

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The first of them that the user may see."""
        found = self.rows(get_obj_from_context(context), context["request"].user)
        rows = [(row, self.more(row)) for row in found[:MOST]]
        return {**super().get_extra_context(context), "heads": self.heads, "rows": rows}

    @abstractmethod
    def rows(self, record: Any, user: User) -> Any:
        """What concerns a record, in order."""

    @abstractmethod
    def more(self, row: Any) -> Iterable[Any]:
        """The cells that only this kind has."""
