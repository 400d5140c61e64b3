"""What is the matter with the ports of a pod, besides their cables: for screens and paper alike."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from time import time
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.findings.noted import Noted
from fabric_twin.documents.pods.fabric import REMOVING
from fabric_twin.models import AuditRun, Pod, Reservation, Ticket, WorkOrder
from fabric_twin.models.finding import SeverityChoices
from fabric_twin.operations.audits.findings_of import heard_there, hides_findings
from fabric_twin.operations.hooks import expected_cables
from fabric_twin.operations.orders.expected_cables import leaving_ports
from fabric_twin.repositories.device_readings import switches_told
from fabric_twin.repositories.pod_record import OUT_OF_SERVICE, PodRecord

#: Statuses of a cube whose cables are still to come.
TO_COME = ("Planned", "Installing")
#: What holds a port that the user may not see.
SOMEBODY = "somebody"

_Noted = defaultdict[int, list[Noted]]


class CircuitRow(NamedTuple):
    """A circuit that is wanted, or that a switch shows."""

    switch: int
    a: int
    b: int
    slice: UUID | None
    pk: UUID
    wanted: bool
    seen: bool


def conditions(record: PodRecord, intended: Intended, user: User) -> dict[str, Any]:
    """Conditions of cubes and ports for a drawing; findings and names only as the user may see."""
    return {
        "unhealthy_slots": frozenset(record.slots(OUT_OF_SERVICE)),
        "unhealthy_ports": record.unhealthy_ports,
        "to_come": _to_come(record, intended),
        "held": _held(record.pod, record, user),
        "findings_hidden": hides_findings(record.pod, user),
        **_findings(record.pod, user),
    }


def read_circuits(rows: Any) -> list[CircuitRow]:
    """Circuits for a drawing: the first of two on a port is the wanted one."""
    found = rows.order_by("-wanted", "switch__number", "a").values_list(
        "switch__number", "a", "b", "slice_id", "pk", "wanted", "seen"
    )
    return [CircuitRow(*row) for row in found]


def drawn_circuits(
    pod: Pod, rows: Sequence[CircuitRow], called: Callable[[UUID | None], str]
) -> dict[str, Any]:
    """Circuits for a drawing; `called` gives the name of a slice, empty for none."""
    answered = switches_told(pod) if rows else set()
    differs = {}
    for number, row in enumerate(rows):
        if not row.wanted:
            differs[number] = "the switch shows a circuit that nobody wants"
        elif not row.seen and row.switch in answered:
            differs[number] = "a circuit is wanted that the switch does not show"
    columns = np.array([row[:3] for row in rows], dtype=np.int32).reshape(-1, 3).T
    return {
        "circuits": Circuits(*columns),
        "owner": [called(row.slice) for row in rows],
        "differs": differs,
    }


def _to_come(record: PodRecord, intended: Intended) -> dict[int, str]:
    """By cube port: why nobody misses its cable yet."""
    each = record.design.layout.ports_per_cube
    found = {
        port: status.lower()
        for slot, (_, _, status) in record.cubes.items()
        if status in TO_COME
        for port in range((slot - 1) * each, slot * each)
    }
    now = time()
    awaited = expected_cables(record, intended).items()
    return (
        {port: "installing" for port, until in awaited if now < until}
        | found
        | dict.fromkeys(leaving_ports(record, intended), REMOVING)
    )


def _held(pod: Pod, record: PodRecord, user: User) -> dict[int, str]:
    """By port of a switch: what holds it."""
    rows = Reservation.objects.filter(switch__pod=pod).order_by()
    held = list(
        rows.values_list("ticket_id", "order_id", "run_id", "switch__number", "side", "port")
    )
    keys = {ticket or order or run for ticket, order, run, *_ in held}
    names: Mapping[UUID, str] = {
        one.pk: str(one)
        for of in (Ticket, WorkOrder, AuditRun)
        for one in of.objects.restrict(user, "view").filter(pk__in=keys).select_related("pod")
    }
    layout = record.design.layout
    found = {}
    for ticket, order, run, switch, side, port in held:
        first = layout.cube_ports + switch * layout.ports_per_switch - 1
        on_b = (layout.plant.sides - 1) * layout.radix * (side == "B")
        found[first + on_b + port] = names.get(ticket or order or run, SOMEBODY)
    return found


def _findings(pod: Pod, user: User) -> dict[str, Mapping[int, Sequence[Noted]]]:
    """By port, switch and slot: what audits found there that nobody silenced, errors first."""
    rows = heard_there(user).filter(pod=pod).order_by("severity", "opened", "key")
    ports, switches, cubes = _Noted(list), _Noted(list), _Noted(list)
    for port, switch, slot, code, cause, severity, seen in rows.values_list(
        "places__port__number",
        "places__device__fabric_switch__number",
        "places__rack__fabric_cube__slot",
        "code",
        "cause",
        "severity",
        "seen",
    ):
        noted = Noted(code, cause, severity == SeverityChoices.ERROR, seen)
        if port is not None:
            ports[port].append(noted)
        elif switch is not None:
            switches[switch].append(noted)
        elif slot is not None:
            cubes[slot].append(noted)
    return {
        "findings": _once(ports),
        "switch_findings": _once(switches),
        "cube_findings": _once(cubes),
    }


def _once(found: _Noted) -> dict[int, Sequence[Noted]]:
    return {number: tuple(dict.fromkeys(noted)) for number, noted in found.items()}
