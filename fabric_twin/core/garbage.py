"""The garbage collector of a process: seldom by, and never at what stands for good."""

import contextlib
import gc
from collections.abc import Iterator
from threading import Lock

#: New objects before the young are walked, and how many such walks before the older are.
SELDOM = (200_000, 20, 20)

_lock = Lock()
#: How many are at such work, and what the process had before the first of them came.
_busy: list[tuple[int, int, int]] = []


def spare_what_is_loaded() -> None:
    """Never look again at what a process has now, for it stands as long as the process.

    Nautobot is a million objects that are no garbage: to walk them took a third of a second, each
    time that enough had been made besides.
    """
    gc.collect()
    gc.freeze()


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the collector of this process come by more seldom, until nobody is at such work.

    Rows and answers are freed at their last use: the collector would only walk them in vain, after
    every 700, and it made reading a pod's fabric five times as slow. It is never off: work of other
    threads, and whatever is waited for meanwhile, leaves its cycles to it as ever.
    """
    with _lock:
        _busy.append(gc.get_threshold())
        gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        with _lock:
            before = _busy.pop()
            if not _busy:
                gc.set_threshold(*before)
