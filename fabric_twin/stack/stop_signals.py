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

    def hear_no_more(self) -> None:
        """What follows is stopping in order: who asks again changes nothing.

        Not ignored, for what is started after that would ignore it as well.
        """
        for number in _NUMBERS:
            signal.signal(number, _pass_over)

    def heed(self) -> None:
        """Raise what was asked before now."""
        if self._is_asked:
            raise StopAsked

    def _ask(self, _number: int, _frame: object) -> NoReturn:
        self.hear_no_more()
        self._is_asked = True
        raise StopAsked


def _pass_over(_number: int, _frame: object) -> None:
    """Do nothing."""
