"""The wiring of a cluster once more, cable by cable: shares no code with the designs."""

from collections.abc import Iterator
from itertools import product

#: A device and a port.
End = tuple[str, str]
Cables = Iterator[tuple[End, End]]


def edges(side: int, *, chain: bool) -> Iterator[tuple[str, int, str, int]]:
    """The edge processors of a group: which edge, which plane, whose place, first or last port."""
    for i in range(1, (1 if chain else side) + 1):
        yield "W", i, f"{i}.1", 1
        yield "E", i, f"{i}.{side}", 2
    if not chain:
        for j in range(1, side + 1):
            yield "N", j, f"1.{j}", 1
            yield "S", j, f"{side}.{j}", 2


def group_cables(
    name: str, *, side: int, lanes: int, rows: int, columns: int, chain: bool
) -> Cables:
    for r in range(1, rows + 1):
        for c in range(1, columns + 1):
            for edge, at, place, nth in edges(side, chain=chain):
                for p in range(1, lanes + 1):
                    of_row = edge in "WE"
                    switch = f"row-{r:02}-{at}-{p}" if of_row else f"col-{c:02}-{at}-{p}"
                    port = 2 * (c if of_row else r) - (2 - nth)
                    here = (f"{name}-r{r:02}c{c:02}", f"{place}/{edge}{p}")
                    yield here, (f"{name}-{switch}", str(port))


def planes(side: int, lanes: int, *, chain: bool) -> Iterator[tuple[int, int]]:
    """Row or column of processors, and lane."""
    yield from product(range(1, (1 if chain else side) + 1), range(1, lanes + 1))


def tier_1(name: str, what: str, many: int, plane: str, joined: str, *, cross: bool) -> Cables:
    """The uplinks of one plane, in either form."""
    for q in range(1, many + 1):
        t0, t1 = f"{name}-{what}-{q:02}-{plane}", f"{name}-{what}-t1-{plane}"
        if joined == "a":
            yield (t0, "49"), (f"{t1}-1", str(q))
            yield (t0, "50"), (f"{t1}-2", str(q))
        for u in range(1, 15 if cross else 17) if joined == "b" else ():
            port = 2 * (q - 1) + (1 if u % 2 else 2)
            yield (t0, str(48 + u)), (f"{t1}-{(u + 1) // 2}", str(port))


def small(name: str, what: str, many: int, plane: str, joined: str, *, after: int) -> Cables:
    """What joins the switches of one plane without tier 1 of either form."""
    for q in range(1, many + 1):
        here = f"{name}-{what}-{q:02}-{plane}"
        if joined == "core":
            yield (here, str(after + 1)), (f"{name}-{what}-t1-{plane}-1", str(q))
        for k in range(q + 1, many + 1) if joined == "each-other" else ():
            there = f"{name}-{what}-{k:02}-{plane}"
            yield (here, str(after + k - 1)), (there, str(after + q))


def between(
    name: str,
    *,
    side: int,
    lanes: int,
    rows: int,
    columns: int,
    chain: bool,
    joined: str,
    cross: bool,
) -> Cables:
    """What joins switches of a dimension, plane by plane."""
    after = 2 * (columns if chain else max(rows, columns))
    for what, many in (("row", rows), ("col", columns))[: 1 if chain else 2]:
        for at, lane in planes(side, lanes, chain=chain):
            plane = f"{at}-{lane}"
            yield from tier_1(name, what, many, plane, joined, cross=cross)
            yield from small(name, what, many, plane, joined, after=after)


def cross_links(name: str, *, side: int, lanes: int, n: int) -> Cables:
    for r in range(1, n + 1):
        for at in range(1, side + 1):
            for p in range(1, lanes + 1):
                row = f"{name}-row-{r:02}-{at}-{p}"
                after = r + 1 if r < n else 1
                yield (row, "63"), (f"{name}-col-{r:02}-{at}-{p}", "63")
                yield (row, "64"), (f"{name}-col-{after:02}-{at}-{p}", "64")


def cables(
    name: str,
    *,
    side: int,
    lanes: int,
    rows: int,
    columns: int,
    joined: str,
    chain: bool = False,
    cross: bool = False,
) -> set[frozenset[End]]:
    """Every cable, as the set of its two ends."""
    sizes = {"side": side, "lanes": lanes, "rows": rows, "columns": columns, "chain": chain}
    found = [*group_cables(name, **sizes)]
    found += between(name, **sizes, joined=joined, cross=cross)
    if cross:
        found += cross_links(name, side=side, lanes=lanes, n=rows)
    return {frozenset(ends) for ends in found}
