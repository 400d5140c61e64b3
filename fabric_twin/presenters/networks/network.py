"""A network of blocks as a user may see it: its links, their load, and what is out."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from django.utils import formats
from nautobot.users.models import User
from numpy.typing import NDArray

from fabric_twin.core.counted import counted
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.links import Demand as Asked
from fabric_twin.core.topology.network import Network, SwitchEnd
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.topology.link_matrix import link_matrix
from fabric_twin.models import Block, Demand, OpticalCircuit, Pod
from fabric_twin.operations.networks.demand import asked_of
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.presenters.visible_pod import HIDDEN, Sight, page
from fabric_twin.repositories.pod_record import DOWN, PodRecord

#: Said where the reader may not see all that is drawn.
CIRCUITS_HIDDEN = "Links may be missing here: the user who asked may not view all circuits"
DEMAND_HIDDEN = "Loads are not drawn: the user who asked may not view what is asked for"


class NetworkSight:
    """A network in the eyes of a user; each part is read once, when it is asked for."""

    def __init__(self, pod: Pod, user: User) -> None:
        self.pod, self.user, self.record = pod, user, PodRecord(pod)

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """By name, the blocks that the user may see."""
        rows = Block.objects.restrict(self.user, "view").filter(pod=self.pod)
        return {block.name: block for block in rows}

    @cached_property
    def _whole(self) -> NetworkRecord:
        return NetworkRecord(self.record)

    @property
    def network(self) -> Network:
        """Its blocks and switches."""
        return self._whole.network

    def called(self, block: str) -> str:
        """What a block is called, if the user may see it."""
        return block if block in self.blocks else HIDDEN

    @cached_property
    def demand(self) -> Demand | None:
        """The last that is kept; None where the user may not see that one."""
        last = Demand.objects.filter(pod=self.pod).order_by("-day").values_list("pk")[:1]
        found: Demand | None = (
            Demand.objects.restrict(self.user, "view").filter(pk__in=last).first()
        )
        return found

    @cached_property
    def is_demand_hidden(self) -> bool:
        """Whether there is some that the user may not see."""
        return self.demand is None and Demand.objects.filter(pod=self.pod).exists()

    @cached_property
    def stands(self) -> NetworkStands:
        """Its links, what is left of them, and their load.

        A circuit that is still on a port whose place a spare has taken carries nothing.
        """
        left_behind = {
            end
            for one, gone in self._links
            for end, is_gone in zip(_ends(one), gone, strict=True)
            if is_gone
        }
        links = [one for one, _ in self._links]
        return NetworkStands(self.network, links, self._whole.out | left_behind, self._asked)

    @cached_property
    def _links(self) -> list[tuple[Joined, tuple[bool, bool]]]:
        """The circuits that join two blocks, and whether a spare took the place of their ports; of
        two for one strand that which is on its spare."""
        at = self.network.block_at
        joined = zip(self._joined, self._displaced, strict=True)
        between = [(one, gone) for one, gone in joined if -1 != at[one.a] != at[one.b] != -1]
        taken = {end for one, gone in between if not any(gone) for end in _ends(one)}
        return [row for row in between if not any(row[1]) or taken.isdisjoint(_ends(row[0]))]

    @cached_property
    def _ports(self) -> NDArray[np.int64]:
        """Of the circuits that the user may see: the switch, and the ports at both ends."""
        seen = OpticalCircuit.objects.restrict(self.user, "view")
        wanted = seen.filter(switch__pod=self.pod, wanted=True).order_by("switch__number", "a")
        found = list(wanted.values_list("switch__number", "a", "b"))
        switch, a, b = np.array(found, np.int64).reshape(-1, 3).T
        layout = self.record.design.layout
        first = layout.cube_ports + switch * layout.ports_per_switch - 1
        return np.stack([switch, first + a, first + layout.radix + b])

    @cached_property
    def _joined(self) -> list[Joined]:
        """The same circuits, by the places whose strands belong at these ports; 0 is of none."""
        layout, mate = self.record.design.layout, self.record.intended().mate
        by_rule = np.where(layout.mate == NO_PORT, 0, layout.slot[layout.mate])
        place = np.where(mate == NO_PORT, by_rule, layout.slot[mate])
        switch, a, b = self._ports
        return [Joined(*row) for row in np.stack([switch + 1, place[a], place[b]], 1).tolist()]

    @cached_property
    def _displaced(self) -> list[tuple[bool, bool]]:
        """Of each of them, whether a spare has taken the place of its A and of its B port."""
        layout, mate = self.record.design.layout, self.record.intended().mate
        gone = (mate == NO_PORT) & (layout.mate != NO_PORT)
        _, a, b = self._ports
        return list(zip(gone[a].tolist(), gone[b].tolist(), strict=True))

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What is missing: what the user may not see, and circuits that make no link."""
        there = OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True).count()
        astray = len(self._joined) - len(self._links)
        said = f"{counted(astray, 'circuit')} not drawn: at ports of no block, or within one block"
        gaps = {CIRCUITS_HIDDEN: there > len(self._joined), said: astray > 0}
        return tuple(
            gap for gap, holds in (gaps | {DEMAND_HIDDEN: self.is_demand_hidden}).items() if holds
        )

    @cached_property
    def switches(self) -> Mapping[int, tuple[str, bool]]:
        """By number: what a switch is called, and whether it is out."""
        seen = self._sight.switches
        return {
            number: (seen[number][1] if number in seen else HIDDEN, status in DOWN)
            for number, (_, _, status) in self.record.switches.items()
        }

    @cached_property
    def _sight(self) -> Sight:
        return Sight(self.pod, self.user)

    @cached_property
    def _asked(self) -> Asked:
        """What each pair asks; blocks that have left since ask for nothing."""
        return asked_of(self.network, self.demand)

    @cached_property
    def drawing(self) -> Document:
        """The matrix of its links, and its switches."""
        day = formats.date_format(self.demand.day) if self.demand else ""
        nobody = "" if self.is_demand_hidden else "Nobody has said what is asked for"
        told = f"Demand of {day}" if day else nobody
        return link_matrix(self.stands, told, self.gaps, self.switches, self.called)

    @cached_property
    def links(self) -> dict[str, str]:
        """Where the pages of blocks and switches are, by what the drawing calls them."""
        blocks = {f"block {name}": page("block", one.pk) for name, one in self.blocks.items()}
        switches = self._sight.switches.values()
        return blocks | {f"switch {name}": page("switch", pk) for pk, name, _ in switches}


def _ends(one: Joined) -> tuple[SwitchEnd, SwitchEnd]:
    return SwitchEnd(one.switch, one.a, 0), SwitchEnd(one.switch, one.b, 1)
