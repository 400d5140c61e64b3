"""Moments on pages: in the time zone that the user chose in Nautobot, and it is named."""

from datetime import datetime

from django.utils import timezone

from fabric_twin.core.moments import moment


def local_moment(at: datetime | None, *, seconds: bool = False) -> str:
    """A moment in the user's time zone."""
    return moment(at, timezone.get_current_timezone(), seconds=seconds)


def local_zone() -> str:
    """What the user's time zone is called, such as `UTC` or `Europe/Berlin`."""
    return timezone.get_current_timezone_name()
