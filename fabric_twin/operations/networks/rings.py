"""Jobs over several pods as the records have them: their slices, and the rings that are kept.

                  slices                       rings
planned           planned, or some active      kept, or their ticket is open
running           all active                   kept: other topologies leave their links alone
without rings     there                        not kept, and nobody asks for them
incomplete        one is gone, or a block is   asked for no more
releasing         one is being released        asked for no more
ended             all are gone                 given up, and no ticket of them is open
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from uuid import UUID

from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.superpods.chips import rates_of
from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.rings import Multislice as CoreMultislice
from fabric_twin.core.superpods.rings import PodBlocks
from fabric_twin.core.superpods.wish import WishedRings
from fabric_twin.models import Multislice, MultislicePart, Pod, Slice, Ticket
from fabric_twin.models.slice import RELEASING
from fabric_twin.models.ticket import ENDED as TICKET_ENDED
from fabric_twin.operations.slices.make import ACTIVE


class JobIs(StrEnum):
    """How a multislice stands."""

    PLANNED = "planned"
    RUNNING = "running"
    WITHOUT_RINGS = "without rings"
    INCOMPLETE = "incomplete"
    RELEASING = "releasing"
    ENDED = "ended"


@dataclass(frozen=True)
class Member:
    """A pod of a job: the ticket that makes its slice, in its last revision, and the slice."""

    part: MultislicePart
    #: The blocks of the network that its rings go over, by name.
    blocks: tuple[str, ...]
    ticket: Ticket | None
    slice: Slice | None

    @property
    def lost(self) -> str:
        """Why the rings of the job end here, if they do."""
        if self.slice is None:
            return "its slice is gone"
        return "" if self.blocks else "its block is gone"


@dataclass(frozen=True)
class JobStands:
    """A job with its pods in ring order, and the last revision of the ticket of its rings."""

    multislice: Multislice
    members: tuple[Member, ...]
    ticket: Ticket | None

    @property
    def has_rings(self) -> bool:
        """Whether its rings are there, and others keep what they ask for."""
        return self.multislice.keeps_rings and self.state in {JobIs.PLANNED, JobIs.RUNNING}

    @property
    def is_asked_for(self) -> bool:
        """Whether a ticket is open that makes its rings."""
        return self.ticket is not None and self.ticket.state not in TICKET_ENDED

    @property
    def state(self) -> JobIs:
        """How it stands, by its slices, and by what was decided of its rings."""
        slices = [member.slice for member in self.members if member.slice]
        statuses = {made.status.name for made in slices}
        kept = self.multislice.keeps_rings
        if not slices:
            return JobIs.RELEASING if kept or self.is_asked_for else JobIs.ENDED
        if RELEASING in statuses:
            return JobIs.RELEASING
        if any(member.lost for member in self.members):
            return JobIs.INCOMPLETE
        if kept and statuses == {ACTIVE}:
            return JobIs.RUNNING
        return JobIs.PLANNED if kept or self.is_asked_for else JobIs.WITHOUT_RINGS


def jobs_of(multislices: Iterable[Multislice]) -> list[JobStands]:
    """How some jobs stand: a few queries for all of them."""
    jobs = list(multislices)
    parts: dict[UUID, list[MultislicePart]] = defaultdict(list)
    rows = MultislicePart.objects.filter(multislice__in=jobs).order_by("multislice", "place")
    for part in rows.select_related("pod").prefetch_related("blocks"):
        parts[part.multislice_id].append(part)
    firsts = [job.ticket_id for job in jobs]
    firsts += [part.ticket_id for some in parts.values() for part in some]
    last = _last_revisions(filter(None, firsts))

    def member(part: MultislicePart) -> Member:
        ticket = last.get(part.ticket_id)
        blocks = tuple(block.name for block in part.blocks.all())
        return Member(part, blocks, ticket, ticket.slice if ticket else None)

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
    pods = {member.part.pod: member.blocks for member in job.members}
    return wished_rings(job.multislice, pods, runs=runs)


def own_blocks(network: Pod, pods: Sequence[Pod]) -> dict[Pod, tuple[str, ...]]:
    """By pod, the blocks of a network that serve it now."""
    own: dict[UUID, list[str]] = defaultdict(list)
    blocks = network.blocks.filter(serves__in=pods).order_by("first_port")
    for pod, name in blocks.values_list("serves", "name"):
        own[pod].append(name)
    return {pod: tuple(own[pod.pk]) for pod in pods}


def wished_rings(
    job: Multislice, pods: Mapping[Pod, tuple[str, ...]], *, runs: bool
) -> WishedRings:
    """The rings of a job over the blocks of some pods, in this order."""
    collective = collective_of(job, list(pods))
    return WishedRings(
        CoreMultislice(
            job.name,
            tuple(PodBlocks(pod.name, blocks) for pod, blocks in pods.items()),
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
    sides = parse_shape(job.shape, pods[0].to_core()).sides
    return Collective(
        bytes=job.gigabytes * 1e9,
        chips=prod(sides),
        axes=len(sides),
        ici_bytes_s=min(one.ici_bytes_s for one in known),
        dcn_bytes_s=min(one.dcn_bytes_s for one in known),
    )
