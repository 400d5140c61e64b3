"""What stands in a pod by its records, and how it is used: what every plan begins with."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models.functions import Coalesce

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import slots_behind
from fabric_twin.core.circuits.plans import Circuit, Key, Port
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import Slice as CoreSlice
from fabric_twin.models import OpticalCircuit, Pod, Reservation, Slice, SlicePart, Ticket, WorkOrder
from fabric_twin.models.ticket import ENDED
from fabric_twin.operations.site_limits import site_limits
from fabric_twin.operations.slices.without import ON_THE_WAY, with_losses
from fabric_twin.repositories.device_readings import switches_told
from fabric_twin.repositories.pod_record import USABLE, PodRecord, names_of


@dataclass(frozen=True, eq=False)
class Standing:
    """A pod's records at one moment, ready to be asked where a slice would go."""

    record: PodRecord
    intended: Intended
    occupancy: Occupancy
    #: The slots of cubes that a circuit joins which is of no slice.
    by_hand: frozenset[int]
    #: By the key of a ticket, a work order or a run: the slots of cubes that it holds.
    held: Mapping[UUID, Collection[int]]


def read_standing(
    pod: Pod, slots: Collection[int] | None = None, lent: Collection[UUID] = ()
) -> Standing:
    """Read what stands in a pod; only active cubes take slices, of these slots where named.

    Reservations of these keys are read as if nobody had them: their holder is about to lend them.
    """
    record = PodRecord(pod)
    record.design.check_can(Verb.SLICE, NotPossible)
    intended = intended_by_records(record)
    rows = OpticalCircuit.objects.filter(switch__pod=pod)
    allowed = set(record.slots(USABLE))
    allowed = allowed if slots is None else allowed & set(slots)
    by_hand = slots_behind(intended, _circuits(rows.filter(wanted=True, slice=None)))
    held = _held_slots(pod, intended, lent)
    occupancy = Occupancy(record.design, allowed, mate=intended.mate, bear=0)
    for slot in by_hand.union(*held.values()):
        occupancy.reserve(slot)
    for made in standing_slices(pod, intended):
        occupancy.add(made)
    for port in sorted(record.unhealthy_ports):
        occupancy.fail_port(port)
    return Standing(record, intended, occupancy, frozenset(by_hand), held)


def intended_by_records(record: PodRecord) -> Intended:
    """What the rule and substitutions want of every slot, switches by their own names."""
    switches = {number: device for number, (_, device, _) in record.switches.items()}
    names = OwnNames(record.design.layout, record.pod.name, {}, switches, {})
    intended = intended_plant(record.design, record.pod.name, None, record.substitutions)
    return replace(intended, names=names)


def shown_circuits(pod: Pod) -> Circuits:
    """The circuits that the switches show, wanted or not."""
    return _circuits(OpticalCircuit.objects.filter(switch__pod=pod, seen=True))


def read_in_use(pod: Pod, lent: Collection[UUID] = ()) -> tuple[InUse, PodRecord]:
    """How a pod is used now: what stands, what switches show, and what is held but for `lent`."""
    standing = read_standing(pod, lent=lent)
    record = standing.record
    names = names_of(record)
    intended = replace(standing.intended, names=names)
    circuits, left_over, missing = named_circuits(record, names)
    held_ports, held_slots = _held(record, names, lent)
    now = InUse(
        intended,
        standing.occupancy,
        circuits,
        left_over=left_over,
        missing=missing,
        on_the_way=_on_the_way(pod),
        held_ports=held_ports,
        held_slots=held_slots,
        limits=site_limits(),
    )
    return now, record


def _on_the_way(pod: Pod) -> frozenset[str]:
    """Slices that an open ticket makes, releases or moves."""
    names = set(pod.slices.filter(status__name__in=ON_THE_WAY).values_list("name", flat=True))
    tickets = Ticket.objects.filter(pod=pod, plan__effects__contains=[{"do": "move-slice"}])
    for effects in tickets.exclude(state__in=ENDED).values_list("plan__effects", flat=True):
        names.update(one["from"]["name"] for one in effects if one["do"] == "move-slice")
    return frozenset(names)


def standing_slices(
    pod: Pod, intended: Intended, keys: Collection[UUID] | None = None
) -> list[CoreSlice]:
    """Every slice of a pod, in the order of their names, with what it does without.

    Those of some keys alone, where these are given.
    """
    parts: dict[UUID, list[tuple[int, Any]]] = defaultdict(list)
    rows = SlicePart.objects.filter(slice__pod=pod).order_by("slice", "place")
    rows = rows if keys is None else rows.filter(slice__in=keys)
    for made, slot, chips in rows.values_list("slice_id", "cube__slot", "chips"):
        parts[made].append((slot, chips))
    found = Slice.objects.filter(pod=pod, pk__in=parts).order_by("name")
    slices = {
        pk: CoreSlice(
            name,
            parse_shape(shape, intended.design, twisted=twisted),
            tuple(slot for slot, _ in parts[pk]),
            tuple(tuple(chip) for _, chips in parts[pk] for chip in chips or ()),
        )
        for pk, name, shape, twisted in found.values_list("pk", "name", "shape", "twisted")
    }
    return list(with_losses(slices, intended).values())


def _circuits(rows: Any) -> Circuits:
    found = list(rows.order_by().values_list("switch__number", "a", "b"))
    return Circuits(*np.array(found, dtype=np.int32).reshape(-1, 3).T)


def _held_slots(pod: Pod, intended: Intended, lent: Collection[UUID]) -> dict[UUID, set[int]]:
    """The slots whose cube somebody holds, or a port that its cables are on."""
    slots: dict[UUID, set[int]] = defaultdict(set)
    ports: dict[UUID, list[tuple[int, int, int]]] = defaultdict(list)
    held = Reservation.objects.exclude(pk__in=lent).order_by()
    held = held.annotate(holder=Coalesce("ticket", "order", "run"))
    of_cubes = held.filter(cube__pod=pod).values_list("holder", "cube__slot")
    for holder, slot in of_cubes:
        slots[holder].add(slot)
    of_ports = held.filter(switch__pod=pod).values_list("holder", "switch__number", "port")
    for holder, switch, port in of_ports:
        # A port as a circuit to itself: in a split plant both of its sides are one cube's.
        ports[holder].append((switch, port, port))
    for holder, rows in ports.items():
        slots[holder] |= slots_behind(intended, Circuits(*np.array(rows, dtype=np.int32).T))
    return slots


def named_circuits(
    record: PodRecord, names: Names
) -> tuple[tuple[Circuit, ...], frozenset[Key], frozenset[Key]]:
    """Every circuit; those that nobody wants; those wanted that a switch which was read lacks."""
    switches = names.switches
    read = switches_told(record.pod)
    rows = (
        OpticalCircuit.objects.filter(switch__pod=record.pod)
        .order_by("switch__number", "a", "b")
        .values_list("switch__number", "a", "b", "slice__name", "wanted", "seen")
    )
    circuits, left_over, missing = [], set(), set()
    for number, a, b, owner, wanted, seen in rows:
        circuit = Circuit(switches[number], f"{a}A", f"{b}B", owner or "")
        circuits.append(circuit)
        if not wanted:
            left_over.add(circuit.key)
        elif not seen and number in read:
            missing.add(circuit.key)
    return tuple(circuits), frozenset(left_over), frozenset(missing)


def _held(
    record: PodRecord, names: Names, lent: Collection[UUID]
) -> tuple[dict[Port, str], dict[int, str]]:
    """The ports and slots that open tickets and work orders hold, and what these are called."""
    switches, pod = names.switches, record.pod
    called = {
        one.pk: f"{one._meta.verbose_name} {one}"
        for of, large in ((Ticket, ("plan", "wish", "blast")), (WorkOrder, ("facts", "measure")))
        for one in of.objects.filter(pod=pod).select_related("pod").defer(*large)
    }
    held = Reservation.objects.exclude(pk__in=lent).order_by()
    ports, slots = held.filter(switch__pod=pod), held.filter(cube__pod=pod)
    return {
        (switches[number], f"{port}{side}"): called.get(
            ticket or order, f"audit {run} of {pod.name}"
        )
        for ticket, order, run, number, side, port in ports.values_list(
            "ticket", "order", "run__number", "switch__number", "side", "port"
        )
    }, {
        slot: called[ticket or order]
        for ticket, order, slot in slots.values_list("ticket", "order", "cube__slot")
    }
