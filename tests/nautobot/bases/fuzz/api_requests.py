"""Requests to the API, drawn from the document that the App itself publishes of it."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.urls import include, path
from drf_spectacular.generators import SchemaGenerator

from fabric_twin.api import urls
from tests.nautobot.bases.fuzz.odd_values import (
    BODIES,
    FORMATS,
    KINDS,
    LOOKUPS,
    NO_KEYS,
    QUERIES,
    odd,
    odd_text,
)

ROOT = "plugins/fabric-twin/"
JSON = KINDS[0]
#: How deep a body is filled in by its schema.
DEEPEST = 4
NUMBERS = (0, 1, 2, 7, 40)
#: What means something to some field or other.
MEANT = ("s", "v4", "4x4x4", "1", "2x2x2", "Active", "1A", "1-2")


@dataclass(frozen=True)
class Asked:
    """One request, with all that is needed to send it again."""

    method: str
    path: str
    body: bytes = b""
    kind: str = JSON
    #: Asked for by a page that is there already, and so for less than a page.
    is_part: bool = False

    def __str__(self) -> str:
        body = f" {self.kind} {self.body[:300]!r}" if self.body else ""
        return f"{self.method} {self.path[:300]}{body}"


def document() -> dict[str, Any]:
    """The OpenAPI document of the App alone."""
    patterns = [
        path(f"api/{ROOT}", include((urls.urlpatterns, "fabric_twin-api"), "fabric_twin-api"))
    ]
    made: dict[str, Any] = SchemaGenerator(patterns=patterns).get_schema(public=True)
    return made


class ApiRequests:
    """Draws requests: each as it should be, but for what is odd in it."""

    def __init__(self, drawn: random.Random, ids: Mapping[str, list[UUID]]) -> None:
        self.drawn, self.ids, self.document = drawn, ids, document()

    def all(self) -> Iterator[Asked]:
        """One to each address by each of its methods, in any order."""
        paths = self.document["paths"].items()
        asked = [(p, method, told) for p, methods in paths for method, told in methods.items()]
        self.drawn.shuffle(asked)
        for address, method, told in asked:
            yield self._asked(address, method.upper(), told)

    def _asked(self, address: str, method: str, told: Mapping[str, Any]) -> Asked:
        # The document leaves out where Nautobot's own API begins.
        address = f"/api{address}"
        prefix = address.partition(ROOT)[2].partition("/")[0]
        where = re.sub(r"\{(\w+)\}", lambda name: self._part(prefix, name[1]), address)
        names = [one["name"] for one in told.get("parameters", ()) if one["in"] == "query"]
        query = self._query([*names, *QUERIES])
        asked = f"{where}?{urlencode(query)}" if query else where
        if method in ("GET", "HEAD", "OPTIONS"):
            return Asked(method, asked)
        if self.drawn.random() < 0.2:
            return Asked(method, asked, self.drawn.choice(BODIES), self.drawn.choice(KINDS))
        return Asked(method, asked, json.dumps(self._body(prefix, told)).encode())

    def _part(self, prefix: str, name: str) -> str:
        there = self.ids.get(prefix, [])
        if name == "number":
            return self.drawn.choice(("1", "0", "99999999999", "x"))
        if there and self.drawn.random() < 0.9:
            return str(self.drawn.choice(there))
        return self.drawn.choice((str(uuid4()), *NO_KEYS))

    def _query(self, names: list[str]) -> list[tuple[str, str]]:
        many = self.drawn.choice((0, 0, 1, 1, 2))
        return [self._asks(self.drawn.choice(names)) for _ in range(many)]

    def _asks(self, name: str) -> tuple[str, str]:
        if name == "format":
            return name, self.drawn.choice(FORMATS)
        return name + self.drawn.choice(LOOKUPS[:1] * 5 + LOOKUPS), odd_text(self.drawn)

    def _body(self, prefix: str, told: Mapping[str, Any]) -> Any:
        schema = told.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema", {})
        body = self._filled(schema)
        if not isinstance(body, dict):
            return body
        for name in self.drawn.sample(sorted(body), min(len(body), self.drawn.choice((0, 1, 2)))):
            body[name] = odd(self.drawn)
        for name in ("custom_fields", "relationships", "tags"):
            if self.drawn.random() < 0.05:
                body[name] = odd(self.drawn)
        if "id" in body and (there := self.ids.get(prefix)):
            body["id"] = str(self.drawn.choice(there))
        return body

    def _filled(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """Something that the schema allows, most of the time."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self._filled(self.document["components"]["schemas"][name], depth)
        for several in ("allOf", "oneOf", "anyOf"):
            if several in schema:
                return self._filled(self.drawn.choice(schema[several]), depth)
        if "enum" in schema or depth > DEEPEST:
            return self.drawn.choice(schema.get("enum", [None]))
        kind = schema.get("type")
        if kind == "object":
            known, needed = schema.get("properties", {}), schema.get("required", ())
            return {
                name: self._filled(inner, depth + 1)
                for name, inner in known.items()
                if not inner.get("readOnly") and (name in needed or self.drawn.random() < 0.3)
            }
        if kind == "array":
            many = self.drawn.choice((0, 1, 2))
            return [self._filled(schema["items"], depth + 1) for _ in range(many)]
        return self.drawn.choice(self._plain(kind, schema.get("format")))

    def _plain(self, kind: str | None, form: str | None) -> Sequence[Any]:
        if form == "uuid":
            return [str(key) for key in self.drawn.choice([*self.ids.values()])]
        return {"boolean": (True, False), "integer": NUMBERS, "number": NUMBERS}.get(
            str(kind), MEANT
        )
