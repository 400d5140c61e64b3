"""What a template that somebody brings may use: some seconds, some memory, and so much to say."""

import contextlib
import resource
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

SECONDS = 10
#: On top of what the process has when the template begins.
MEMORY = 2**30
#: Characters of one document; the largest of ours (the labels of a pod) has a fifth of it.
LARGEST = 32 * 2**20


class OutOfBounds(Exception):
    """More than a template may use."""


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Stop what runs too long or takes too much memory.

    Time is kept by the alarm clock, which only a main thread has: the command line's and a Celery
    worker's. Elsewhere the caller's own limit holds.
    """
    with _alarm(), _memory():
        yield


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise OutOfBounds(f"it runs for more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory() -> Iterator[None]:
    size = Path("/proc/self/statm")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if not size.exists() or soft != resource.RLIM_INFINITY:
        yield
        return
    now = int(size.read_text().split()[0]) * resource.getpagesize()
    try:
        resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, hard))
        yield
    except MemoryError:
        raise OutOfBounds(f"it takes more than {MEMORY // 2**20} MiB of memory") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
