"""A network of blocks as a user may see it: its links, their load, and what is out."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from django.utils import formats
from nautobot.users.models import User

from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.links import Demand as Asked
from fabric_twin.core.topology.network import RADIX, SIDES, Network, SwitchEnd
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.topology.link_matrix import link_matrix
from fabric_twin.models import Block, Demand, OpticalCircuit, Pod
from fabric_twin.operations.networks.demand import network_of
from fabric_twin.presenters.visible_pod import HIDDEN, Sight, page
from fabric_twin.repositories.pod_record import DOWN, OUT_OF_SERVICE, PodRecord

#: Said where the reader may not see all that is drawn.
CIRCUITS_HIDDEN = "Links may be missing here: the user who asked may not view all circuits"


class NetworkSight:
    """A network in the eyes of a user; each part is read once, when it is asked for."""

    def __init__(self, pod: Pod, user: User) -> None:
        self.pod, self.user, self.record = pod, user, PodRecord(pod)

    @cached_property
    def blocks(self) -> Mapping[str, Block]:
        """By name, the blocks that the user may see."""
        rows = Block.objects.restrict(self.user, "view").filter(pod=self.pod)
        return {block.name: block for block in rows.select_related("status")}

    @cached_property
    def network(self) -> Network:
        """Its blocks and switches; blocks that the user may not see have no names."""
        whole = network_of(self.pod)
        blocks = (
            block if block.name in self.blocks else replace(block, name=f"hidden-{number}")
            for number, block in enumerate(whole.blocks, 1)
        )
        return replace(whole, blocks=tuple(blocks))

    @cached_property
    def demand(self) -> Demand | None:
        """The last that is kept."""
        found: Demand | None = (
            Demand.objects.restrict(self.user, "view").filter(pod=self.pod).order_by("-day").first()
        )
        return found

    @cached_property
    def stands(self) -> NetworkStands:
        """Its links, what is left of them, and their load."""
        rows = self._circuits.values_list("switch__number", "a", "b")
        circuits = [Joined(number + 1, a, b) for number, a, b in rows]
        return NetworkStands(self.network, circuits, self._out, self._asked)

    @property
    def _circuits(self) -> Any:
        seen = OpticalCircuit.objects.restrict(self.user, "view")
        return seen.filter(switch__pod=self.pod, wanted=True).order_by("switch__number", "a")

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What is missing, because the user may not see it."""
        there = OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True).count()
        return (CIRCUITS_HIDDEN,) if there > len(self.stands.circuits) else ()

    @cached_property
    def switches(self) -> Mapping[int, tuple[str, bool]]:
        """By number: what a switch is called, and whether it is out."""
        seen = Sight(self.pod, self.user).switches
        return {
            number: (seen[number][1] if number in seen else HIDDEN, status in DOWN)
            for number, (_, _, status) in self.record.switches.items()
        }

    @cached_property
    def _out(self) -> frozenset[SwitchEnd]:
        """Ports that carry nothing: theirs, their switch's or their strand's fault."""
        layout = self.record.design.layout
        per_place = layout.ports_per_cube
        of_blocks = (
            range((places.start - 1) * per_place, (places.stop - 1) * per_place)
            for (_, _, status), places in self.record.blocks
            if status in OUT_OF_SERVICE
        )
        bad = self.record.unhealthy_ports.union(*of_blocks)
        ports = np.array(sorted(bad), np.int64)
        ends = np.where(ports < layout.cube_ports, layout.mate[ports], ports) - layout.cube_ports
        return frozenset(
            SwitchEnd(end // (RADIX * len(SIDES)) + 1, end % RADIX + 1, end // RADIX % len(SIDES))
            for end in ends.tolist()
        )

    @cached_property
    def _asked(self) -> Asked:
        """What each pair asks; blocks that have left since ask for nothing."""
        numbers = {block.name: number for number, block in enumerate(self.network.blocks)}
        asked = np.zeros((len(numbers), len(numbers)))
        for one, other, gbps in self.demand.rows if self.demand else ():
            if one in numbers and other in numbers:
                pair = numbers[one], numbers[other]
                asked[pair] = asked[pair[::-1]] = gbps
        return asked

    @cached_property
    def drawing(self) -> Document:
        """The matrix of its links, and its switches."""
        day = formats.date_format(self.demand.day) if self.demand else ""
        told = f"Demand of {day}" if day else "Nobody has said what is asked for"
        return link_matrix(self.stands, told, self.gaps, self.switches)

    @cached_property
    def links(self) -> dict[str, str]:
        """Where the pages of blocks and switches are, by what the drawing calls them."""
        blocks = {f"block {name}": page("block", one.pk) for name, one in self.blocks.items()}
        switches = Sight(self.pod, self.user).switches.values()
        return blocks | {f"switch {name}": page("switch", pk) for pk, name, _ in switches}
