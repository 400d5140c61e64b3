"""A network by its records: its blocks, and which of their strands carry nothing."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.topology.network import USED, Network, SwitchEnd
from fabric_twin.operations.networks.demand import network_of
from fabric_twin.repositories.pod_record import DOWN, OUT_OF_SERVICE, PodRecord


@dataclass(frozen=True, eq=False)
class NetworkRecord:
    """All of a network, for every reader; each part is read once, when it is asked for."""

    record: PodRecord
    #: Switches by number from 0, and ports, that are about to be in service again.
    switches_back: frozenset[int] = frozenset()
    ports_back: frozenset[int] = frozenset()

    @cached_property
    def network(self) -> Network:
        """Its blocks and switches."""
        return network_of(self.record.pod)

    @property
    def switches_out(self) -> frozenset[int]:
        """Switches that are out of service, by number from 1."""
        rows = self.record.switches.items()
        return frozenset(number + 1 for number, (_, _, status) in rows if status in DOWN)

    @cached_property
    def out(self) -> frozenset[SwitchEnd]:
        """Strands that carry nothing: by their own fault, their cable's, or that of its port."""
        layout, mate = self.record.design.layout, self.record.intended().mate
        per_place, first = layout.ports_per_cube, layout.cube_ports
        strands = np.arange(first, dtype=np.int32)
        places = (
            places for (_, _, status), places in self.record.blocks if status in OUT_OF_SERVICE
        )
        bad = np.zeros(len(mate), np.bool_)
        bad[list(self._ports_out)] = True
        bad[:first] |= np.isin(layout.slot[:first], [place for some in places for place in some])
        bad[:first] |= bad[mate[:first]] | ~self._cabled[:first] | (mate[:first] == NO_PORT)
        held = self.network.block_at[layout.slot[:first]] >= 0
        lost = strands[bad[:first] & held]
        side, switch = np.divmod(lost % per_place, self.network.switches)
        ends = zip((switch + 1).tolist(), layout.slot[lost].tolist(), side.tolist(), strict=True)
        return frozenset(SwitchEnd(*end) for end in ends)

    @property
    def _ports_out(self) -> frozenset[int]:
        """Ports that are out of service, alone or with their switch."""
        layout, rows = self.record.design.layout, self.record.switches.items()
        down = {n for n, (_, _, status) in rows if status in DOWN} - self.switches_back
        alone = self.record.bad_ports - self.ports_back
        return alone.union(*(layout.ports_of_switch(number) for number in down))

    def places_at(self, ports: Collection[int]) -> set[int]:
        """The places of the strands that belong at some ports of switches, in service or not."""
        mate = self.record.intended(range(1, USED + 1)).mate
        slot = self.record.design.layout.slot
        return {int(slot[mate[port]]) for port in ports if mate[port] != NO_PORT}

    @property
    def blocks_partly_out(self) -> frozenset[int]:
        """Blocks of which a strand, or the port of one, is out of service; by number from 0."""
        mate, slot = self.record.intended().mate, self.record.design.layout.slot
        ends = {end for port in self.record.bad_ports for end in (port, int(mate[port]))}
        places = {int(slot[end]) for end in ends if end != NO_PORT} - {0}
        return frozenset(int(self.network.block_at[place]) for place in places)

    @cached_property
    def _cabled(self) -> NDArray[np.bool_]:
        """By port: whether a cable joins it to the port that is meant for it."""
        plant, mate = self.record.plant, self.record.intended().mate
        known = (plant.a >= 0) & (plant.b >= 0)
        a, b = plant.a[known], plant.b[known]
        right = mate[a] == b
        found = np.zeros(len(mate), np.bool_)
        found[a[right]] = found[b[right]] = True
        return found
