"""Subscriptions: what is there now, then what changes, or all of it again and again."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from fabric_twin.dialects import gnmi as pb
from fabric_twin.simulator.gnmi.refusals import Refusal, invalid

#: Seconds between samples where the target decides, and how long changes are gathered.
SAMPLE, GATHERED = 10.0, 0.01
#: Updates of one message.
BATCH = 500


class News(NamedTuple):
    """What one message tells: updates, and paths of what is gone."""

    updates: Sequence[Any]
    gone: Sequence[Any]


@dataclass
class Beat:
    """When a path is told again though nothing changed."""

    #: Seconds between samples; 0 where changes are told.
    sample: float = 0.0
    #: Whether a sample tells only what is another than in the last one.
    suppress: bool = False
    heartbeat: float = 0.0
    due: float = 0.0
    beats: float = 0.0

    def news(self, watched: "Watched", now: float, *, stirred: bool) -> Iterator[News]:
        """What to send for a path now; after news, it may have changed."""
        beats = self.heartbeat > 0 and self.beats <= now
        if (self.due > now) if self.sample else not (stirred or beats):
            return
        self.due = now + self.sample
        self.beats = now + self.heartbeat if beats else self.beats
        whole = beats or (self.sample > 0 and not self.suppress)
        yield from watched.all() if whole else watched.changes()


class Watched(Protocol):
    """One path of a subscription, and what was last sent for it."""

    prefix: Any
    beat: Beat

    def all(self) -> Iterator[News]:
        """All there is."""

    def changes(self) -> Iterator[News]:
        """What is another since it was told last."""


class Subscriber:
    """One Subscribe call on one target."""

    def __init__(self, watched: Sequence[Watched], timestamp: Callable[[], int]) -> None:
        self._watched, self._timestamp = watched, timestamp
        self._stirred = asyncio.Event()
        self._refusal: Refusal | None = None

    def stir(self) -> None:
        """Something changed."""
        self._stirred.set()

    def end(self, refusal: Refusal) -> None:
        """Refuse to go on."""
        self._refusal = refusal
        self.stir()

    async def once(self) -> AsyncIterator[Any]:
        """All there is, and a word that this was it."""
        for one in self._watched:
            for note in self._notes(one, one.all()):
                yield note
        yield pb.SubscribeResponse(sync_response=True)

    async def stream(self, *, updates_only: bool) -> AsyncIterator[Any]:
        """All there is, then samples and changes until the caller hangs up."""
        if updates_only:
            for one in self._watched:
                list(one.all())
            yield pb.SubscribeResponse(sync_response=True)
        else:
            async for note in self.once():
                yield note
        now = time.monotonic()
        for one in self._watched:
            one.beat.due, one.beat.beats = now + one.beat.sample, now + one.beat.heartbeat
        while True:
            stirred = await self._next()
            if self._refusal:
                raise self._refusal
            now = time.monotonic()
            for one in self._watched:
                for note in self._notes(one, one.beat.news(one, now, stirred=stirred)):
                    yield note

    async def _next(self) -> bool:
        """Wait for a change or the next sample; whether something changed."""
        beats = [one.beat for one in self._watched]
        moments = [beat.due for beat in beats if beat.sample]
        moments += [beat.beats for beat in beats if beat.heartbeat]
        wait = max(0.0, min(moments) - time.monotonic()) if moments else None
        if all(beat.sample for beat in beats):
            await asyncio.sleep(wait or 0.0)
            return False
        try:
            await asyncio.wait_for(self._stirred.wait(), wait)
        except TimeoutError:
            return False
        # One change brings others: a batch of mirrors comes to rest together.
        await asyncio.sleep(GATHERED)
        self._stirred.clear()
        return True

    def _notes(self, one: Watched, news: Iterator[News]) -> Iterator[Any]:
        for updates, gone in news:
            for first in range(0, max(len(updates), 1 if gone else 0), BATCH):
                yield pb.SubscribeResponse(
                    update=pb.Notification(
                        timestamp=self._timestamp(),
                        prefix=one.prefix,
                        update=updates[first : first + BATCH],
                        delete=gone if not first else [],
                    )
                )


def mode_of(request: Any) -> int:
    """STREAM, ONCE or POLL, of the first message of a Subscribe."""
    if not request.HasField("subscribe"):
        raise invalid("first message must be SubscriptionList: a Subscribe begins with one")
    mode: int = request.subscribe.mode
    if mode not in pb.SubscriptionList.Mode.values():
        raise invalid(f"Unknown subscription mode: {mode}")
    return mode


def check_sample(subscription: Any, shortest: float) -> float:
    """Seconds between samples; shorter than a target can is refused, not rounded."""
    seconds: float = subscription.sample_interval / 1e9
    if 0 < seconds < shortest:
        raise invalid(f"invalid interval: {seconds:g} s. It cannot be less than {shortest:g} s")
    return seconds or SAMPLE
