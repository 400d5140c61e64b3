"""What a template that somebody brings may use: some seconds, some memory, and so much to say.

It is filled in a process of its own. A comparison of two deep lists is one step to Python, which
hears no alarm and no Ctrl-C before it ends; only the system stops that, and it stops a process.

    parent   fork ---------- read the pipe, so long ----------------- text, or a refusal
               |                    ^
    child      +-- limits, work ----+   alarm: refused with its line    parent's patience: killed
"""

import contextlib
import io
import json
import math
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from fabric_twin.core.errors import TemplateRefused

SECONDS = 10.0
#: What a template may take that does not hear the alarm, or writes its answer, on top.
_TO_ANSWER = 0.5
#: On top of what the process has when the template begins.
MEMORY = 2**30
#: Characters of one document; the largest of ours (the labels of a pod) has a fifth of it.
LARGEST = 32 * 2**20

_TEXT, _REFUSED = b"+", b"-"


class OutOfBounds(Exception):
    """More than a template may use."""


def bounded(work: Callable[[], bytes]) -> bytes:
    """What `work` makes in a process of its own, or its refusal; nobody else waits for more."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _answer(work, write)
    os.close(write)
    try:
        with os.fdopen(read, "rb", buffering=0) as answers:
            answer = _heard(answers)
    finally:
        # What has answered ends by itself; who stops waiting stops the template too.
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if answer.startswith(_REFUSED):
        what, where, remedy = json.loads(answer[1:])
        raise TemplateRefused(what, where=where, remedy=remedy)
    if not answer.startswith(_TEXT):
        raise OutOfBounds(f"it runs for more than {SECONDS:g} seconds")
    return answer[1:]


def _heard(answers: io.FileIO) -> bytes:
    """What the child says within its time; a child that hears no alarm is not waited for."""
    heard, until = io.BytesIO(), time.monotonic() + SECONDS + _TO_ANSWER
    ready = select.poll()  # select() itself knows no file above 1023
    ready.register(answers, select.POLLIN)
    while ready.poll(max(until - time.monotonic(), 0) * 1000):
        if not (part := answers.read(2**20)):
            return heard.getvalue()
        heard.write(part)
    return b""


def _answer(work: Callable[[], bytes], write: int) -> NoReturn:
    """Work, answer and end, whatever happens; what the parent opened is not flushed or closed."""
    with contextlib.suppress(BaseException), os.fdopen(write, "wb") as out:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        try:
            answer = _TEXT + work()
        except TemplateRefused as refusal:
            told = (refusal.what, refusal.where, refusal.remedy)
            answer = _REFUSED + json.dumps(told).encode()
        out.write(answer)
    os._exit(0)


@contextlib.contextmanager
def limits() -> Iterator[None]:
    """Within a process of its own: stop what runs too long or takes too much memory."""
    with _alarm(), _memory():
        yield


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(_number: int, _frame: object) -> None:
        raise OutOfBounds(f"it runs for more than {SECONDS:g} seconds")

    # Should the parent be gone by then, the system kills what does not hear the alarm.
    _limit(resource.RLIMIT_CPU, math.ceil(SECONDS + _TO_ANSWER), hard=True)
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def _memory() -> Iterator[None]:
    size = Path("/proc/self/statm")
    before = resource.getrlimit(resource.RLIMIT_AS)
    if size.exists():
        now = int(size.read_text().split()[0]) * resource.getpagesize()
        _limit(resource.RLIMIT_AS, now + MEMORY)
    try:
        yield
    except MemoryError:
        raise OutOfBounds(f"it takes more than {MEMORY // 2**20} MiB of memory") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _limit(what: int, most: int, *, hard: bool = False) -> None:
    """Lower a limit, never raise one; a hard one is enforced by a kill."""
    now = [limit for limit in resource.getrlimit(what) if limit != resource.RLIM_INFINITY]
    soft = min([most, *now])
    resource.setrlimit(what, (soft, soft if hard else resource.getrlimit(what)[1]))
