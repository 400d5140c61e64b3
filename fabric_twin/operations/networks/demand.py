"""What blocks ask of each other: a day's matrix, read from CSV and kept."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.topology.links import Demand as Asked
from fabric_twin.core.topology.network import Network
from fabric_twin.inventory.networks.demand import read_demand
from fabric_twin.models import Demand, Pod
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_alone
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import lock_rows


@dataclass(frozen=True)
class DemandKept:
    """What was kept, or would be."""

    demand: Demand
    pairs: int
    #: Whether another one of the day has made way for it.
    replaced: bool
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        kept = "would keep" if self.dry_run else "kept"
        instead = " instead of what was there of that day" if self.replaced else ""
        return (
            f"Network {self.demand.pod}: {kept} {self.demand.total:,g} Gbit/s between "
            f"{counted(self.pairs, 'pair')} of {self.demand.day}{instead}."
        )


def keep_demand(
    pod: Pod,
    data: bytes,
    *,
    day: date | None = None,
    description: str = "",
    user: User | None = None,
    dry_run: bool = False,
) -> DemandKept:
    """Keep the demand of a day (today, by default); that of the same day again takes its place."""
    require(user, "view", Pod, [pod.pk])
    network = network_of(pod)
    asked = read_demand(data, "demand", network)
    if not asked.any():
        raise UnusableInput(
            "no pair asks for anything",
            where="demand",
            remedy="Give a row for each pair that does: from,to,gbps",
        )
    ones, others = (column.tolist() for column in np.nonzero(np.triu(asked)))
    names = [block.name for block in network.blocks]
    rows = [
        [names[one], names[other], asked[one, other]]
        for one, other in zip(ones, others, strict=True)
    ]
    with transaction.atomic():
        day = day or timezone.localdate()
        lock_rows(pod.pk)  # of two imports of a day the later one counts
        there = Demand.objects.filter(pod=pod, day=day).first()
        require_kinds(user, "change" if there else "add", [Demand])
        require(user, "change", Demand, [there.pk] if there else [])
        demand = there or Demand(pod=pod, day=day)
        demand.gbps, demand.description = rows, description or demand.description
        demand.validated_save()
        require(user, "change" if there else "add", Demand, [demand.pk])
        kept = DemandKept(demand, len(rows), there is not None, dry_run)
        record_alone(demand, str(kept), user, UPDATE if there else CREATE)
        transaction.set_rollback(dry_run)
    return kept


def demand_of(pod: Pod, day: str | None = None) -> Demand | None:
    """The demand of a day, or the last that is kept."""
    rows = Demand.objects.filter(pod=pod).order_by("-day")
    if not day:
        last: Demand | None = rows.first()
        return last
    found: Demand | None = rows.filter(day=day).first()
    if found is None:
        raise UnusableInput(
            f"no demand of {day} is kept",
            where=f"network {pod.name}",
            remedy="Import it, or name a day of the list of demands",
        )
    return found


def asked_of(network: Network, demand: Demand | None) -> Asked:
    """What each pair asks; blocks that have left since ask for nothing."""
    numbers = {block.name: number for number, block in enumerate(network.blocks)}
    asked = np.zeros((len(numbers), len(numbers)))
    for one, other, gbps in demand.rows if demand else ():
        if one in numbers and other in numbers:
            pair = numbers[one], numbers[other]
            asked[pair] = asked[pair[::-1]] = gbps
    return asked


def network_of(pod: Pod) -> Network:
    """The blocks of a network and its switches; a pod of cubes is refused."""
    design = pod.to_core()
    design.check_can(Verb.TOPOLOGY)
    blocks = tuple(block.to_core() for block in pod.blocks.all())
    if not blocks:
        raise NotPossible(
            "it has no blocks yet", where=f"network {pod.name}", remedy="Load some: Load network"
        )
    return Network(pod.name, len(design.layout.switches), blocks)
