"""Circuits by the ports of the rule: a spare is taken for the port whose place it takes."""

from typing import NamedTuple

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.network import Network, SwitchEnd


class Link(NamedTuple):
    """A circuit between two blocks."""

    joined: Joined
    #: Whether a spare has taken the place of its A port, and of its B port.
    displaced: tuple[bool, bool]

    @property
    def ends(self) -> tuple[SwitchEnd, SwitchEnd]:
        """Its A end and its B end."""
        switch, a, b = self.joined
        return SwitchEnd(switch, a, 0), SwitchEnd(switch, b, 1)


def end_of_port(layout: Layout, number: int) -> SwitchEnd:
    """The switch, the port on its side and the side of a switch port by its number."""
    switch, on_switch = divmod(number - layout.cube_ports, layout.ports_per_switch)
    side, port = divmod(on_switch, layout.radix)
    return SwitchEnd(switch + 1, port + 1, side)


def links_by_rule(network: Network, layout: Layout, mate: Column, circuits: Circuits) -> list[Link]:
    """The circuits that join two blocks; of two for one strand that which is on its spare.

    `mate` has the cables as the rule and substitutions want them.
    """
    at, unused = network.block_at, layout.mate == NO_PORT
    by_rule = np.where(unused, 0, layout.slot[layout.mate])  # 0 is of no block
    place = np.where(mate == NO_PORT, by_rule, layout.slot[mate])
    gone = (mate == NO_PORT) & ~unused
    first = layout.cube_ports + circuits.switch * layout.ports_per_switch - 1
    a, b = first + circuits.a, first + layout.radix + circuits.b
    rows = np.stack([circuits.switch + 1, place[a], place[b], gone[a], gone[b]], 1).tolist()
    links = [Link(Joined(*row[:3]), (bool(row[3]), bool(row[4]))) for row in rows]
    between = [one for one in links if -1 != at[one.joined.a] != at[one.joined.b] != -1]
    taken = {end for one in between if not any(one.displaced) for end in one.ends}
    return [one for one in between if not any(one.displaced) or taken.isdisjoint(one.ends)]
