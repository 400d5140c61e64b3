"""What SONiC tells who subscribed to a table, a row or a field.

A changed row is told at the path of its table; one that is gone, or a field of it, as if the table
were. Who listens to one row is never told that it is gone.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.simulator.gnmi.refusals import Refusal, invalid
from fabric_twin.simulator.gnmi.subscription import Beat, News, check_sample
from fabric_twin.simulator.shape import Names

if TYPE_CHECKING:
    from fabric_twin.simulator.gnmi.switch_side import SwitchSide

#: Seconds between samples at least.
SHORTEST = 1.0


def check_mode(wish: Any, subscription: Any) -> None:
    """A stream of changes or of samples: the switch chooses nothing."""
    known = (pb.SubscriptionMode.ON_CHANGE, pb.SubscriptionMode.SAMPLE)
    if wish.mode == pb.SubscriptionList.STREAM and subscription.mode not in known:
        named = pb.SubscriptionMode.Name(subscription.mode)
        raise invalid(f"unsupported subscription mode, {named}")


class TableNews:
    """One path of a subscription."""

    def __init__(
        self, side: "SwitchSide", database: str, names: Names, wish: Any, subscription: Any
    ) -> None:
        self._side, self._database, self._names = side, database, names
        self._path = subscription.path
        self.prefix = wish.prefix
        streams = wish.mode == pb.SubscriptionList.STREAM
        sampled = streams and subscription.mode == pb.SubscriptionMode.SAMPLE
        self.beat = Beat(check_sample(subscription, SHORTEST) if sampled else 0.0)
        self._once = not streams
        self._told: Any = None

    def all(self) -> Iterator[News]:
        """All that is there; of a stream also where that is nothing."""
        try:
            content = self._side.look_up(self._database, self._names)
        except Refusal as refusal:
            what = "OnceRun error: " if self._once else "streamOnChangeSubscription error:  "
            raise invalid(what + refusal.words) from None
        self._told = content
        if self._once and not content:
            return
        yield self._whole(content)

    def changes(self) -> Iterator[News]:
        """What is another since it was told last."""
        if not self._names:
            return  # of a whole database nothing is told but what was there
        before, now = self._told, self._side.look_up_again(self._database, self._names)
        self._told = now
        if before == now:
            return
        if len(self._names) != 1:
            # Of a row that is gone nothing is said; of a field that is, that it is empty.
            if now or len(self._names) == 3:
                yield self._whole(now)
            return
        before, now = before or {}, now or {}
        changed = {key: row for key, row in now.items() if before.get(key) != row}
        if changed:
            yield News(self._side.split(self._path, changed), [])
        if any(before[key].keys() - now.get(key, {}).keys() for key in before):
            yield News([], [self._path])

    def _whole(self, content: Any) -> News:
        if len(self._names) == 3:
            value = pb.TypedValue(string_val=content or "")
            return News([pb.Update(path=self._path, val=value)], [])
        return News(self._side.split(self._path, content or {}), [])
