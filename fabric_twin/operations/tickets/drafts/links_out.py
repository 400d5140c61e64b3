"""Plan maintenance of a network's switches, and their return to service, from its records."""

from collections.abc import Iterator
from dataclasses import replace

from nautobot.users.models import User

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.proposals.links import LinksProposal
from fabric_twin.core.proposals.links_out import (
    check_has_parts,
    propose_links_back,
    propose_links_out,
)
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.core.proposals.targets import Reach, out_of
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Pod, Ticket
from fabric_twin.operations.networks.alone import check_alone
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.operations.networks.topology import read_network
from fabric_twin.operations.tickets.changes.accepted_circuits import ACCEPT
from fabric_twin.operations.tickets.drafts.out_of_service import (
    back_in_service,
    out_of_service,
    without_racks,
)
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import dead_switches


def propose_out(pod: Pod, wish: Wish, user: User | None = None) -> LinksProposal:
    """Which links go before parts of switches are touched; nothing is written.

    A user needs the permission to view the demand that is held against it.
    """
    check_alone(pod)
    check_has_parts(wish)
    record = PodRecord(pod)
    now = read_network(pod, user=user)
    out = out_of(now.intended, without_racks(record, wish))
    now = replace(now, dead=frozenset(dead_switches(pod.pk).values()))
    return propose_links_out(now, out, tuple(out_of_service(record, now.intended, out)))


def propose_back(pod: Pod, wish: Wish, user: User | None = None) -> LinksProposal:
    """Which links come with parts of switches that are in service again; nothing is written."""
    check_alone(pod)
    record = PodRecord(pod)
    now = read_network(pod, user=user)
    out = out_of(now.intended, wish)
    still_out = NetworkRecord(record, returned=Reach(now.intended, out).ports).out
    effects = tuple(back_in_service(record, now.intended, out))
    return propose_links_back(now, out, list(_taken(pod)), still_out, effects)


def _taken(pod: Pod) -> Iterator[Circuit]:
    """The circuits that were wanted until maintenance took them, the last first."""
    done = Ticket.objects.filter(pod=pod, kind=MAINTENANCE, state=State.DONE)
    for plan in done.order_by("-ended").values_list("plan", flat=True):
        unwanted = {tuple(key) for key in plan["records"]["left_over"]}
        gone = [one for stage in plan["stages"] for one in stage["remove"]]
        gone += [
            one for effect in plan["effects"] if effect["do"] == ACCEPT for one in effect["drop"]
        ]
        for one in gone:
            circuit = Circuit(one["switch"], one["a"], one["b"])
            if circuit.key not in unwanted:
                yield circuit
