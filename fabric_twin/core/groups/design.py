"""A cluster as a design: found, listed, laid out and audited as pods are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.design import Design
from fabric_twin.core.groups.cluster import RADIX, Cluster, Joined
from fabric_twin.core.groups.group import Group
from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.core.groups.names import GroupNames, OwnGroupNames
from fabric_twin.core.groups.wiring import group_rule
from fabric_twin.core.kinds import Kind
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames, PortNames
from fabric_twin.core.rule import Plant

#: What every cluster takes for granted, and what those joined in some way do.
_ALWAYS = (
    "on a switch, the group of column or row k has port 2k-1 (W or N) and port 2k (E or S)",
    "a group is one device with its edge ports; its copper is not cabled by hand",
    "switches have 64 ports, also where the source draws fewer",
    "a cable between switches is one full-duplex link, where the source also draws two",
    "a ring goes over the lowest free ports of the shortest way, and back over the same cable",
)
_PLANES = "the edge row ports of a group that the source counts are its planes"
_UPLINKS = "48 ports of a tier-0 switch are for groups, and uplink u is on port 48+u"
_BY_JOINED = {
    Joined.NOTHING: (),
    Joined.TWO: (_UPLINKS, "of the source's 48 or 192 tier-1 switches, form a has the 48"),
    Joined.EIGHT: (_UPLINKS, "of the source's 48 or 192 tier-1 switches, form b has the 192"),
    Joined.EACH_OTHER: (
        "the ports after those for groups go to the other switches, in the order of their numbers",
        "the source numbers these ports in two ways that exclude each other",
    ),
    Joined.CORE: ("a leaf has one uplink to the core, on the port after those for groups",),
}
_CROSS = (
    "cross links have ports 63 and 64 at both ends, 64 to the next column: the source gives none"
)


@dataclass(frozen=True, kw_only=True)
class GroupsDesign(Design):
    """Groups of processors over packet switches."""

    cluster: Cluster
    layout: GroupLayout = field(init=False, repr=False, compare=False)

    def _lay_out(self) -> GroupLayout:
        return GroupLayout.of(self.cluster)

    @property
    def kind(self) -> Kind:
        """No pod: rings instead of slices."""
        return Kind.GROUPS

    def names(self, pod: str) -> Names:
        """What the parts of a cluster of this name are called."""
        return GroupNames(self.layout, pod)

    def own_names(
        self, pod: str, racks: Mapping[int, str], switches: Mapping[int, str], ports: PortNames
    ) -> OwnNames:
        """The same where an inventory may name them otherwise."""
        return OwnGroupNames(self.layout, pod, racks, switches, ports)

    def as_json(self) -> dict[str, Any]:
        """The design's facts; its processors are counted as chips."""
        cluster = self.cluster
        return super().as_json() | {
            "rows": cluster.rows,
            "columns": cluster.columns,
            "lanes": cluster.group.lanes,
            "joined": cluster.joined.value,
            "cross_links": cluster.cross_links,
        }


def groups_design(
    name: str, title: str, cluster: Cluster, assumptions: tuple[str, ...] = ()
) -> GroupsDesign:
    """The design of a cluster, with what it takes for granted."""
    taken = (*_ALWAYS, *((_PLANES,) * (cluster.dimensions > 1)), *_BY_JOINED[cluster.joined])
    return GroupsDesign(
        name=name,
        title=title,
        slots=cluster.groups,
        cube=cluster.group,
        lanes=cluster.group.lanes,
        plant=Plant.PACKET,
        radix=RADIX,
        rule=group_rule(cluster),
        assumptions=(*taken, *((_CROSS,) * cluster.cross_links), *assumptions),
        cluster=cluster,
    )


def full_cluster(name: str, title: str, joined: Joined) -> GroupsDesign:
    """24 x 24 groups of 4 x 4 processors with three lanes, without cross links."""
    return groups_design(name, title, Cluster(Group.of(4, lanes=3), 24, 24, joined))
