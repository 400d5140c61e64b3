"""How far a running job is: the one place where it says so, and where pages read it.

    job or run --- tell ---> this process --- at most once a second ---> cache ---> pages

A thread of its own writes it, so that neither the job nor its transaction waits for the cache; and
it is in no table: it is worth nothing once the job has ended.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.core.cache import cache
from django.utils import timezone

from fabric_twin.core.how_far import Progress

log = logging.getLogger("fabric_twin.jobs")
#: How often it is written, and for how long it is kept when nothing writes it again, in seconds.
EVERY, KEPT = 1.0, 60
_KEY = "fabric_twin.progress.{}"


@dataclass
class _Teller:
    """What one job says, and for which records it is shown."""

    keys: tuple[UUID, ...]
    usual: timedelta | None = None
    began: datetime = field(default_factory=timezone.now)
    said: Progress | None = None

    def say(self, what: str, done: int = 0, of: int = 0) -> None:
        now, before = timezone.now(), self.said
        goes_on = before is not None and (before.what, before.of) == (what, of)
        since = before.counts_since if before and goes_on else now
        self.said = Progress(what, self.began, since, now, done, of, self.usual)


_CURRENT: ContextVar[_Teller | None] = ContextVar("fabric_twin.progress", default=None)


@contextmanager
def telling(key: UUID, usual: timedelta | None = None) -> Iterator[None]:
    """Show what is told meanwhile on the page of a job, or of a run within it.

    `usual` is how long the same took the last time.
    """
    outer = _CURRENT.get()
    if outer:  # a run within a job: both pages show it, and the thread of the job writes it
        kept = replace(outer)
        outer.keys, outer.usual, outer.began = (*outer.keys, key), usual, timezone.now()
        try:
            yield
        finally:
            outer.keys, outer.usual, outer.began = kept.keys, kept.usual, kept.began
        return
    mine, over = _Teller((key,), usual), threading.Event()
    threading.Thread(target=_write, args=(mine, over), name="job progress", daemon=True).start()
    token = _CURRENT.set(mine)
    try:
        yield
    finally:
        over.set()
        _CURRENT.reset(token)


def tell(what: str, done: int = 0, of: int = 0) -> None:
    """Say how far the job is: what is counted, how many are done, of how many."""
    if teller := _CURRENT.get():
        teller.say(what, done, of)


def counting(what: str, of: int) -> Callable[..., None]:
    """Count what is done, one or several at a time, from any thread."""
    teller, lock, done = _CURRENT.get(), threading.Lock(), 0
    if teller is None:
        return lambda _more=1: None
    teller.say(what, 0, of)

    def more(many: int = 1) -> None:
        nonlocal done
        with lock:
            done += many
            teller.say(what, done, of)

    return more


def told(keys: Collection[UUID]) -> Mapping[UUID, Progress]:
    """What running jobs and runs last said, by their keys."""
    named = {_KEY.format(key): key for key in keys}
    try:
        found = cache.get_many(list(named)) if named else {}
    except Exception as error:  # noqa: BLE001 - a cache that is away hides the bar and no page
        log.warning("how far jobs are cannot be read: %s", error)
        return {}
    return {named[name]: said for name, said in found.items() if isinstance(said, Progress)}


def _write(teller: _Teller, over: threading.Event) -> None:
    written, at = None, 0.0
    while not over.wait(EVERY):
        said = teller.said
        if said is None or (said is written and time.monotonic() - at < KEPT / 3):
            continue
        try:
            cache.set_many({_KEY.format(key): said for key in teller.keys}, KEPT)
            written, at = said, time.monotonic()
        except Exception as error:  # noqa: BLE001 - a cache that is away stops no job
            log.warning("how far the job is cannot be written: %s", error)
