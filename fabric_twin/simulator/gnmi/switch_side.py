"""How a switch answers gNMI: by the rules of SONiC's own server, in the shape that is wanted."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import sonic
from fabric_twin.simulator.configuration import Tables
from fabric_twin.simulator.gnmi.config_patch import patched
from fabric_twin.simulator.gnmi.paths import compact
from fabric_twin.simulator.gnmi.refusals import not_found, unimplemented
from fabric_twin.simulator.gnmi.sonic_paths import (
    DEEPEST,
    Asked,
    asked,
    check_origin,
    check_subscribed_origin,
)
from fabric_twin.simulator.gnmi.switch_tables import SwitchTables
from fabric_twin.simulator.gnmi.table_news import TableNews, check_mode
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.shape import Names, Shape

_ENCODINGS = (pb.Encoding.JSON, pb.Encoding.JSON_IETF, pb.Encoding.PROTO)


class SwitchSide:
    """One switch, as who asks for `device` meets it."""

    origin = sonic.ORIGIN

    def __init__(self, pod: SimulatedPod, device: str) -> None:
        self._pod, self._device = pod, device
        self._switch = int(pod.answers[pod.points.switch_numbers[device]])
        self._tables = SwitchTables(pod, self._switch)

    def reads(self, request: Any) -> Asked:
        """What a GetRequest asks for, or a refusal: that comes before who asks."""
        if request.type != pb.GetRequest.ALL:
            kind = pb.GetRequest.DataType.Name(request.type)
            raise unimplemented(f"unsupported request type: {kind}")
        if request.encoding not in _ENCODINGS:
            named = pb.Encoding.Name(request.encoding)
            raise unimplemented(f"unsupported encoding: {named}")
        check_origin(request.prefix, request.path)
        return asked(request.prefix, request.path)

    def changes(self, request: Any) -> Asked:
        """What a SetRequest is about, or a refusal."""
        if request.union_replace:
            raise unimplemented("union_replace is not supported")
        updates = (*request.replace, *request.update)
        paths = [*request.delete, *(update.path for update in updates)]
        check_origin(request.prefix, paths)
        return asked(request.prefix, paths)

    def watches(self, wish: Any) -> Asked:
        """What a list of subscriptions is about, or a refusal."""
        if not wish.subscription:
            raise not_found("Invalid subscription path: No Subscription")
        paths = [one.path for one in wish.subscription]
        check_subscribed_origin(wish.prefix, paths)
        return asked(wish.prefix, paths)

    def get(self, request: Any, wanted: Asked, timestamp: int) -> list[Any]:
        """Notifications: one a path that has anything, by path and never by place."""
        notes = []
        self._tables.will_be_asked(wanted.database, wanted.names)
        for path, names in zip(request.path, wanted.names, strict=True):
            made = self._told(path, wanted, names, timestamp)
            if made is None:
                continue
            told_at, text = made
            self._check_encoding(request.encoding, names)
            notes.append(
                pb.Notification(
                    timestamp=told_at,
                    prefix=request.prefix,
                    update=list(updates(self._pod.shape, path, text)),
                )
            )
        return notes[::-1] if self._pod.shape.shuffled else notes

    async def set(self, request: Any, wanted: Asked) -> None:
        """Change the configuration; who reads it while it is saved gets the one before."""
        pod, switch = self._pod, self._switch
        async with pod.one_set[switch]:
            before = pod.configs[switch]
            after = patched(before, request, wanted, makes_tables=pod.makes_tables)
            pod.configure(switch, after)
            seconds = max(pod.saving, pod.manner(self._device).saves)
            if not seconds:
                return
            pod.checkpoints[switch] = before
            try:
                await asyncio.sleep(seconds)
            finally:
                del pod.checkpoints[switch]

    def watched(self, wish: Any, wanted: Asked) -> list[TableNews]:
        """What is subscribed to."""
        news = []
        for one, names in zip(wish.subscription, wanted.names, strict=True):
            check_mode(wish, one)
            news.append(TableNews(self, wanted.database, names, wish, one))
        return news

    def look_up(self, database: str, names: Names) -> Any:
        """What is at a path now, or nothing; a table without rows is refused, or is nothing.

        It is nothing where the rows of another table begin with the same name.
        """
        self._check_there(database, names)
        return self._tables.find(database, names)

    def look_up_again(self, database: str, names: Names) -> Any:
        """The same of a stream that goes on: also where nothing is left."""
        return self._tables.find(database, names)

    def split(self, path: Any, content: Any) -> list[Any]:
        """Updates of what is at a path, in the switch's shape."""
        return list(updates(self._pod.shape, path, compact(content)))

    def _told(
        self, path: Any, wanted: Asked, names: Names, timestamp: int
    ) -> tuple[int, bytes] | None:
        """The text at a path and since when it is so; an empty table is absent."""
        place = self._device, (wanted.database, *names)
        if made := self._pod.frozen.get(place):
            return made
        text = self._text(path, wanted, names)
        if text is None:
            return None
        if self._pod.manner(self._device).stale:
            self._pod.frozen[place] = timestamp, text
        return timestamp, text

    def _text(self, path: Any, wanted: Asked, names: Names) -> bytes | None:
        checkpoint = self._pod.checkpoints.get(self._switch)
        if wanted.database == sonic.CONFIG and checkpoint is not None:
            before = [_at(checkpoint, each) for each in wanted.names]
            # If one path is missing in the checkpoint, all are read as they are.
            if all(content is not None for content in before):
                return compact(_at(checkpoint, names))
        self._check_there(wanted.database, names)
        text = self._tables.text(wanted.database, names)
        if text is None and len(names) > 1:
            at = "/".join(elem.name for elem in path.elem)
            raise not_found(f"No valid entry found for path {at}")
        return text

    def _check_there(self, database: str, names: Names) -> None:
        if len(names) > DEEPEST:
            raise not_found(f"Invalid db table Path {'|'.join(names)}")
        if len(names) == 1 and not self._begins_any(database, names[0]):
            raise not_found(f"Failed to find {database} {names[0]} <nil> []")

    def _begins_any(self, database: str, name: str) -> bool:
        """Whether a table of that name, or one whose name begins like it, has rows."""
        there = self._tables
        return any(
            there.has_rows(database, table)
            for table in there.names(database)
            if table.startswith(name)
        )

    def _check_encoding(self, encoding: int, names: Names) -> None:
        """A field is told in any encoding; rows and tables only in JSON_IETF."""
        if len(names) == DEEPEST or encoding == pb.Encoding.JSON_IETF:
            return
        if len(names) == 2 and encoding == pb.Encoding.JSON:
            raise not_found(f"No valid entry found for path {'/'.join(names)}")
        named = pb.Encoding.Name(encoding)
        raise not_found(f"Unknown encoding {named}")


def updates(shape: Shape, path: Any, text: bytes) -> Iterator[Any]:
    """Updates of what is at a path, in a shape."""
    if shape.grain == "asked":
        yield pb.Update(path=path, val=pb.TypedValue(json_ietf_val=text))
        return
    for at, content in shape.split((), json.loads(text)):
        steps = [*path.elem, *(pb.PathElem(name=name) for name in at)]
        value = pb.TypedValue(json_ietf_val=compact(content))
        yield pb.Update(path=pb.Path(origin=path.origin, elem=steps), val=value)


def _at(tables: Tables, names: Names) -> Any:
    here: Any = tables
    for name in names:
        here = here.get(name) if isinstance(here, dict) else None
    return here
