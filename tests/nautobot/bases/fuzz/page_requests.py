"""Requests to the pages: each address by each method, and each form with something odd in it."""

import random
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.test import Client
from django.urls import URLPattern, reverse
from django_filters import FilterSet

from fabric_twin import urls
from tests.nautobot.bases.fuzz.api_requests import Asked
from tests.nautobot.bases.fuzz.odd_values import KINDS, LOOKUPS, NO_KEYS, odd_text

FORM = KINDS[1]
METHODS = ("GET", "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")
#: What pages of ours read of an address.
QUERIES = (
    "pod",
    "kind",
    "do",
    "form",
    "tab",
    "crew",
    "findings",
    "switch",
    "per_page",
    "page",
    "q",
)
MEANT = ("repair", "install", "slice", "release", "submit", "withdraw", "html", "csv", "1")


class PageRequests:
    """Draws requests; a form is filled in as it is shown, but for what is odd in it."""

    def __init__(
        self, drawn: random.Random, ids: Mapping[str, list[UUID]], browser: Client
    ) -> None:
        self.drawn, self.ids, self.browser = drawn, ids, browser

    def all(self) -> Iterator[Asked]:
        """One to each page, in any order."""
        pages = list(urls.urlpatterns)
        self.drawn.shuffle(pages)
        for page in pages:
            yield self._asked(page)

    def _asked(self, page: URLPattern) -> Asked:
        kind = str(page.pattern).strip("^").partition("/")[0]
        path = self._path(page, kind)
        view: Any = getattr(page.callback, "cls", None)
        filters = getattr(getattr(view, "filterset_class", None), "base_filters", {})
        query = urlencode(self._query(filters))
        method, where = self.drawn.choice(METHODS), f"{path}?{query}" if query else path
        if method == "GET":
            return Asked(method, where, is_part=self.drawn.random() < 0.5)
        said = self._said(where, kind)
        return Asked(method, where, urlencode(said, errors="replace").encode(), FORM)

    def _path(self, page: URLPattern, kind: str) -> str:
        names = page.pattern.regex.groupindex
        given = {name: self._key(kind, name) for name in names}
        path = reverse(f"plugins:fabric_twin:{page.name}", kwargs=given)
        if "pk" in given and self.drawn.random() < 0.05:
            return path.replace(str(given["pk"]), self.drawn.choice(NO_KEYS))
        return path

    def _key(self, kind: str, name: str) -> Any:
        if name == "kind":
            return self.drawn.choice(("ticket", "order", "pod", "x"))
        there = self.ids.get(kind, [])
        return self.drawn.choice(there) if there and self.drawn.random() < 0.9 else uuid4()

    def _query(self, filters: Mapping[str, FilterSet]) -> list[tuple[str, str]]:
        names = [*filters, *QUERIES]
        many = self.drawn.choice((0, 1, 1, 2))
        return [(self._name(names), self._value()) for _ in range(many)]

    def _name(self, names: list[str]) -> str:
        return self.drawn.choice(names) + self.drawn.choice(LOOKUPS[:1] * 6 + LOOKUPS)

    def _value(self) -> str:
        if self.drawn.random() < 0.4:
            return str(self.drawn.choice((*MEANT, *self.drawn.choice([*self.ids.values()]))))
        return odd_text(self.drawn)

    def _said(self, where: str, kind: str) -> list[tuple[str, str]]:
        """What the form of a page holds, with something odd; or only odd things."""
        shown = self.browser.get(where)
        form = (shown.context or {}).get("form") if shown.status_code == 200 else None
        said: dict[str, str] = {"_confirm": "1", "confirm": "true"}
        if form is not None:
            for name in form.fields:
                value = form[name].value()
                said[name] = "" if value is None else str(getattr(value, "pk", value))
        for name in self.drawn.sample(sorted(said), min(len(said), self.drawn.choice((0, 1, 2)))):
            said[name] = self._value()
        extra = {"pk": self._key(kind, "pk"), "make": "", "_apply": "1", "why": self._value()}
        chosen = self.drawn.sample(sorted(extra), self.drawn.choice((0, 1, 2)))
        return [*said.items(), *((name, str(extra[name])) for name in chosen)]
