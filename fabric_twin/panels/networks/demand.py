"""What the page of a demand shows."""

from collections.abc import Mapping
from typing import Any

from nautobot.users.models import User

from fabric_twin.documents.sheet import Table, table
from fabric_twin.models import Block, Demand
from fabric_twin.panels.facts import link
from fabric_twin.presenters.visible_pod import page
from fabric_twin.tables.demand import gbps_told

#: Pairs that a page shows; REST and CSV have all of them.
MOST = 500


def tell_size(demand: Demand, user: User) -> Mapping[str, Any]:
    """How much it is, and whether a later one counts instead."""
    told: dict[str, Any] = {
        "Pairs": f"{len(demand.gbps):,}",
        "Together": f"{gbps_told(demand.total)} Gbit/s",
    }
    seen = Demand.objects.restrict(user, "view").filter(pod=demand.pod)
    last = seen.filter(day__gt=demand.day).only("pk", "day").order_by("-day").first()
    return {**told, "Replaced by": link(page("demand", last.pk), last.day)} if last else told


def largest_pairs(demand: Demand) -> Table:
    """What each pair asks for, the largest first."""
    rows = sorted(demand.rows, key=lambda row: (-row[2], row))
    title = "Demand" if len(rows) <= MOST else f"Demand: {MOST} of {len(rows):,} pairs"
    shown = ((one, other, gbps_told(gbps)) for one, other, gbps in rows[:MOST])
    return table(f"{title}, largest first", "from,to,Gbit/s", shown)


class BlockLinks:
    """Names of blocks as links to their pages, where the user may see them."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages

    def linked(self, text: Any) -> str:
        """The name as a link; what is none as it is."""
        return link(self._pages.get(str(text), ""), text)


def links_of(demand: Demand, user: User) -> BlockLinks:
    """The pages of the blocks that a demand names."""
    blocks = Block.objects.restrict(user, "view").filter(pod=demand.pod).order_by()
    return BlockLinks({name: page("block", pk) for name, pk in blocks.values_list("name", "pk")})
