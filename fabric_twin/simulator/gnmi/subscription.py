"""Subscriptions: what is there now, then what changes, or all of it again and again."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.simulator.gnmi.paths import Steps, message, steps_of
from fabric_twin.simulator.gnmi.refusals import invalid

#: Seconds between samples where the target decides; the shortest it can do; and how long changes
#: are gathered.
SAMPLE, SHORTEST, GATHERED = 10.0, 0.05, 0.01
#: Updates of one message.
BATCH = 500

Entries = Callable[[Steps], Iterator[tuple[Steps, Any]]]
#: Makes a value of an entry.
Encode = Callable[[Any], Any]


@dataclass
class Watched:
    """One path of a subscription, and what was last told of it."""

    steps: Steps
    #: Seconds between samples; 0 where changes are told.
    sample: float = 0.0
    suppress: bool = False
    heartbeat: float = 0.0
    due: float = 0.0
    beats: float = 0.0
    told: dict[Steps, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, prefix: Any, subscription: Any, *, samples: bool) -> "Watched":
        """As asked for; where the target decides, cubes sample and switches tell changes."""
        mode = subscription.mode
        if mode == pb.SubscriptionMode.TARGET_DEFINED:
            mode = pb.SubscriptionMode.SAMPLE if samples else pb.SubscriptionMode.ON_CHANGE
        steps, heartbeat = (
            steps_of(prefix, subscription.path),
            subscription.heartbeat_interval / 1e9,
        )
        watched = cls(steps, heartbeat=heartbeat)
        if mode == pb.SubscriptionMode.SAMPLE:
            interval = subscription.sample_interval / 1e9
            watched.sample = max(SHORTEST, interval) if interval else SAMPLE
            watched.suppress = subscription.suppress_redundant
        return watched

    def news(self, entries: Entries, *, whole: bool) -> tuple[list[tuple[Steps, Any]], list[Steps]]:
        """What to tell now, and what is gone; only what changed, unless all is wanted."""
        now = dict(entries(self.steps))
        gone = [steps for steps in self.told if steps not in now]
        told = self.told
        news = [(s, v) for s, v in now.items() if whole or s not in told or told[s] != v]
        self.told = now
        return news, gone


class Subscriber:
    """One Subscribe call on one target."""

    def __init__(
        self, entries: Entries, encode: Encode, timestamp: Callable[[], int], prefix: Any
    ) -> None:
        self._entries, self._encode, self._timestamp = entries, encode, timestamp
        self._prefix = pb.Path(origin=prefix.origin, target=prefix.target)
        self._stirred = asyncio.Event()

    def stir(self) -> None:
        """Something changed."""
        self._stirred.set()

    async def once(self, watched: list[Watched]) -> AsyncIterator[Any]:
        """All there is, and a word that this was it."""
        for one in watched:
            for note in self._notes(*one.news(self._entries, whole=True)):
                yield note
        yield pb.SubscribeResponse(sync_response=True)

    async def stream(self, watched: list[Watched], *, updates_only: bool) -> AsyncIterator[Any]:
        """All there is, then samples and changes until the caller hangs up."""
        if updates_only:
            for one in watched:
                one.news(self._entries, whole=True)
            yield pb.SubscribeResponse(sync_response=True)
        else:
            async for note in self.once(watched):
                yield note
        now = time.monotonic()
        for one in watched:
            one.due, one.beats = now + one.sample, now + one.heartbeat
        while True:
            stirred = await self._next(watched)
            now = time.monotonic()
            for one in watched:
                if one.sample and one.due > now:
                    continue
                beat = one.heartbeat > 0 and one.beats <= now
                if not (one.sample or stirred or beat):
                    continue
                one.due = now + one.sample
                one.beats = now + one.heartbeat if beat else one.beats
                whole = beat or (one.sample > 0 and not one.suppress)
                for note in self._notes(*one.news(self._entries, whole=whole)):
                    yield note

    async def _next(self, watched: list[Watched]) -> bool:
        """Wait for a change or the next sample; whether something changed."""
        moments = [one.due for one in watched if one.sample]
        moments += [one.beats for one in watched if one.heartbeat]
        wait = max(0.0, min(moments) - time.monotonic()) if moments else None
        if all(one.sample for one in watched):
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

    def _notes(self, news: list[tuple[Steps, Any]], gone: list[Steps]) -> Iterator[Any]:
        for first in range(0, max(len(news), 1 if gone else 0), BATCH):
            yield pb.SubscribeResponse(
                update=pb.Notification(
                    timestamp=self._timestamp(),
                    prefix=self._prefix,
                    update=[
                        pb.Update(path=message(steps), val=self._encode(value))
                        for steps, value in news[first : first + BATCH]
                    ],
                    delete=[message(steps) for steps in gone] if not first else [],
                )
            )


def mode_of(request: Any) -> int:
    """STREAM, ONCE or POLL, of the first message of a Subscribe."""
    if not request.HasField("subscribe") or not request.subscribe.subscription:
        raise invalid("a Subscribe begins with a list of subscriptions")
    mode: int = request.subscribe.mode
    return mode
