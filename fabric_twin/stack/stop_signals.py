"""Ctrl-C, `down` and a closed terminal all ask the same: that the stack stops.

That is raised wherever the process is just then, so nothing slow keeps anybody waiting. Python
swallows what is raised in some places, as while it imports a module; so it is noted too, and
`heed` raises it once more.
"""

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopAsked(BaseException):
    """Somebody asked the stack to stop."""


class StopSignals:
    """Whether somebody asked, from when `heard` begins."""

    def __init__(self) -> None:
        self._is_asked = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Raise what is asked for as long as this lasts."""
        before = {number: signal.signal(number, self._ask) for number in _NUMBERS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def heed(self) -> None:
        """Raise what was asked before now."""
        if self._is_asked:
            raise StopAsked

    def _ask(self, _number: int, _frame: object) -> NoReturn:
        for number in _NUMBERS:  # once is enough: what follows is stopping in order
            signal.signal(number, signal.SIG_IGN)
        self._is_asked = True
        raise StopAsked
