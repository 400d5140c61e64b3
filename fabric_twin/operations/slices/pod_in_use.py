"""How a pod is used now, by its records: what every plan of a ticket begins with."""

from dataclasses import replace

from fabric_twin.core.circuits.plans import Circuit, Key, Port
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.models import OpticalCircuit, Pod, Reservation, Ticket, WorkOrder
from fabric_twin.operations.slices.occupancy import read_standing
from fabric_twin.repositories.pod_record import PodRecord, names_of


def read_in_use(pod: Pod) -> tuple[InUse, PodRecord]:
    """How a pod is used now: what stands, what switches show, and what open tickets hold."""
    standing = read_standing(pod)
    record = standing.record
    names = names_of(record)
    intended = replace(standing.intended, names=names)
    circuits, left_over, missing = _circuits(record, names)
    held_ports, held_slots = _held(record, names)
    now = InUse(
        intended,
        standing.occupancy,
        circuits,
        left_over=left_over,
        missing=missing,
        held_ports=held_ports,
        held_slots=held_slots,
    )
    return now, record


def _circuits(
    record: PodRecord, names: Names
) -> tuple[tuple[Circuit, ...], frozenset[Key], frozenset[Key]]:
    """Every circuit; those that nobody wants; those wanted that a switch which was read lacks."""
    switches = names.switches
    read = set(
        record.pod.readings.filter(switch__isnull=False, answered__isnull=False).values_list(
            "switch__number", flat=True
        )
    )
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


def _held(record: PodRecord, names: Names) -> tuple[dict[Port, str], dict[int, str]]:
    """The ports and slots that open tickets and work orders hold, and what these are called."""
    switches, pod = names.switches, record.pod
    called = {
        one.pk: str(one)
        for of, large in ((Ticket, ("plan", "wish", "blast")), (WorkOrder, ("facts", "measure")))
        for one in of.objects.filter(pod=pod).select_related("pod").defer(*large)
    }
    whose = ("ticket", "order")
    ports = Reservation.objects.filter(switch__pod=pod).order_by()
    slots = Reservation.objects.filter(cube__pod=pod).order_by()
    return {
        (switches[number], f"{port}{side}"): called[ticket or order]
        for ticket, order, number, side, port in ports.values_list(
            *whose, "switch__number", "side", "port"
        )
    }, {
        slot: called[ticket or order]
        for ticket, order, slot in slots.values_list(*whose, "cube__slot")
    }
