"""Plan a topology from a network's records as they are now.

records -> NetworkInUse (core/proposals/links.py) -> propose_topology -> LinksProposal
"""

from collections import defaultdict
from dataclasses import replace

from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.core.proposals.links import LinksProposal, NetworkInUse
from fabric_twin.core.proposals.topology import propose_topology
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.topology.network import AT_ONCE
from fabric_twin.models import Demand, Pod
from fabric_twin.operations.networks.alone import check_alone
from fabric_twin.operations.networks.demand import asked_of, demand_of
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.operations.site_limits import site_limits
from fabric_twin.operations.slices.occupancy import named_circuits
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.pod_record import OUT_OF_SERVICE, USABLE, PodRecord, names_of


def propose_of_network(pod: Pod, wish: Wish, user: User | None = None) -> LinksProposal:
    """What a wish for a topology would change; nothing is written.

    A user needs the permission to view the demand that it follows; nobody is the system.
    """
    pod.to_core().check_can(Verb.TOPOLOGY, NotPossible)
    check_alone(pod)
    now = read_network(pod, wish.get("demand"), user)
    found = propose_topology(
        now,
        wish["topology"],
        headroom=wish.get("headroom", 0.0),
        at_once=wish.get("at_once", AT_ONCE),
    )
    return replace(found, wish=dict(wish))


def read_network(pod: Pod, day: str | None = None, user: User | None = None) -> NetworkInUse:
    """How a network is used now; `day` says which demand, by default the last."""
    record = PodRecord(pod)
    whole = NetworkRecord(record)
    places = [place for _, some in record.blocks for place in some]
    names = names_of(record)
    circuits, left_over, missing = named_circuits(record, names)
    blocks = pod.blocks.order_by("first_port").values_list("name", "owner", "status__name")
    owners: dict[str, list[str]] = defaultdict(list)
    for name, owner, _ in blocks:
        if owner:
            owners[owner].append(name)
    demand = demand_of(pod, day)
    require(user, "view", Demand, [demand.pk] if demand else [])
    return NetworkInUse(
        whole.network,
        replace(record.intended(places), names=names),
        circuits,
        left_over=left_over,
        missing=missing,
        out=whole.out,
        takes=frozenset(name for name, _, status in blocks if status in USABLE),
        carry=frozenset(name for name, _, status in blocks if status not in OUT_OF_SERVICE),
        owners=owners,
        demand=asked_of(whole.network, demand) if demand else None,
        day=str(demand.day) if demand else "",
        limits=site_limits(),
    )
