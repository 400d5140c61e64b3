"""A dump of PostgreSQL's as the things that it makes, each by its name."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

#: How pg_dump begins each thing that it makes.
_TITLE = re.compile(
    r"^--\n-- (?:Data for )?Name: (?P<name>.*); Type: (?P<kind>.*); Schema: .*\n--\n\n",
    re.MULTILINE,
)
_END = "--\n-- PostgreSQL database dump complete\n--\n"
_TABLE = re.compile(r"CREATE TABLE \S+ \(\n(?P<lines>.*?)\n\);(?P<rest>.*)", re.DOTALL)


class Part(NamedTuple):
    """A statement of a dump with its title."""

    kind: str
    name: str
    text: str


def parts(dump: str) -> Iterator[Part]:
    """The statements of a dump, in its order."""
    titles = list(_TITLE.finditer(dump))
    ends = [*(title.start() for title in titles[1:]), dump.index(_END)]
    for title, end in zip(titles, ends, strict=True):
        yield Part(title["kind"].lower(), title["name"], dump[title.end() : end].strip())


def things(dump: str) -> Iterator[tuple[str, str]]:
    """Everything that a dump makes: what it is called, and how it is defined."""
    for part in parts(dump):
        if part.kind == "table":
            yield from _of_table(part)
        elif part.kind == "table data":
            columns, *rows = part.text.splitlines()
            many = Counter(row for row in rows if row != r"\.")
            yield from ((f"row of {part.name}: {row}", f"{columns} {n}") for row, n in many.items())
        else:
            yield f"{part.kind} {part.name}", part.text


def _of_table(table: Part) -> Iterator[tuple[str, str]]:
    """Its columns with their places, its checks, and what else is said of it."""
    found = _TABLE.fullmatch(table.text)
    assert found, table.text
    yield f"table {table.name}", found["rest"].strip()
    place = 0
    for line in _lines(found["lines"]):
        name, definition = line.split(maxsplit=1)
        if name == "CONSTRAINT":
            name, definition = definition.split(maxsplit=1)
            yield f"constraint {table.name} {name}", definition
        else:
            place += 1
            yield f"column {table.name}.{name}", f"{place}. {definition}"


def _lines(text: str) -> Iterator[str]:
    """What stands between a table's brackets; a check may go over several lines of the dump."""
    gathered = ""
    for line in text.splitlines():
        gathered += f" {line.strip()}"
        if gathered.count("(") == gathered.count(")"):
            yield gathered.strip().removesuffix(",")
            gathered = ""
    assert not gathered, gathered
