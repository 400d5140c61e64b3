"""Asking what may never answer: each for some seconds, and then without it."""

from collections.abc import Callable, Sequence
from threading import Thread
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
#: Seconds for one question, and for many side by side.
ONE, ALL = 6.0, 15.0


def in_time(ask: Callable[[], T], seconds: float = ONE) -> T | Exception:
    """What comes of a question, or why nothing does."""
    return all_in_time([ask], seconds)[0]


def all_in_time(asks: Sequence[Callable[[], T]], seconds: float = ALL) -> list[T | Exception]:
    """The same of many at once. Who is late is left behind; it ends with the process."""
    late = TimeoutError(f"no answer within {seconds:g} s")
    found: list[T | Exception] = [late] * len(asks)

    def answer(place: int) -> None:
        try:
            found[place] = asks[place]()
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer
            found[place] = error

    threads = [Thread(target=answer, args=(place,), daemon=True) for place in range(len(asks))]
    until = monotonic() + seconds
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - monotonic()))
    return [*found]


def in_words(error: Exception) -> str:
    """An error in one line."""
    said = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
