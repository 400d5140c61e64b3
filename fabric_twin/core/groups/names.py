"""What the parts of a cluster are called: `pg1-r02c03`, `1.4/E2`, `pg1-row-02-1-2`, `7`."""

from collections.abc import Sequence
from functools import cached_property

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.groups.group import EDGES
from fabric_twin.core.groups.labels import group_label, switch_label
from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames


class GroupNames(Names):
    """Names of one cluster's groups, switches and ports."""

    noun, part = "cluster", "group"
    switch_racks = "switches"
    layout: GroupLayout

    def __init__(self, layout: GroupLayout, cluster: str) -> None:
        super().__init__(layout, cluster)

    @cached_property
    def devices(self) -> list[str]:
        """The name of every device, groups first."""
        groups = [self.cube(slot) for slot in range(1, self.layout.slots + 1)]
        return groups + [f"{self.pod}-{switch_label(name)}" for name in self.layout.switches]

    def device(self, number: int) -> str:
        """The name of one device."""
        return self.devices[number]

    def cube(self, slot: int) -> str:
        """The group at a slot."""
        return f"{self.pod}-{self.short(slot)}"

    def short(self, slot: int) -> str:
        """The same within the cluster."""
        return group_label(slot - 1, self.layout.cluster.columns)

    def in_words(self, slots: Sequence[int]) -> str:
        """Some groups, for people: `group r02c03`."""
        return f"group{'s' * (len(slots) > 1)} {', '.join(map(self.short, slots))}"

    def cable(self, port: int) -> str:
        """The default name of a cable: that of its near end."""
        return ":".join(self.port(port))

    def cables(self, ports: Column) -> list[str]:
        """The same of many cables."""
        return [f"{device}:{name}" for device, name in zip(*self.ends(ports), strict=True)]

    def bundled(self, noun: str, numbers: Sequence[int]) -> Sequence[str]:
        """Groups, edges of groups, and uplinks of switches."""
        if noun == "group":
            return [self.short(number) for number in numbers]
        if noun == "trunk":
            return [self.device(number) for number in numbers]
        edges = [letter for axis in EDGES for letter in axis]
        places = [divmod(number, len(self.layout.cube.faces)) for number in numbers]
        return [f"{edges[edge]} of group {self.short(group + 1)}" for group, edge in places]


class OwnGroupNames(OwnNames, GroupNames):
    """Names of a cluster as an inventory has them; a group's rack has the name of the group."""

    cable, cables = GroupNames.cable, GroupNames.cables

    def short(self, slot: int) -> str:
        """A group within the cluster."""
        own = self._racks.get(slot, "")
        return own.removeprefix(f"{self.pod}-") or super().short(slot)
