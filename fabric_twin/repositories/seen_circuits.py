"""Which circuits switches show becomes which are seen: as sets, in the caller's transaction."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from fabric_twin.models import OpticalCircuit, Reading
from fabric_twin.repositories.bulk_delete import remove

_BATCH = 1000
#: An A port and a B port by number.
Numbers = tuple[int, int]


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
    OpticalCircuit.objects.filter(pk__in=[pk for pk, wanted, _ in gone if wanted]).update(
        seen=False, **stamp
    )
    remove(OpticalCircuit.objects.filter(pk__in=[pk for pk, wanted, _ in gone if not wanted]))
    OpticalCircuit.objects.filter(pk__in=[pk for pk, _, _ in come]).update(seen=True, **stamp)
    new = sorted(now - rows.keys())
    OpticalCircuit.objects.bulk_create(
        (OpticalCircuit(switch_id=s, a=a, b=b, wanted=False, seen=True) for s, a, b in new),
        batch_size=_BATCH,
    )
    return Counter(
        {"circuits newly seen": len(come) + len(new), "circuits seen no more": len(gone)}
    )
