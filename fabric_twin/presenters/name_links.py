"""Names in words become links, where the user may see what is called so.

The words of a page are read together: a query for each kind of record, however many names. A port
is named after its device: `iw1-ocs-x-3-2 ports 7A and 9A`, `on iw1-ocs-x-3-2 from port 7A`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from nautobot.dcim.models import Cable, Device, Rack
from nautobot.users.models import User

from fabric_twin.core.record_names import (
    ORDER_NAME,
    RUN_NAME,
    TICKET_NAME,
    RecordName,
    parse_record_name,
)
from fabric_twin.models import AuditRun, Finding, Pod, Port, Slice, Switch, Ticket, WorkOrder
from fabric_twin.presenters.visible_pod import page

#: A run's name has words in it; every other name that stands in a sentence is one word.
_WORD = re.compile(r"[^\s,;()]+ audit \d+|[^\s,;()]+")
#: What ends a sentence, and no name.
_ENDS = ".:?!'\""
#: A name has a letter in it, and what a word of a sentence has not.
_LIKE_A_NAME = re.compile(r"(?=.*[^\W\d_])(?=.*[\d_-])")
#: Before ports of a device, between them, and before more of the device that was named last.
_PORTS, _BETWEEN, _OF_THE_SAME = {"port", "ports"}, {"and", "to"}, {"from", "to", "or", "perhaps"}


class _Word(NamedTuple):
    """A word of a text that could be a name, and where it begins."""

    start: int
    name: str
    #: The device, where it could be the name of one of its ports.
    device: str = ""


class NameLinks:
    """The pages of what some texts name; `pod` is where switches, slices and findings are of."""

    def __init__(self, user: User, pod: Pod | None, texts: Iterable[Any]) -> None:
        self._user, self._pod = user, pod
        said = [str(text) for text in texts]
        wanted = {name for text in said for name in _names_in(text)}
        ports = {(word.device, word.name) for text in said for word in _words_of(text)}
        self._ports = self._of_devices({port for port in ports if port[0]})
        self._pages: dict[str, str] = {}
        for read in self._kinds():
            if left := wanted - self._pages.keys():
                self._pages |= read(left)

    def linked(self, text: Any) -> SafeString:
        """The text with each name in it as a link to its page."""
        words = str(text)
        if words in self._pages:
            return _link(self._pages[words], words)
        parts, last = [], 0
        for start, name, device in _words_of(words):
            if url := self._ports.get((device, name)) or self._pages.get(name):
                parts += [format_html("{}", words[last:start]), _link(url, name)]
                last = start + len(name)
        parts.append(format_html("{}", words[last:]))
        return mark_safe("".join(parts))  # noqa: S308 - each part is escaped

    def facts(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """Names and values, each value that is a text with its links."""
        return {
            name: self.linked(value) if type(value) is str else value
            for name, value in told.items()
        }

    def _kinds(self) -> Iterable[Callable[[set[str]], Mapping[str, str]]]:
        """How each kind is read: what is called by two kinds leads to the first."""
        if self._pod:
            yield partial(self._of_pod, Switch, "device__name")
            yield partial(self._of_pod, Slice, "name")
            yield partial(self._of_pod, Finding, "key")
        yield partial(self._numbered, Ticket, TICKET_NAME)
        yield partial(self._numbered, WorkOrder, ORDER_NAME)
        yield partial(self._numbered, AuditRun, RUN_NAME)
        yield partial(self._named, Device.objects.all(), "name")
        yield partial(self._named, Rack.objects.all(), "name")
        yield partial(self._named, Cable.objects.all(), "label")

    def _of_devices(self, names: set[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
        """Pages of ports, by the names of their devices and their own."""
        if not names:
            return {}
        rows = Port.objects.restrict(self._user, "view").filter(
            interface__device__name__in={device for device, _ in names},
            interface__name__in={port for _, port in names},
        )
        columns = "interface__device__name", "interface__name", "pk"
        found: dict[tuple[str, str], str] = {}
        twice = set()
        for device, name, pk in rows.order_by().values_list(*columns):
            twice |= {(device, name)} & found.keys()
            found[device, name] = page("port", pk)
        return {port: url for port, url in found.items() if port not in twice}

    def _of_pod(self, model: Any, field: str, names: set[str]) -> Mapping[str, str]:
        return self._named(model.objects.filter(pod=self._pod), field, names)

    def _named(self, rows: QuerySet[Any], field: str, names: set[str]) -> Mapping[str, str]:
        """Pages by name; a name that two have leads nowhere."""
        rows = rows.restrict(self._user, "view").filter(**{f"{field}__in": names}).order_by()  # type: ignore[attr-defined]
        found: dict[str, str] = {}
        twice = set()
        for name, pk in rows.values_list(field, "pk"):
            twice |= {name} & found.keys()
            found[name] = _page(rows.model, pk)
        return {name: url for name, url in found.items() if name not in twice}

    def _numbered(self, model: Any, pattern: re.Pattern[str], names: set[str]) -> Mapping[str, str]:
        """Pages of what is counted in its pod: `iw1-t2`, `iw1-w3`, `iw1 audit 4`."""
        parts = {name: parse_record_name(pattern, name) for name in names}
        asked = {name: part for name, part in parts.items() if part and part.pod}
        if not asked:
            return {}
        has_revisions = "revision" in pattern.groupindex
        columns = ("pod__name", "number", *["revision"] * has_revisions)
        rows = model.objects.restrict(self._user, "view").filter(
            pod__name__in={part.pod for part in asked.values()},
            number__in={part.number for part in asked.values()},
        )
        pages = {
            RecordName(pod=pod, number=number, revision=revision[0] if revision else None): page(
                model._meta.model_name, pk
            )
            for pk, pod, number, *revision in rows.order_by().values_list("pk", *columns)
        }
        first = 1 if has_revisions else None
        keys = {
            name: RecordName(pod=part.pod, number=part.number, revision=part.revision or first)
            for name, part in asked.items()
        }
        return {name: pages[key] for name, key in keys.items() if key in pages}


def _page(model: Any, pk: Any) -> str:
    meta = model._meta
    if meta.app_label == "fabric_twin":
        return page(meta.model_name, pk)
    return reverse(f"{meta.app_label}:{meta.model_name}", args=[pk])


def _link(url: str, name: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', url, name)


def _names_in(text: str) -> Iterable[str]:
    if _LIKE_A_NAME.match(text):
        yield text
    yield from (word.name for word in _words_of(text))


def _words_of(text: str) -> Iterator[_Word]:
    """Words that could be names; what follows `port` or `ports` could be of the device before."""
    device, before, of_device = "", "", False
    for found in _WORD.finditer(text):
        word = found.group()
        name = word.strip(_ENDS)
        is_name = bool(_LIKE_A_NAME.match(name))
        if name in _PORTS:
            if before not in _OF_THE_SAME:
                device = before if _LIKE_A_NAME.match(before) else ""
            of_device = True
        elif not is_name and name not in _BETWEEN:
            of_device = False
        if is_name:
            yield _Word(found.start() + word.index(name), name, device if of_device else "")
            if not of_device:
                device = name
        before = name
