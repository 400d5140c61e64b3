"""Where a time is asked for, the zone that it is read in stands beside."""

from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from nautobot.apps.forms import DateTimePicker

from fabric_twin.presenters.moments import local_zone


class ZonedPicker(DateTimePicker):
    """Nautobot's picker of a date and a time, with the user's time zone named."""

    def render(self, *args: Any, **options: Any) -> SafeString:
        """The field, and the zone."""
        field = super().render(*args, **options)
        return format_html('{}<span class="form-text">Time zone: {}</span>', field, local_zone())
