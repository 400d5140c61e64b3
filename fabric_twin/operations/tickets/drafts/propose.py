"""What a ticket would change, planned from a pod's records as they are now.

    records of a pod      -> InUse (core/proposals) -> services/tickets/propose.py -> Proposal
    records of a network  -> operations/networks/topology.py, links_out.py -> LinksProposal
    records of a cluster  -> rings.py -> RingsProposal

A wish is a dictionary, as `core/proposals/wishes.py` writes it down; for maintenance it may name
racks.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.core.proposals.effects import Effect
from fabric_twin.core.proposals.for_finding import entries_to_change, links_to_mend, wish_to_mend
from fabric_twin.core.proposals.proposal import (
    MAINTENANCE,
    RETURN,
    SLICE,
    TOPOLOGY,
    Proposal,
    ProposedChange,
)
from fabric_twin.core.proposals.targets import out_of
from fabric_twin.core.proposals.wishes import OF_RECORDS, Wish, check_wish
from fabric_twin.models import Cube, Finding, Pod
from fabric_twin.operations.networks.rings import running_jobs
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.operations.slices.make import check_takes_slices
from fabric_twin.operations.slices.occupancy import read_in_use
from fabric_twin.operations.tickets.drafts.out_of_service import (
    back_in_service,
    out_of_service,
    without_racks,
)
from fabric_twin.operations.tickets.drafts.rings import propose_of_cluster
from fabric_twin.repositories.pod_record import USABLE, PodRecord, names_of
from fabric_twin.repositories.ports_out import dead_switches
from fabric_twin.services.tickets.propose import propose


def propose_ticket(
    pod: Pod,
    kind: str,
    wish: Wish,
    lent: Collection[UUID] = (),
    *,
    user: User | None = None,
) -> ProposedChange:
    """What a wish of a user would change, as the records stand now; nothing is written.

    Reservations of the keys `lent` are no obstacle: who has them would lend them to the ticket.
    """
    if pod.is_cluster:
        return propose_of_cluster(pod, kind, wish, lent)
    example = (f"{pod.name}-ocs-01",) if pod.is_network else ()
    check_wish(kind, wish, OF_RECORDS, *example)
    # The solver of topologies is slow to load, and most processes never plan one.
    if kind == TOPOLOGY:
        from fabric_twin.operations.networks.topology import propose_of_network

        return propose_of_network(pod, wish, user)
    if pod.is_network and kind in {MAINTENANCE, RETURN}:
        from fabric_twin.operations.tickets.drafts.links_out import propose_back, propose_out

        return propose_out(pod, wish, user) if kind == MAINTENANCE else propose_back(pod, wish)
    return propose_of_cubes(pod, kind, wish, lent)


def propose_of_cubes(pod: Pod, kind: str, wish: Wish, lent: Collection[UUID] = ()) -> Proposal:
    """The same of a pod of cubes."""
    pod.to_core().check_can(Verb.PLAN, NotPossible)
    if kind == SLICE:
        check_takes_slices(pod)
    now, record = read_in_use(pod, lent)
    effects: Iterable[Effect] = ()
    if kind == RETURN:
        effects = back_in_service(record, now.intended, out_of(now.intended, wish))
    elif kind == MAINTENANCE:
        wish = without_racks(record, wish)
        now = replace(now, dead=frozenset(dead_switches(pod.pk).values()))
        effects = out_of_service(record, now.intended, out_of(now.intended, wish))
    return propose(now, kind, wish, effects=tuple(effects))


def wish_of_finding(finding: Finding) -> tuple[str, dict[str, Any]]:
    """The kind of ticket that answers a finding, and its wish.

    Slices bear what the pod allows.
    """
    if finding.pod.is_cluster:
        return entries_to_change(finding.code, finding.remedy)
    record = PodRecord(finding.pod)
    names = names_of(record)
    rows = finding.places.filter(cable_name="").order_by("number")
    places, racks = [], set()
    for number, device, port, rack in rows.values_list(
        "port__number", "device_name", "port_name", "rack"
    ):
        places.append((device, port if number is None else names.port(number)[1]))
        racks.add(rack)
    units = [str(step.get("part", "")) for step in finding.remedy if step.get("do") == "replace"]
    if record.is_network:
        asked = finding.pod.demands.exists() or bool(running_jobs(finding.pod))
        active = _joins_active(
            record, [number for at in places for number in numbers_of(names, at)]
        )
        return links_to_mend(finding.code, places, units, names, asked=asked, active=active)
    slots = Cube.objects.filter(pod=finding.pod, rack__in=racks).values_list("slot", flat=True)
    bear = finding.pod.bear if record.design.medium.is_switched else 0
    return wish_to_mend(finding.code, places, slots, units, names, bear=bear)


def _joins_active(record: PodRecord, ports: Collection[int]) -> bool:
    """Whether all blocks at some ports of switches take links."""
    places = NetworkRecord(record).places_at(ports) & record.cubes.keys()
    return all(record.cubes[place][2] in USABLE for place in places)
