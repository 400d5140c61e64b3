"""Make slices: one transaction each, under the lock of the pod, all or nothing.

    wish -> lock the pod -> what stands -> place (core) -> Slice, SliceParts, OpticalCircuits

Two wishes for one pod wait for each other; the second sees what the first took. Below that the
database's own constraints hold, and what they refuse is said in the same words.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from nautobot.extras.models import Status
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slices.bearing_cubes import check_bear
from fabric_twin.core.slices.boxes import check_anywhere
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.models import OpticalCircuit, Pod, Slice, SlicePart
from fabric_twin.operations.slices.occupancy import Standing, read_standing, shown_circuits
from fabric_twin.repositories.circuits import insert_circuits
from fabric_twin.repositories.permissions import require_kinds
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.reservations import (
    Place,
    Places,
    first_reserved,
    refuse_reserved,
)
from fabric_twin.repositories.transactions import refused_in_words
from fabric_twin.services.slices.allocate import Allocation, allocate_within

#: The status of a pod that takes slices, and of a slice that was made.
ACTIVE = "Active"

#: What a constraint that says no means for a wish.
_REFUSED_BY = {
    "twin_one_slice_a_name": ("there is a slice of this name", "Give it another name"),
    "twin_a_whole_cube_in_one_slice": ("a cube was taken meanwhile", "Try again"),
    "twin_a_chip_in_one_slice": ("a cube was taken meanwhile", "Try again"),
    "twin_a_in_one_wanted_circuit": ("a port of a switch was taken meanwhile", "Try again"),
    "twin_b_in_one_wanted_circuit": ("a port of a switch was taken meanwhile", "Try again"),
    "twin_one_circuit_a_row": ("a circuit was made meanwhile", "Try again"),
}


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a slice should be; what is left out is chosen."""

    shape: str
    twisted: bool = False
    name: str | None = None
    #: The slots whose cubes may be used: all of the pod's by default.
    slots: tuple[int, ...] | None = None
    #: How many switches a join of two cubes may lack.
    bear: int = 0
    #: In a static plant: whether its box may begin at any unit, not only at multiples of its sides.
    anywhere: bool = False
    description: str = ""
    status: Status | None = None
    custom_fields: Mapping[str, Any] = field(default_factory=dict)


def make_slice(pod: Pod, wish: Wish, user: User, *, keep: bool = True) -> tuple[Slice, Allocation]:
    """Make a slice, or refuse it and leave everything as it was.

    The user needs to see the pod, and may add only slices that the permission covers. A dry run
    (not `keep`) makes the slice and takes it back, so it is refused where the making would be.
    """
    where = f"slice {wish.name}" if wish.name else f"pod {pod.name}"
    with refused_as_slice(where), transaction.atomic():
        held = hold_pod(pod, user)
        require_kinds(user, "add", [Slice])
        standing, found = _plan(held, wish)
        made = _write(held, wish, standing, found)
        if not Slice.objects.restrict(user, "add").filter(pk=made.pk).exists():
            raise NotPermitted(
                f"you may not make the slice {made.name} in pod {held.name}",
                where="slice",
                remedy="Ask for the permission to add such slices",
            )
        transaction.set_rollback(not keep)
    return made, found


def check_takes_slices(pod: Pod) -> None:
    """Refuse slices to a network, and to a pod that is not active; those of clusters are jobs."""
    design = pod.to_core()
    if not pod.is_cluster:
        design.check_can(Verb.SLICE, NotPossible)
    if not pod.takes_slices:
        raise NotPossible(
            f"{design.kind.noun} {pod.name} is {pod.status.name.lower()} and takes no "
            f"{'jobs' if pod.is_cluster else 'slices'}",
            where="pod",
            remedy="Set its status to Active first",
        )


def _plan(pod: Pod, wish: Wish) -> tuple[Standing, Allocation]:
    pod.to_core().check_can(Verb.SLICE, NotPossible)
    check_takes_slices(pod)
    shape = parse_shape(wish.shape, pod.to_core(), twisted=wish.twisted)
    standing = read_standing(pod, wish.slots)
    occupancy, intended = standing.occupancy, standing.intended
    occupancy.bear = check_bear(wish.bear, intended.design)
    occupancy.anywhere = check_anywhere(intended.design, anywhere=wish.anywhere)
    try:
        found = allocate_within(occupancy, intended, shape, wish.name, shown_circuits(pod))
    except NotPossible as refusal:
        if not (reserved := first_reserved(pod, wish.slots)):
            raise
        raise NotPossible(
            f"{refusal.what}; {reserved}", where=refusal.where, remedy=refusal.remedy
        ) from None
    refuse_reserved(pod, Places(_places(standing, found)))
    return standing, found


def _places(standing: Standing, found: Allocation) -> frozenset[Place]:
    rows = ((_switch(standing, number, found), a, b) for number, a, b in _rows(found))
    return frozenset(
        place for switch, a, b in rows for place in (Place(switch, "A", a), Place(switch, "B", b))
    )


def _write(pod: Pod, wish: Wish, standing: Standing, found: Allocation) -> Slice:
    made = Slice(
        pod=pod,
        name=found.made.name,
        shape=found.made.shape.text,
        twisted=found.made.shape.twisted,
        description=wish.description,
        status=wish.status or Status.objects.get_for_model(Slice).get(name=ACTIVE),
        _custom_field_data=dict(wish.custom_fields),
    )
    made.validated_save()
    chips = [list(chip) for chip in found.made.chips] or None
    SlicePart.objects.bulk_create(
        SlicePart(slice=made, cube_id=standing.record.cubes[slot][0], place=place, chips=chips)
        for place, slot in enumerate(found.made.slots)
    )
    _want(made, standing, found)
    return made


def _want(made: Slice, standing: Standing, found: Allocation) -> None:
    """Want the circuits of a slice: those that are seen already are taken over, others are new."""
    rows = [(_switch(standing, number, found), a, b) for number, a, b in _rows(found)]
    there = OpticalCircuit.objects.filter(switch__pod=made.pod_id, wanted=False).order_by()
    known = {(switch, a, b): pk for pk, switch, a, b in there.values_list("pk", "switch", "a", "b")}
    taken_over = [known[row] for row in rows if row in known]
    OpticalCircuit.objects.filter(pk__in=taken_over, wanted=False).update(
        wanted=True, slice=made, last_updated=timezone.now()
    )
    insert_circuits((*row, made.pk) for row in rows if row not in known)


def _rows(found: Allocation) -> Iterator[tuple[int, int, int]]:
    circuits = found.circuits
    yield from zip(*(c.tolist() for c in (circuits.switch, circuits.a, circuits.b)), strict=True)


def _switch(standing: Standing, number: int, found: Allocation) -> Any:
    if number not in standing.record.switches:
        raise NotPossible(
            f"the pod has no record of the switch {found.names.switches[number]}",
            where="slice",
            remedy="Bind the switch with the job Adopt pod first",
        )
    return standing.record.switches[number][0]


def slots_of(pod: Pod, cubes: Iterable[Any]) -> tuple[int, ...]:
    """The slots of some cubes that a wish names, all of the pod."""
    others = [str(cube) for cube in cubes if cube.pod_id != pod.pk]
    if others:
        raise UnusableInput(
            f"{', '.join(others[:3])} is not of pod {pod.name}",
            where="cubes",
            remedy="Name cubes of the pod",
        )
    return tuple(sorted(cube.slot for cube in cubes))


def refused_as_slice(where: str) -> AbstractContextManager[None]:
    """What the database refuses of slices and circuits becomes the refusal it stands for."""
    return refused_in_words(_REFUSED_BY, where)
