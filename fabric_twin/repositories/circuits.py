"""Circuits as rows: new ones, and which are seen; as sets, in the caller's transaction."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import TextField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast
from django.utils import timezone

from fabric_twin.models import OpticalCircuit, Reading
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.bulk_insert import Writer

#: What a port is called; whatever else a stranger writes is no port of ours.
_A_PORT, _B_PORT = (re.compile(rf"([1-9][0-9]{{0,3}}){side}", re.ASCII) for side in "AB")
#: An A port and a B port by number.
Numbers = tuple[int, int]


def insert_circuits(
    rows: Iterable[tuple[UUID, int, int, UUID | None]], *, seen: bool = False
) -> None:
    """Make circuits that are wanted, each by its switch, A port, B port and slice; or only seen."""
    if columns := list(zip(*rows, strict=True)):
        names = ("switch_id", "a", "b", "slice_id")
        first = OpticalCircuit(wanted=not seen, seen=seen)
        # Ports were checked by who plans them, or shown by a switch.
        Writer().insert(first, clean=False, **dict(zip(names, columns, strict=True)))


def circuits_at(keys: Iterable[Any]) -> Any:
    """Some circuits by key: thousands are one parameter, and not one each."""
    return OpticalCircuit.objects.filter(
        pk__in=RawSQL("SELECT unnest(%s::uuid[])", [[str(key) for key in keys]])
    )


def circuit_rows(circuits: Any, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The key and both ports of each circuit, after some columns that many circuits share.

    PostgreSQL sends a few lists instead of thousands of rows: they are read five times as fast.
    """
    lists = (ArrayAgg(Cast("pk", TextField())), ArrayAgg("a"), ArrayAgg("b"))
    named = dict(zip(("keys", "a_ports", "b_ports"), lists, strict=True))
    for *shared, keys, a, b in circuits.order_by().values_list(*columns).annotate(**named):
        for row in zip(keys, a, b, strict=True):
            yield (*shared, *row)


def numbers_of(pairs: frozenset[tuple[str, str]]) -> set[Numbers]:
    """Pairs by number; what is no circuit from an A to a B port is not one that is recorded."""
    found = ((_A_PORT.fullmatch(a), _B_PORT.fullmatch(b)) for a, b in pairs)
    return {(int(a[1]), int(b[1])) for a, b in found if a and b}


def note_seen(shown: Mapping[UUID, set[Numbers]], at: datetime) -> None:
    """Write what some switches showed, and when: an older sight does not write over it."""
    write_seen(shown)
    Reading.objects.filter(switch__in=shown, asked__lt=at).update(asked=at, answered=at)


def write_seen(shown: Mapping[UUID, set[Numbers]]) -> Counter[str]:
    """Write what some switches show; the circuits of others stay as they were known."""
    of = OpticalCircuit.objects.filter(switch__in=shown)
    found = circuit_rows(of, "switch", "wanted", "seen")
    rows = {(s, a, b): (pk, wanted, seen) for s, wanted, seen, pk, a, b in found}
    now = set[tuple[UUID, int, int]]()
    for switch, pairs in shown.items():
        now.update((switch, a, b) for a, b in _one_a_port(pairs, switch, rows))
    stamp = {"last_updated": timezone.now()}
    gone = [row for key, row in rows.items() if row[2] and key not in now]
    come = [row for key, row in rows.items() if not row[2] and key in now]
    # First what goes: a port is in one circuit that is seen.
    circuits_at(pk for pk, wanted, _ in gone if wanted).update(seen=False, **stamp)
    remove(circuits_at(pk for pk, wanted, _ in gone if not wanted))
    circuits_at(pk for pk, _, _ in come).update(seen=True, **stamp)
    new = sorted(now - rows.keys())
    insert_circuits(((*row, None) for row in new), seen=True)
    return Counter(
        {"circuits newly seen": len(come) + len(new), "circuits seen no more": len(gone)}
    )


def _one_a_port(
    pairs: set[Numbers], switch: UUID, rows: Mapping[tuple[UUID, int, int], tuple[Any, bool, bool]]
) -> set[Numbers]:
    """Pairs of which none shares a port with another: those that were seen before, then by number.

    A switch may show a port in two circuits. The diagnosis sees both; the record holds one.
    """
    ports_a, ports_b = {a for a, _ in pairs}, {b for _, b in pairs}
    if len(ports_a) == len(ports_b) == len(pairs):
        return pairs

    def is_new(pair: Numbers) -> bool:
        row = rows.get((switch, *pair))
        return row is None or not row[2]

    kept = set[Numbers]()
    for a, b in sorted(pairs, key=lambda pair: (is_new(pair), pair)):
        if a in ports_a and b in ports_b:
            kept.add((a, b))
            ports_a.discard(a)
            ports_b.discard(b)
    return kept
