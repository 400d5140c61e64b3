"""Jobs over several pods as the records have them: their slices, and the rings that run.

                  slices                     rings
planned           planned, or some active    their ticket is open
running           all active                 their ticket is done, or none was needed
releasing         one is being released      asked for no more
ended             one is gone                asked for no more
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.superpods.chips import rates_of
from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.rings import Multislice as CoreMultislice
from fabric_twin.core.superpods.rings import PodBlocks
from fabric_twin.core.superpods.wish import WishedRings
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Multislice, MultislicePart, Pod, Slice, Ticket
from fabric_twin.models.slice import RELEASING
from fabric_twin.operations.slices.make import ACTIVE


class JobIs(StrEnum):
    """How a multislice stands."""

    PLANNED = "planned"
    RUNNING = "running"
    RELEASING = "releasing"
    ENDED = "ended"


@dataclass(frozen=True)
class Member:
    """A pod of a job: the ticket that makes its slice, in its last revision, and the slice."""

    part: MultislicePart
    ticket: Ticket | None
    slice: Slice | None


@dataclass(frozen=True)
class JobStands:
    """A job with its pods in ring order, and the last revision of the ticket of its rings."""

    multislice: Multislice
    members: tuple[Member, ...]
    ticket: Ticket | None

    @property
    def has_rings(self) -> bool:
        """Whether its rings are there, and others keep what they ask for."""
        if self.ticket is None:
            return self.state is JobIs.RUNNING
        there = self.state in {JobIs.PLANNED, JobIs.RUNNING}
        return there and self.ticket.state == State.DONE

    @property
    def state(self) -> JobIs:
        """How it stands, by its slices and tickets."""
        slices = [member.slice for member in self.members]
        statuses = {made.status.name for made in slices if made}
        if None in slices or not slices:
            return JobIs.ENDED
        if RELEASING in statuses:
            return JobIs.RELEASING
        if self.multislice.ticket_id and self.ticket is None:
            return JobIs.ENDED
        if self.ticket and self.ticket.state in {State.WITHDRAWN, State.UNDONE}:
            return JobIs.ENDED
        if statuses == {ACTIVE} and (self.ticket is None or self.ticket.state == State.DONE):
            return JobIs.RUNNING
        return JobIs.PLANNED


def jobs_of(multislices: Iterable[Multislice]) -> list[JobStands]:
    """How some jobs stand: a few queries for all of them."""
    jobs = list(multislices)
    parts: dict[UUID, list[MultislicePart]] = defaultdict(list)
    rows = MultislicePart.objects.filter(multislice__in=jobs).order_by("multislice", "place")
    for part in rows.select_related("pod"):
        parts[part.multislice_id].append(part)
    firsts = [job.ticket_id for job in jobs]
    firsts += [part.ticket_id for some in parts.values() for part in some]
    last = _last_revisions(filter(None, firsts))

    def member(part: MultislicePart) -> Member:
        ticket = last.get(part.ticket_id)
        return Member(part, ticket, ticket.slice if ticket else None)

    return [
        JobStands(job, tuple(map(member, parts[job.pk])), last.get(job.ticket_id)) for job in jobs
    ]


def _last_revisions(firsts: Iterable[UUID]) -> Mapping[UUID | None, Ticket]:
    """By the first revision of a ticket, its last one."""
    known = dict[tuple[UUID, int], UUID]()
    rows = Ticket.objects.filter(pk__in=set(firsts)).order_by()
    for pk, pod, number in rows.values_list("pk", "pod", "number"):
        known[pod, number] = pk
    there = Ticket.objects.filter(
        pod__in={pod for pod, _ in known}, number__in={number for _, number in known}
    )
    found: dict[UUID | None, Ticket] = {}
    for ticket in there.defer("plan").select_related("pod", "slice__status").order_by("revision"):
        if first := known.get((ticket.pod_id, ticket.number)):
            found[first] = ticket
    return found


def running_jobs(network: Pod) -> list[JobStands]:
    """Jobs whose rings are there: later topologies keep what these ask for."""
    jobs = jobs_of(Multislice.objects.filter(pod=network).order_by("name"))
    return [job for job in jobs if job.has_rings]


def rings_of(job: JobStands, *, runs: bool) -> WishedRings:
    """The rings of a job, in the order of its parts."""
    pods = [member.part.pod for member in job.members]
    return wished_rings(job.multislice, pods, runs=runs)


def wished_rings(job: Multislice, pods: Sequence[Pod], *, runs: bool) -> WishedRings:
    """The rings of a job over some pods, in this order."""
    own: dict[UUID, list[str]] = defaultdict(list)
    blocks = job.pod.blocks.filter(serves__in=pods).order_by("first_port")
    for pod, name in blocks.values_list("serves", "name"):
        own[pod].append(name)
    collective = collective_of(job, pods)
    return WishedRings(
        CoreMultislice(
            job.name,
            tuple(PodBlocks(pod.name, tuple(own[pod.pk])) for pod in pods),
            collective.gbps if collective else None,
        ),
        runs,
        collective,
    )


def collective_of(job: Multislice, pods: Sequence[Pod]) -> Collective | None:
    """The collective of a job; None where the rates of a pod's chips are not known.

    The slowest chips decide.
    """
    rates = [rates_of(pod.design) for pod in pods]
    if None in rates:
        return None
    known = [one for one in rates if one]
    design = pods[0].to_core()
    sides = parse_shape(job.shape, design).sides
    chips = 1
    for side in sides:
        chips *= side
    return Collective(
        bytes=job.gigabytes * 1e9,
        chips=chips,
        axes=len(sides),
        ici_bytes_s=min(one.ici_bytes_s for one in known),
        dcn_bytes_s=min(one.dcn_bytes_s for one in known),
    )
