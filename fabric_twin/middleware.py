"""What a phone in the aisle says goes before pages, where the web server has more than it can do.

    pages    at most `pages_at_once` of them in a process; others wait for their turn
    phones   at once, beside those

A thread of the server has to be free for them, and one that waits for its turn is not: it needs
many more threads than pages at once.
"""

import re
from collections.abc import Callable
from threading import BoundedSemaphore

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase

from fabric_twin.core.errors import UnusableInput

SETTING = "pages_at_once"
#: What phones ask, and who asks whether the server is there.
_AT_ONCE = re.compile(
    r"/api/plugins/fabric-twin/work-orders/[^/]+/(reports|next|start|finish)/"
    r"|/plugins/fabric-twin/work-orders/([^/]+/do|mine)/"
    r"|/(health|metrics)/"
)


def pages_at_once_of(given: object) -> int | None:
    """How many are let, or a refusal.

    >>> pages_at_once_of(2)
    2
    """
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given > 0):
        return given
    raise UnusableInput(
        f"{given!r:.40} is not a number of pages", where=SETTING, remedy="A whole number, or None"
    )


class PhonesFirst:
    """Lets only so many pages be made at once."""

    def __init__(self, make: Callable[[HttpRequest], HttpResponseBase]) -> None:
        most = pages_at_once_of(settings.PLUGINS_CONFIG["fabric_twin"][SETTING])
        if most is None:
            raise MiddlewareNotUsed
        self._make, self._seats = make, BoundedSemaphore(most)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, or wait for the turn first."""
        if _AT_ONCE.fullmatch(request.path_info):
            return self._make(request)
        with self._seats:
            return self._make(request)
