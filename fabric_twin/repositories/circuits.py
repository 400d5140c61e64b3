"""Circuits as rows: new ones, and which are seen; as sets, in the caller's transaction."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast
from django.utils import timezone

from fabric_twin.models import OpticalCircuit, Reading
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.bulk_insert import Writer

#: An A port and a B port by number.
Numbers = tuple[int, int]


def insert_circuits(
    rows: Iterable[tuple[UUID, int, int, UUID | None]], *, seen: bool = False
) -> None:
    """Make circuits that are wanted, each by its switch, A port, B port and slice; or only seen."""
    if columns := list(zip(*rows, strict=True)):
        names = ("switch_id", "a", "b", "slice_id")
        first = OpticalCircuit(wanted=not seen, seen=seen)
        # Whoever wants them, or shows them, says that they may be there.
        Writer().insert(first, clean=False, **dict(zip(names, columns, strict=True)))


def circuits_at(keys: Iterable[Any]) -> Any:
    """Some circuits by key: thousands are one parameter, and not one each."""
    return OpticalCircuit.objects.filter(
        pk__in=RawSQL("SELECT unnest(%s::uuid[])", [[str(key) for key in keys]])
    )


def numbers_of(pairs: frozenset[tuple[str, str]]) -> set[Numbers]:
    """Pairs by number; what is no circuit from an A to a B port is not one that is recorded."""
    return {(int(a[:-1]), int(b[:-1])) for a, b in pairs if (a[-1:], b[-1:]) == ("A", "B")}


def note_seen(shown: Mapping[UUID, set[Numbers]], at: datetime) -> None:
    """Write what some switches showed, and when: an older sight does not write over it."""
    write_seen(shown)
    Reading.objects.filter(switch__in=shown, asked__lt=at).update(asked=at, answered=at)


def write_seen(shown: Mapping[UUID, set[Numbers]]) -> Counter[str]:
    """Write what some switches show; the circuits of others stay as they were known."""
    now = {(switch, *pair) for switch, pairs in shown.items() for pair in pairs}
    of = OpticalCircuit.objects.filter(switch__in=shown).order_by()
    columns = Cast("pk", TextField()), "switch", "a", "b", "wanted", "seen"
    rows = {(s, a, b): (pk, wanted, seen) for pk, s, a, b, wanted, seen in of.values_list(*columns)}
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
