"""Release slices: their circuits are no longer wanted, and what nobody sees goes."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.slots import format_slots
from fabric_twin.models import OpticalCircuit, Slice
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.reservations import Place, Places, refuse_in_hand, refuse_reserved


@dataclass(frozen=True)
class Released:
    """What a release freed."""

    name: str
    slots: tuple[int, ...]
    circuits: int
    #: Circuits that the switches still show; nobody wants them any more.
    still_seen: int
    is_job: bool = False

    def __str__(self) -> str:
        slot, circuit = ("group", "flow entry") if self.is_job else ("slot", "circuit")
        return (
            f"{self.name}: {slot}{'s' * (len(self.slots) != 1)} {format_slots(self.slots)}, "
            f"{counted(self.circuits, circuit)}, "
            f"{self.still_seen:,} of them still seen"
        )


def release_slice(made: Slice, user: User, *, keep: bool = True) -> Released | None:
    """Release a slice, or say that it is gone already: then nothing changes.

    Circuits that the switches still show stay as seen; the others go with the slice.
    """
    with transaction.atomic():
        lock_rows(made.pod_id)
        there = Slice.objects.filter(pk=made.pk).first()
        if there is None:
            return None
        if not Slice.objects.restrict(user, "delete").filter(pk=there.pk).exists():
            raise NotPermitted(
                f"you may not release the slice {there.name}",
                where="slice",
                remedy="Ask for the permission to delete it",
            )
        _refuse_in_hand(there)
        released = _release(there)
        transaction.set_rollback(not keep)
    return released


def _refuse_in_hand(made: Slice) -> None:
    """Refuse to release what an open ticket changes, or needs."""
    refuse_in_hand(made.pod, {made.pk: made.name})
    rows = made.circuits.order_by().values_list("switch", "a", "b")
    ports = (pair for s, a, b in rows for pair in (Place(s, "A", a), Place(s, "B", b)))
    cubes = made.parts.filter(chips__isnull=True).values_list("cube", flat=True)
    refuse_reserved(made.pod, Places(frozenset(ports), frozenset(cubes)))


def _release(made: Slice) -> Released:
    slots = tuple(made.parts.order_by("cube__slot").values_list("cube__slot", flat=True))
    gone, seen = _drop_circuits(made)
    made.delete()
    return Released(made.name, slots, gone + seen, seen, is_job=made.is_job)


def _drop_circuits(made: Slice) -> tuple[int, int]:
    """Remove a slice's circuits, but for those that are still seen; say how many of both."""
    circuits = OpticalCircuit.objects.filter(slice=made)
    seen = circuits.filter(seen=True).update(wanted=False, slice=None, last_updated=timezone.now())
    return remove(circuits.order_by()), seen


def drop_circuits(slices: Iterable[Slice]) -> None:
    """Drop the circuits of some slices, so that Nautobot may delete them in bulk."""
    with transaction.atomic():
        lock_rows(*{made.pod_id for made in slices})
        for made in slices:
            _refuse_in_hand(made)
            _drop_circuits(made)
