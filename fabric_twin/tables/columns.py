"""What several tables have in common: a state in its colour, and columns hidden at first."""

from typing import Any

from django.utils.html import format_html

from fabric_twin.tables.one_at_a_time import Table


def badge(colour: str, text: Any) -> str:
    """A word on a coloured ground."""
    return format_html('<span class="badge bg-{}">{}</span>', colour, text)


def all_but(fields: tuple[str, ...], *hidden: str) -> tuple[str, ...]:
    """The columns that are shown until somebody chooses others."""
    return tuple(name for name in fields if name not in hidden)


class StateTable(Table):
    """A table of what has a state."""

    def render_state(self, record: Any) -> str:
        """A word with its colour."""
        return badge(record.get_state_class(), record.get_state_display())
