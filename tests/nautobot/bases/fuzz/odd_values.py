"""Values that programs, people and attackers send where something else is meant."""

import random
from typing import Any

DEEP = 40


def _nested(kind: str) -> Any:
    value: Any = "x"
    for _ in range(DEEP):
        value = [value] if kind == "list" else {"a": value}
    return value


#: What stands in an address where a key does; the last two are as long as one.
NO_KEYS = ("x", "0", "%00", "..;", "a" * 300, "-" * 36, "a" * 36)
#: As JSON; the last two end a parser's patience.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 10**40, 1.5, 1e308, -0.0),
    *("", " ", "0", "x", "null", "None", "true", "a\0b", "\ud800", "é" * 300, "x" * 5000),
    *("*", "(", "[", "\\", "a{1,9999}", "%", "'", '"', "<b>", "{{ 7 }}", "../..", "1-4,7", "9-1"),
    *("2026-01-01", "2026-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01", "24:00"),
    *("00000000-0000-0000-0000-000000000000", "z" * 36, "4x4x4", "8x8x16", "0x0x0", "9x9x9x9"),
    *([], [None], [[]], ["x"], [{}], ["\ud800"], {}, {"a": 1}, {"id": "x"}, {"name": "s"}),
    *({"name": ["x"]}, {"x": {"y": {}}}, {"": ""}, {"\0": 1}, _nested("list"), _nested("dict")),
)
#: Bodies that are no object at all.
BODIES: tuple[bytes, ...] = (
    *(b"", b"null", b"[]", b"[{}]", b"[[]]", b'"x"', b"7", b"true", b"{", b"\xff\xfe", b"NaN"),
    *(b"[" * 100_000, b'{"a":' * 100_000, b'{"a":1e999}', b'{"a":1,"a":2}', b'{"\\ud800":1}'),
)
KINDS = (
    *("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
    *("text/csv", "text/plain", "application/xml", "", "application/json; charset=utf-16"),
)
#: What any address may be asked with.
QUERIES = ("format", "depth", "exclude_m2m", "include", "limit", "offset", "sort", "brief", "q")
LOOKUPS = ("", "__n", "__ic", "__nic", "__re", "__nre", "__ire", "__isw", "__gte", "__lt", "__x")
FORMATS = ("csv", "json", "api", "xml", "")


def odd(drawn: random.Random) -> Any:
    """One of them."""
    return drawn.choice(VALUES)


def odd_text(drawn: random.Random) -> str:
    """One of them as an address or a form has it."""
    return str(odd(drawn)).encode("utf-8", "replace").decode()
