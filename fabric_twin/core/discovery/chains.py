"""The first two rounds: each switch's ports become two chains that nothing else looks like.

Round 1 joins straight through, but for one port; round 2 joins each A to the next B, with the wrap
left dark. One dark circuit in round 1 cuts the chain of a switch in two:

    1B ══ 1A ── 2B      2A ── 3B ══ 3A ── 4B ══ 4A ── 5B ══ 5A      ══ round 1, ── round 2
    \\_ 3 ports __/      \\______________ 7 ports _____________/        (2A to 2B is left dark)

A chain of an odd number of ports lacks round 1 at one end and round 2 at the other, so it reads one
way only: turned round, it is another chain. If no two chains of the pod are equally long, then the
length of a chain says which it is, and each port's place in it says which port that is. So two
rounds tell everything when every port is lit, whatever is plugged where: no side, sign or name is
taken for granted, and switches whose addresses are exchanged are seen.

One round can never do it (turn any circuit round: nothing looks different), and where the pod has
more switches than there are lengths to share out, two cannot either: n chains of different odd
lengths take n*n ports, and a switch takes two of them. Then equal chains are made, and the next
rounds tell them apart.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.layout import Layout

#: A and B ports that a round joins.
Joined = tuple[list[int], list[int]]


def chain_rounds(layout: Layout, wanted: Mask) -> tuple[Joined, Joined]:
    """Rounds 1 and 2 over some switch ports."""
    rounds: tuple[Joined, Joined] = ([], []), ([], [])
    used: set[int] = set()
    for number in range(len(layout.switches)):
        a, b = sides_of(layout, number)
        chains = _chains(a[wanted[a]].tolist(), b[wanted[b]].tolist(), used)
        for nth, chain in enumerate(chains):
            for place, (one, other) in enumerate(pairwise(chain)):
                near, far = rounds[(place + nth) % 2]
                near.append(min(one, other))
                far.append(max(one, other))
    return rounds


def sides_of(layout: Layout, switch: int) -> tuple[Column, Column]:
    """The ports of both sides of a switch; those of A come first."""
    first = layout.cube_ports + switch * layout.ports_per_switch
    ports = np.arange(first, first + layout.ports_per_switch, dtype=np.int32)
    return ports[: layout.radix], ports[layout.radix :]


def _chains(a: Sequence[int], b: Sequence[int], used: set[int]) -> list[list[int]]:
    """Cut the ports of a switch into chains that go from side to side.

    Where one side has more ports, each chain begins and ends there; else one begins and ends on B,
    the next on A.
    """
    longer, shorter = (list(a), list(b)) if len(a) > len(b) else (list(b), list(a))
    excess = len(longer) - len(shorter)
    if not shorter:
        return []
    lengths = _lengths(len(a) + len(b), max(excess, 1) + (excess == 0), used)
    chains = []
    for nth, length in enumerate(lengths):
        sides = (shorter, longer) if not excess and nth % 2 else (longer, shorter)
        chains.append([sides[place % 2].pop(0) for place in range(length)])
    return chains


def _lengths(ports: int, chains: int, used: set[int]) -> list[int]:
    """Different odd lengths that no other chain has, if there are such."""
    free = [length for length in range(3, ports + 1, 2) if length not in used]
    for skipped in range(len(free)):
        *first, last = *free[skipped : skipped + chains - 1], 0
        last = ports - sum(first)
        if len(first) == chains - 1 and last in free and last not in first:
            used.update(first, [last])
            return [*first, last]
        if last < 3:
            break
    # No lengths are left: cut anywhere. An even chain reads both ways.
    each = max(1, ports // chains - (ports // chains + 1) % 2)
    return [*[each] * (chains - 1), ports - each * (chains - 1)]
