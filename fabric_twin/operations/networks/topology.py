"""Plan a topology from a network's records as they are now.

records -> NetworkInUse (core/proposals/links.py) -> propose_topology -> LinksProposal
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.proposals.effects import KeepRings
from fabric_twin.core.proposals.links import LinksProposal, NetworkInUse
from fabric_twin.core.proposals.topology import propose_topology
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.superpods.rings import asked_of as asked_by_rings
from fabric_twin.core.superpods.rings import check_rings
from fabric_twin.core.topology.links import Demand as Asked
from fabric_twin.core.topology.network import AT_ONCE, Network
from fabric_twin.models import Demand, Multislice, Pod
from fabric_twin.operations.networks.alone import check_alone
from fabric_twin.operations.networks.demand import asked_of, demand_of
from fabric_twin.operations.networks.rings import (
    JobIs,
    JobStands,
    jobs_of,
    rings_of,
    running_jobs,
)
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
    effects = list(_given_up(pod))
    require(user, "view", Multislice, [one.multislice for one in effects])
    if name := wish.get("rings"):
        job = _job_to_join(pod, name, user)
        now = with_rings(now, job)
        effects.append(KeepRings(str(job.multislice.pk), job.multislice.name, keeps=True))
    found = propose_topology(
        now,
        wish["topology"],
        headroom=wish.get("headroom", 0.0),
        at_once=wish.get("at_once", AT_ONCE),
    )
    return replace(found, wish=dict(wish), effects=(*found.effects, *effects))


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
    running = running_jobs(pod)
    require(user, "view", Multislice, [job.multislice.pk for job in running])
    takes = frozenset(name for name, _, status in blocks if status in USABLE)
    carry = frozenset(name for name, _, status in blocks if status not in OUT_OF_SERVICE)
    # A block that drains gives its links away; those of rings are asked for while it is there.
    rings = {job.multislice.name: _asked_by(whole.network, job, carry) for job in running}
    giving = [_asked_by(whole.network, job, takes) for job in running]
    return NetworkInUse(
        whole.network,
        replace(record.intended(places), names=names),
        circuits,
        left_over=left_over,
        missing=missing,
        out=whole.out,
        takes=takes,
        carry=carry,
        owners=owners,
        demand=_asked(whole.network, demand, giving),
        rings=rings,
        day=str(demand.day) if demand else "",
        least=max((job.multislice.least for job in running), default=1),
        limits=site_limits(),
    )


def _asked(network: Network, demand: Demand | None, rings: Sequence[Asked]) -> Asked | None:
    """What is asked for by demand, and by rings that run; None where nobody asks."""
    if not rings:
        return asked_of(network, demand) if demand else None
    return sum(rings, asked_of(network, demand))


def _asked_by(network: Network, job: JobStands, takes: Collection[str]) -> Asked:
    rings = rings_of(job, runs=True).multislice
    return asked_by_rings(network, [rings], job.multislice.least, takes)


def with_rings(now: NetworkInUse, job: JobStands) -> NetworkInUse:
    """The same with a job's rings to come, in the order of its record."""
    least = job.multislice.least
    check_rings(now.network, rings_of(job, runs=False).multislice, least, now.takes)
    return replace(now, coming=_asked_by(now.network, job, now.takes), least=max(now.least, least))


def _job_to_join(pod: Pod, name: str, user: User | None) -> JobStands:
    """The job whose rings are asked for: it has all of its slices, and no rings yet."""
    rows = Multislice.objects.restrict(user, "view") if user else Multislice.objects.all()
    job = rows.filter(pod=pod, name=name).first()
    if job is None:
        raise UnusableInput(
            f"there is no multislice {name[:40]!r}, or you may not see it",
            where=f"network {pod.name}",
            remedy="Ask for the multislice: its rings come with it",
        )
    [stands] = jobs_of([job])
    if stands.has_rings or stands.state not in {JobIs.PLANNED, JobIs.WITHOUT_RINGS}:
        what = "has its rings" if stands.has_rings else f"is {stands.state}"
        raise NotPossible(
            f"multislice {job.name} {what}",
            where=f"network {pod.name}",
            remedy="Ask for a topology without them, or for another multislice",
        )
    return stands


def _given_up(pod: Pod) -> Iterator[KeepRings]:
    """Rings that nobody keeps any more: their job is incomplete, or is released."""
    jobs = jobs_of(Multislice.objects.filter(pod=pod, keeps_rings=True).order_by("name"))
    for job in jobs:
        if not job.has_rings:
            yield KeepRings(str(job.multislice.pk), job.multislice.name, keeps=False)
