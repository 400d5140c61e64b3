"""A network of blocks as a user may see it: its links, their load, and what is out."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from django.utils import formats
from nautobot.users.models import User

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.counted import counted
from fabric_twin.core.topology.by_rule import Link, links_by_rule
from fabric_twin.core.topology.links import Demand as Asked
from fabric_twin.core.topology.network import Network
from fabric_twin.core.topology.standing import NetworkStands, OddPair
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
            for one in self._links
            for end, is_gone in zip(one.ends, one.displaced, strict=True)
            if is_gone
        }
        links = [one.joined for one in self._links]
        whole = self._whole
        out = whole.out | left_behind
        return NetworkStands(self.network, links, out, self._asked, whole.switches_out)

    @cached_property
    def _links(self) -> list[Link]:
        """The circuits that join two blocks."""
        layout, mate = self.record.design.layout, self.record.intended().mate
        return links_by_rule(self.network, layout, mate, self._circuits)

    @cached_property
    def _circuits(self) -> Circuits:
        """The circuits that the user may see."""
        seen = OpticalCircuit.objects.restrict(self.user, "view")
        wanted = seen.filter(switch__pod=self.pod, wanted=True).order_by("switch__number", "a")
        found = list(wanted.values_list("switch__number", "a", "b"))
        return Circuits(*np.array(found, np.int32).reshape(-1, 3).T)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What is missing: what the user may not see, and circuits that make no link."""
        many = counted(self.astray, "circuit")
        gaps = {
            CIRCUITS_HIDDEN: self.are_circuits_hidden,
            f"{many} not drawn: at ports of no block, or within one block": self.astray > 0,
            DEMAND_HIDDEN: self.is_demand_hidden,
        }
        return tuple(gap for gap, holds in gaps.items() if holds)

    @cached_property
    def are_circuits_hidden(self) -> bool:
        """Whether there are circuits that the user may not see."""
        there = OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True)
        return bool(there.count() > len(self._circuits))

    @property
    def astray(self) -> int:
        """How many circuits make no link: at ports of no block, or within one block."""
        return len(self._circuits) - len(self._links)

    @cached_property
    def odd(self) -> Sequence[OddPair] | None:
        """Pairs whose links are uneven over switches; None where circuits are hidden."""
        return None if self.are_circuits_hidden else list(self.stands.odd())

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
