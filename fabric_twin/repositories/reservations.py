"""Which ports and cubes are an open ticket's or work order's alone, and the refusal of all others.

An audit holds some for its light test.

    port 7A of iw1-ocs-x-1-1 is reserved by ticket iw1-t3 (Slice train)

A writer holds the lock of the pod; below that the database holds each to one row, and
what it refuses is said in the same words.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import AuditRun, Cube, Pod, Reservation, Ticket, WorkOrder
from fabric_twin.models.ticket import ENDED
from fabric_twin.repositories.transactions import refused_in_words

_BATCH = 2000
Holder = Ticket | WorkOrder | AuditRun
_HOLDERS = {Ticket: "ticket_id", WorkOrder: "order_id", AuditRun: "run_id"}
#: What a constraint's refusal means for the caller.
_REFUSED_BY = {
    "twin_one_reservation_a_port": ("a port was reserved meanwhile", "Try again"),
    "twin_one_reservation_a_cube": ("a cube was reserved meanwhile", "Try again"),
}


class Place(NamedTuple):
    """A port of a switch: 7A."""

    switch: UUID
    side: str
    port: int


@dataclass(frozen=True)
class Places:
    """What somebody holds, or would like to."""

    ports: frozenset[Place] = frozenset()
    cubes: frozenset[UUID] = frozenset()


def place(switch: UUID, port: str) -> Place:
    """A port by its name."""
    return Place(switch, port[-1], int(port[:-1]))


def reserve(holder: Holder, wanted: Places) -> None:
    """Take some places for a ticket or an order, all or none of them."""
    refuse_reserved(holder.pod, wanted, besides=holder)
    key = _key(holder)
    mine = places_of(holder)
    rows = [
        Reservation(**key, switch_id=one.switch, side=one.side, port=one.port)
        for one in wanted.ports - mine.ports
    ]
    rows += [Reservation(**key, cube_id=cube) for cube in wanted.cubes - mine.cubes]
    with refused_in_words(_REFUSED_BY, f"pod {holder.pod.name}"):
        Reservation.objects.bulk_create(rows, batch_size=_BATCH)


def release_all(holder: Holder) -> None:
    """Drop all that a ticket or an order holds."""
    rows = Reservation.objects.filter(**_key(holder)).order_by()
    rows._raw_delete(rows.db)  # noqa: SLF001 - nothing hangs on them


def release_places(holder: Holder, places: Places) -> None:
    """Drop some of what a ticket or an order holds."""
    rows = Reservation.objects.filter(**_key(holder)).order_by()
    rows.filter(Q(pk__in=keys_of(holder, places)) | Q(cube__in=places.cubes)).delete()


def places_of(holder: Holder) -> Places:
    """What it holds now."""
    rows = Reservation.objects.filter(**_key(holder)).order_by()
    ports, cubes = set(), set()
    for switch, side, port, cube in rows.values_list("switch", "side", "port", "cube"):
        if cube is None:
            ports.add(Place(switch, side, port))
        else:
            cubes.add(cube)
    return Places(frozenset(ports), frozenset(cubes))


def refuse_reserved(pod: Pod, wanted: Places, besides: Any = None) -> None:
    """Refuse where another one has reserved any of these, and say who has the first."""
    if not (wanted.ports or wanted.cubes):
        return
    others = Reservation.objects.order_by()
    if besides is not None:
        mine = Q(**_key(besides))
        others = others.filter(~mine | Q(**{f"{name}__isnull": True for name in _key(besides)}))
    taken = []
    if wanted.ports:
        rows = others.filter(switch__pod=pod)
        columns = rows.values_list("switch", "side", "port", "pk")
        taken = [pk for *port, pk in columns if Place(*port) in wanted.ports]
    if wanted.cubes and not taken:
        taken = list(others.filter(cube__in=wanted.cubes).values_list("pk", flat=True))
    if taken:
        raise refusal_of(taken)


def refusal_of(keys: Collection[UUID]) -> NotPossible:
    """The refusal of who wants what is reserved: by the first of it."""
    rows = Reservation.objects.filter(pk__in=keys).order_by(
        "cube__slot", "switch__number", "side", "port"
    )
    of = ("switch__device", "cube__pod", "ticket__pod", "order__pod", "run__pod")
    first = rows.select_related(*of).first()
    if first is None:  # released meanwhile
        return NotPossible("it was reserved a moment ago", where="tickets", remedy="Try again")
    # Nobody withdraws the light test of an audit.
    withdraw = "" if isinstance(first.holder, AuditRun) else ", withdraw it"
    return NotPossible(
        first.refusal,
        where=f"pod {first.holder.pod.name}",
        remedy=f"Wait until it ends{withdraw}, or choose other ports or cubes",
    )


def keys_of(holder: Holder, places: Places) -> list[UUID]:
    """The keys of the reservations that a holder has of some ports."""
    rows = Reservation.objects.filter(**_key(holder), cube=None).order_by()
    columns = rows.values_list("pk", "switch", "side", "port")
    return [pk for pk, *port in columns if Place(*port) in places.ports]


def port_names(rows: Any) -> set[tuple[str, str]]:
    """The ports of some reservations, by the name of their switch and their own."""
    columns = rows.order_by().values_list("switch__device__name", "port", "side")
    return {(switch, f"{port}{side}") for switch, port, side in columns}


def first_reserved(pod: Pod, slots: Collection[int] | None = None) -> str:
    """What keeps a cube of a pod from slices, in words; of some slots, or of all."""
    rows = Reservation.objects.filter(cube__pod=pod)
    if slots is not None:
        rows = rows.filter(cube__slot__in=slots)
    of = ("cube__pod", "ticket__pod", "order__pod", "run__pod")
    first = rows.select_related(*of).order_by("cube__slot").first()
    return first.refusal if first else ""


def cubes_at(pod: Pod, slots: Collection[int]) -> frozenset[UUID]:
    """The records of the cubes in some slots."""
    rows = Cube.objects.filter(pod=pod, slot__in=list(slots)).order_by()
    return frozenset(rows.values_list("pk", flat=True))


def refuse_in_hand(pod: Pod, slices: Mapping[UUID, str]) -> None:
    """Refuse slices that an open ticket makes, releases or moves: under a cube no port says so."""
    for key, name in slices.items():
        others = Ticket.objects.filter(pod=pod, plan__effects__contains=[{"id": str(key)}])
        other = others.exclude(state__in=ENDED).defer("plan").select_related("pod").first()
        if other:
            raise NotPossible(
                f"{'job' if pod.is_cluster else 'slice'} {name} is changed by ticket {other.name} "
                f"({other.title})",
                where=f"pod {pod.name}",
                remedy="Wait until it ends, or withdraw it",
            )


def _key(holder: Holder) -> dict[str, Any]:
    return {_HOLDERS[type(holder)]: holder.pk}
