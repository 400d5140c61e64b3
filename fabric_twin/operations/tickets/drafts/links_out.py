"""Plan maintenance of a network's switches, and their return to service, from its records."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.circuits.plans import Circuit, Key
from fabric_twin.core.proposals.links import LinksProposal
from fabric_twin.core.proposals.links_out import (
    check_has_parts,
    propose_links_back,
    propose_links_out,
)
from fabric_twin.core.proposals.proposal import MAINTENANCE, RETURN
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
from fabric_twin.repositories.pod_record import DOWN, PodRecord
from fabric_twin.repositories.ports_out import MAINTAINED, dead_switches


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


def propose_back(pod: Pod, wish: Wish) -> LinksProposal:
    """Which links come with parts of switches that are in service again; nothing is written.

    It is held against no demand, and tells of none. With a switch that was out, ports that are out
    on their own account stay so, unless they are named.
    """
    check_alone(pod)
    record = PodRecord(pod)
    now = replace(read_network(pod), demand=None, day="")
    out = out_of(now.intended, wish)
    down = {n for n in out.switches if record.switches.get(n, ("", "", ""))[2] in DOWN}
    named = Reach(now.intended, replace(out, switches=out.switches - down)).ports
    back = {port for port in named if record.ports.get(port, ("", "", ""))[2] == MAINTAINED}
    still_out = NetworkRecord(record, frozenset(down), frozenset(back)).out
    effects = tuple(back_in_service(record, now.intended, out, back))
    return propose_links_back(now, out, list(_taken(pod)), still_out, effects)


def _taken(pod: Pod) -> Iterator[Circuit]:
    """The circuits that were wanted until maintenance took them, the last first.

    Not those from before the last topology, which decided anew, nor those that a return made since.
    """
    done = Ticket.objects.filter(pod=pod, state=State.DONE).order_by("-ended", "-number")
    made = set[Key]()
    for kind, plan in done.values_list("kind", "plan"):
        if kind == RETURN:
            added = [one for stage in plan["stages"] for one in stage["add"]]
            made.update((one["switch"], one["a"], one["b"]) for one in added)
        elif kind != MAINTENANCE:
            return
        else:
            yield from (circuit for circuit in _gone(plan) if circuit.key not in made)


def _gone(plan: Mapping[str, Any]) -> Iterator[Circuit]:
    unwanted = {tuple(key) for key in plan["records"]["left_over"]}
    gone = [one for stage in plan["stages"] for one in stage["remove"]]
    gone += [one for effect in plan["effects"] if effect["do"] == ACCEPT for one in effect["drop"]]
    for one in gone:
        circuit = Circuit(one["switch"], one["a"], one["b"])
        if circuit.key not in unwanted:
            yield circuit
