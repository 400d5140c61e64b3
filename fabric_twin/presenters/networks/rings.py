"""The rings of a multislice as a user may see them: tickets, slices, links of each pair, times."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.superpods.standing import RingsStand, rings_stand
from fabric_twin.models import Block, Multislice, Pod, Slice, Ticket
from fabric_twin.operations.networks.rings import JobIs, JobStands, jobs_of, rings_of
from fabric_twin.presenters.networks.network import NetworkSight
from fabric_twin.repositories.pod_record import USABLE


@dataclass(frozen=True)
class PodOnRing:
    """A pod of a job; what the user may not see of it is None."""

    pod: Pod | None
    slice: Slice | None
    ticket: Ticket | None
    #: Why its rings end here, if they do.
    lost: str


class RingsSight:
    """A multislice in the eyes of a user; each part is read once, when it is asked for."""

    def __init__(self, multislice: Multislice, user: User) -> None:
        self.multislice, self.user = multislice, user

    @cached_property
    def job(self) -> JobStands:
        """Its members and tickets."""
        return jobs_of([self.multislice])[0]

    @cached_property
    def network(self) -> NetworkSight:
        """The network that its rings go over."""
        return NetworkSight(self.multislice.pod, self.user)

    @cached_property
    def pods(self) -> list[PodOnRing]:
        """In the order of the red ring."""
        seen = {
            model: set(
                model.objects.restrict(self.user, "view")
                .filter(pk__in=[row.pk for row in rows if row])
                .values_list("pk", flat=True)
            )
            for model, rows in (
                (Pod, [member.part.pod for member in self.job.members]),
                (Slice, [member.slice for member in self.job.members]),
                (Ticket, [member.ticket for member in self.job.members]),
            )
        }

        def shown(row: Any) -> Any:
            return row if row and row.pk in seen[type(row)] else None

        return [
            PodOnRing(
                shown(member.part.pod),
                shown(member.slice),
                shown(member.ticket),
                member.lost,
            )
            for member in self.job.members
        ]

    @cached_property
    def ticket(self) -> Ticket | None:
        """The ticket of its rings, if the user may see it."""
        key = self.job.ticket.pk if self.job.ticket else None
        found: Ticket | None = Ticket.objects.restrict(self.user, "view").filter(pk=key).first()
        return found

    @property
    def no_rings(self) -> str:
        """Why it has no rings; empty where it has some. Every user may know that."""
        if self.job.state is JobIs.ENDED:
            return "ended"
        is_whole = all(member.blocks for member in self.job.members)
        return "" if is_whole else "the block of a pod is gone"

    @cached_property
    def rings(self) -> RingsStand | None:
        """What each pair of pods has; None where the user may not see all of it, or it is over."""
        hidden = (
            self.network.are_circuits_hidden
            or any(pod.pod is None for pod in self.pods)
            or len(self.network.blocks) < len(self.network.network.blocks)
        )
        if hidden or self.no_rings:
            return None
        stands = self.network.stands
        takes = Block.objects.filter(pod=self.multislice.pod, status__name__in=USABLE)
        wished = rings_of(self.job, runs=True)
        return rings_stand(
            self.network.network,
            wished.multislice,
            self.multislice.least,
            frozenset(takes.values_list("name", flat=True)),
            stands.links,
            stands.left,
            wished.collective,
        )

    def as_json(self) -> dict[str, Any]:
        """For programs; what the user may not see is null."""
        return {
            "version": 1,
            "name": self.multislice.name,
            "network": self.multislice.pod.name,
            "state": str(self.job.state),
            "has_rings": self.job.has_rings,
            "pods": [
                {
                    "pod": one.pod.name if one.pod else None,
                    "slice": one.slice.name if one.slice else None,
                    "ticket": one.ticket.name if one.ticket else None,
                    "lost": one.lost,
                }
                for one in self.pods
            ],
            "ticket": self.ticket.name if self.ticket else None,
            "rings": self.rings.as_json() if self.rings else None,
        }
