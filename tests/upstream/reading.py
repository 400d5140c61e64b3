"""How rows are found, and how a stream tells of their changes (`dbTableKeySubscribe`)."""

import time
from typing import Any

import grpc
from pygnmi.spec.v080 import gnmi_pb2 as gnmi

from tests.upstream.manner import Manner
from tests.upstream.switch import Event, Switch
from tests.upstream.words import Refused, Tables, names_of, not_found

Answers = list[gnmi.SubscribeResponse]


def look_up(database: str, tables: Tables, names: list[str], *, quiet: bool) -> Any:
    """Rows or a field, or None; a table without rows is refused if nothing begins like it."""
    if len(names) > 3:
        raise not_found(f"Invalid db table Path {'|'.join(names)}")
    if len(names) == 1:
        # KEYS table*: rows of OCS_CROSS_CONNECT_PHYSICAL_PATH make an empty OCS_CROSS_CONNECT
        # pass, which is then left out of the answer.
        begins = any(table.startswith(names[0]) for table, rows in tables.items() if rows)
        if not begins and not quiet:
            raise not_found(f"Failed to find {database} {names[0]} <nil> []")
    here: Any = tables
    for name in names:
        here = here.get(name)
        if here is None:
            return None
    return here


class Listener:
    """One path of a subscription."""

    def __init__(
        self,
        switch: Switch,
        manner: Manner,
        database: str,
        asked: gnmi.SubscriptionList,
        subscription: gnmi.Subscription,
    ) -> None:
        once = asked.mode == gnmi.SubscriptionList.ONCE
        if not once and subscription.mode != gnmi.ON_CHANGE:  # samples are not served here
            mode = gnmi.SubscriptionMode.Name(subscription.mode)
            words = f"unsupported subscription mode, {mode}"
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, words)
        self._switch = switch
        self._manner = manner
        self._database = database
        self._prefix = asked.prefix
        self._path = subscription.path
        self._names = names_of(asked.prefix, subscription.path)
        self._last: Any = None
        self._call = "OnceRun error: " if once else "streamOnChangeSubscription error:  "
        self._once = once

    def first(self) -> Answers:
        """All that is there; of a stream also when that is nothing."""
        try:
            content = self._read(*self._names)
        except Refused as refusal:
            words = self._call + refusal.words
            raise Refused(grpc.StatusCode.INVALID_ARGUMENT, words) from None
        if self._once:
            return self._tell(content) if content else []
        if len(self._names) == 3:
            self._last = content
            return self._tell_field(content)
        return self._tell(content or {})

    def on(self, event: Event) -> Answers:
        """A change of a row in Redis."""
        # Who asked for a whole database hears nothing after the first answer.
        depth = len(self._names)
        if not depth or event[: 1 + min(depth, 2)] != (self._database, *self._names[:2]):
            return []
        if depth == 1 and event.what in ("del", "hdel"):
            # The path of a lost row (or field) is that of the *table*, as it was asked.
            gone = gnmi.Notification(
                timestamp=time.time_ns(), prefix=self._prefix, delete=[self._path]
            )
            return [gnmi.SubscribeResponse(update=gone)]
        # Upstream reads the row when it hears of it, and says nothing that it said last.
        if depth == 1:
            content: Any = {event.key: self._read(*self._names, event.key) or {}}
        else:
            content = self._read(*self._names)
        if content == self._last:
            return []
        if depth == 2 and not content:
            return []  # who listens to one row is never told that it is gone
        self._last = content
        return self._tell_field(content) if depth == 3 else self._tell(content)

    def _read(self, *names: str) -> Any:
        tables = self._switch.tables(self._database)
        return look_up(self._database, tables, list(names), quiet=self._manner.quiet)

    def _tell(self, content: Any) -> Answers:
        parts = self._manner.notifications(self._prefix, [(self._path, content)], time.time_ns())
        return [gnmi.SubscribeResponse(update=part) for part in parts]

    def _tell_field(self, content: Any) -> Answers:
        """A field comes as a plain string, not as JSON, and empty when it is not there."""
        value = gnmi.TypedValue(string_val=content or "")
        part = gnmi.Notification(
            timestamp=time.time_ns(),
            prefix=self._prefix,
            update=[gnmi.Update(path=self._path, val=value)],
        )
        return [gnmi.SubscribeResponse(update=part)]
