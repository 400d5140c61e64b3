"""Being told to stop, and ending in order: what is under way is brought to an end first."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class Stop:
    """Whether somebody wants it to end."""

    def __init__(self) -> None:
        #: The signal that came, or 0.
        self.signal = 0

    def __bool__(self) -> bool:
        return bool(self.signal)


@contextlib.contextmanager
def stopping() -> Iterator[Stop]:
    """Note Ctrl-C, SIGTERM and a terminal that goes away, in place of dying of them."""
    stop = Stop()

    def note(number: int, _frame: FrameType | None) -> None:
        stop.signal = number

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
