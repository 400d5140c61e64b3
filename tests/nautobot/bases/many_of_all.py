"""A dozen records of every kind, each with related records of its own.

Where twelve rows share a user or a finding, a query for each row would not be seen.
"""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from fabric_twin.core.orders.steps import Do, Step
from fabric_twin.models import (
    MultislicePart,
    OpticalCircuit,
    OrderEvent,
    OrderStep,
    Pod,
    Reservation,
    StepReport,
    Stock,
    Substitution,
    Ticket,
    WorkOrder,
)
from fabric_twin.operations.audits.finding_life import acknowledge
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.repositories.bulk_delete import remove
from tests.nautobot.bases.audits.small_findings import audit, fade, silence, small_pod
from tests.nautobot.bases.networks.small_network import add_demand, add_multislice, make_network
from tests.nautobot.bases.pods.small_pod import (
    add_agreed_cables,
    add_ports,
    add_written_ends,
    cable_together,
    make_location,
    make_pod,
    status_of,
)
from tests.nautobot.bases.tickets.small_tickets import write_ticket

MANY = 12


def make_many_of_all() -> None:
    """Twelve of everything that has a list."""
    pod = _add_fabric()
    users = [get_user_model().objects.create_superuser(f"user {n}") for n in range(MANY)]
    findings = _add_findings(users)
    _add_tickets(pod, users)
    _add_orders(findings, users)
    active = status_of(Pod)
    for number in range(MANY):
        hall = make_location(f"Hall of p{number}")
        over = Pod.objects.create(
            name=f"p{number}", design="ironwood", location=hall, status=active
        )
        Stock.objects.create(part=f"fibre of {number} m", location=hall)
        network = make_network(f"w{number}", 1)
        add_demand(network, [("ab01", "ab02", 8)])
        job = add_multislice(network, f"job{number}", author=users[number])
        ticket = Ticket.objects.order_by("pk")[number]
        MultislicePart.objects.create(multislice=job, pod=over, place=0, ticket=ticket)


def _add_fabric() -> Pod:
    pod = make_pod("v4", slots=range(1, MANY + 1))
    per_cube = pod.to_core().layout.ports_per_cube
    ports = add_ports(pod, [cube * per_cube for cube in range(MANY)])
    cable_together([port.interface for port in ports])
    add_written_ends(pod, MANY)
    add_agreed_cables(pod, MANY)
    admin = get_user_model().objects.create_superuser("admin of many")
    for _ in range(MANY):
        make_slice(pod, Wish(shape="4x4x4"), admin)
    # Each of them does without a circuit.
    remove(OpticalCircuit.objects.filter(switch__number=0).order_by())
    return pod


def _add_findings(users: list[Any]) -> Pod:
    pod = small_pod()
    for number in range(MANY):
        fade(pod, number)
    for _ in range(MANY):
        audit(pod)
    for finding, user in zip(pod.findings.all(), users, strict=True):
        silence(pod, finding=finding)
        acknowledge(finding, user, "Known")
    first = pod.to_core().layout.cube_ports
    ports_of = {port.number: port for port in pod.ports.filter(number__gte=first)}
    Substitution.objects.bulk_create(
        Substitution(port=ports_of[first + 8 * n], spare=ports_of[first + 8 * n + 3])
        for n in range(MANY)
    )
    return pod


def _add_tickets(pod: Pod, users: list[Any]) -> None:
    switches = pod.switches.all()
    for number, user in enumerate(users, start=1):
        ticket = write_ticket(pod, user, number)
        Reservation.objects.create(ticket=ticket, switch=switches[number], side="A", port=number)


def _add_orders(pod: Pod, users: list[Any]) -> None:
    now, ports = timezone.now(), pod.ports.all()
    for number, (finding, user) in enumerate(zip(pod.findings.all(), users, strict=True), start=1):
        order = WorkOrder.objects.create(
            pod=pod,
            number=number,
            author=user,
            assignee=user,
            kind="repair",
            title=f"Repair {number}",
            facts={"bundles": [], "cables": [], "needs": [], "materials": []},
        )
        order.findings.add(finding)
        port = ports[number]
        device = port.interface.device
        step = Step(
            do=Do.CLEAN, rack=str(device.rack), device=device.name, port=port.interface.name
        )
        OrderStep.objects.create(
            order=order,
            number=1,
            do=step.do,
            rack=device.rack,
            device=device,
            port=port,
            finding=finding,
            done_by=user,
            facts=step.as_json(),
        )
        StepReport.objects.create(
            order=order, said_id=str(number), step=1, told="done", by=user, at=now, received=now
        )
        OrderEvent.objects.create(order=order, number=1, at=now, who=user, what="make")
