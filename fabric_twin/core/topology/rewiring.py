"""From the circuits that are to the links that are wanted, with few circuits changed.

bound         of each pair, the links that it has too few: no change adds less
heuristic     turned over as little as can be, then spread evenly, what is held first
programme     all switches and sides at once, each pair within one of its even share
groups        where that takes too long: two switches at once, then four and so on; what they hold
              together is shared out anew among them

Evenness is what costs: a slack of one lets most changes come to the bound. The next way is asked
only where those before it are above the bound, and the best of all is taken.
"""

from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, vstack

from fabric_twin.core.topology.joined import Spread
from fabric_twin.core.topology.links import Links, even_share
from fabric_twin.core.topology.network import Network
from fabric_twin.core.topology.orientation import oriented, reoriented
from fabric_twin.core.topology.spread import spread

#: By block: ports on each side of a switch.
Ports = NDArray[np.float64]
#: Seconds that the programmes may take together.
PATIENCE = 20.0


@dataclass(frozen=True)
class Rewired:
    """Circuits by switch, how many are new, and how that was found."""

    circuits: Spread
    added: int
    #: No change adds less.
    bound: int
    #: `first`, `heuristic`, `programme`; and whether it is proved to be the best of its kind.
    how: str
    proved: bool

    @property
    def gap(self) -> float:
        """How far above the bound it is, as a share of it."""
        return (self.added - self.bound) / self.bound if self.bound else float(self.added > 0)


def rewire(
    network: Network, wanted: Links, present: Spread | None = None, patience: float = PATIENCE
) -> Rewired:
    """Circuits that make the wanted links; of those that are there as many as can stay."""
    if present is None or not present.any():
        circuits = spread(oriented(wanted), network.switches)
        many = int(circuits.sum())
        return Rewired(circuits, many, many, "first", proved=True)
    bound = least_added(wanted, present)
    if _is_made(network, wanted, present):
        return Rewired(present.copy(), 0, bound, "heuristic", proved=True)
    tried = spread(reoriented(wanted, present.sum(axis=0)), network.switches, present)
    added = _added(tried, present)
    if added == bound or patience <= 0:
        return Rewired(tried, added, bound, "heuristic", proved=added == bound)
    ports = np.array([network.ports_of(block) for block in network.blocks], np.float64)
    share = even_share(wanted, network.switches)
    whole, proved = _programme(wanted, present, share, ports, patience / 2)
    better = tried if whole is None or _added(whole, present) > added else whole
    if not proved:
        better = _by_groups(better, present, share, ports, patience / 2)
    fewer = _added(better, present)
    how = "programme" if proved or fewer < added else "heuristic"
    return Rewired(better, fewer, bound, how, proved or fewer == bound)


def _by_groups(
    tried: Spread, present: Spread, share: tuple[Links, Links], ports: Ports, patience: float
) -> Spread:
    """Share out anew what two switches hold, then the next two; four where two gain nothing."""
    best, switches, many, until = tried.copy(), len(tried), 2, monotonic() + patience
    lots = np.random.default_rng(0)
    while many < switches:
        before = _added(best, present)
        for group in np.array_split(lots.permutation(switches), switches // many):
            there, now, left = best[group].sum(axis=0), present[group], until - monotonic()
            if left <= 0:
                return best
            found, _ = _programme(there + there.T, now, share, ports, left)
            if found is not None and _added(found, now) < _added(best[group], now):
                best[group] = found
        if _added(best, present) == before:
            many *= 2
    return best


def _added(circuits: Spread, present: Spread) -> int:
    return int(np.maximum(circuits - present, 0).sum())


def least_added(wanted: Links, present: Spread) -> int:
    """Links that pairs have too few: whatever is moved, so many circuits are new."""
    there = present.sum(axis=0)
    return int(np.triu(np.maximum(wanted - there - there.T, 0), 1).sum())


def _is_made(network: Network, wanted: Links, present: Spread) -> bool:
    """Whether what is there is what is wanted, no pair two off its share on a switch."""
    there = present.sum(axis=0)
    if (there + there.T != wanted).any():
        return False
    on_switch = present + present.transpose(0, 2, 1)
    least, most = even_share(wanted, network.switches)
    return bool((on_switch >= least).all() and (on_switch <= most).all())


def _programme(
    wanted: Links, present: Spread, share: tuple[Links, Links], ports: Ports, patience: float
) -> tuple[Spread | None, bool]:
    """The integer programme of some switches, and whether no other answer to it adds less.

    Whole numbers kept and added of each pair, side and switch.
    """
    switches, blocks = len(present), len(wanted)
    one, other = np.nonzero(wanted)
    many = len(one)
    cells = switches * many  # of kept circuits, and as many of added ones
    at_switch = np.repeat(np.arange(switches), many)
    a_end, b_end = np.tile(one, switches), np.tile(other, switches)
    low, high = np.minimum(a_end, b_end), np.maximum(a_end, b_end)
    _, pair = np.unique(low * blocks + high, return_inverse=True)
    pairs = int(pair.max()) + 1
    total, least, most = np.zeros(pairs), np.zeros(pairs), np.zeros(pairs)
    total[pair], least[pair], most[pair] = (matrix[low, high] for matrix in (wanted, *share))
    both = np.arange(2 * cells) % cells

    def sums(groups: np.ndarray, count: int) -> coo_array:
        at = (groups[both], np.arange(2 * cells))
        return coo_array((np.ones(2 * cells), at), (count, 2 * cells))

    def of_each(values: np.ndarray) -> np.ndarray:
        return np.tile(values, switches)

    no_ports = np.zeros(switches * blocks)
    rows = [
        (sums(pair, pairs), total, total),
        (sums(at_switch * pairs + pair, switches * pairs), of_each(least), of_each(most)),
        (sums(at_switch * blocks + a_end, switches * blocks), no_ports, of_each(ports)),
        (sums(at_switch * blocks + b_end, switches * blocks), no_ports, of_each(ports)),
    ]
    matrix = vstack([row for row, _, _ in rows]).tocsr()
    lower, upper = (np.concatenate(ends) for ends in ([r[1] for r in rows], [r[2] for r in rows]))
    kept = present[at_switch, a_end, b_end].astype(np.float64)
    found = milp(
        np.repeat([0.0, 1.0], cells),
        constraints=LinearConstraint(matrix, lower, upper),
        bounds=Bounds(0, np.concatenate([kept, np.full(cells, np.inf)])),
        integrality=np.ones(2 * cells),
        options={"time_limit": patience},
    )
    if found.x is None:
        return None, False
    circuits = np.zeros_like(present)
    circuits[at_switch, a_end, b_end] = np.rint(found.x[:cells] + found.x[cells:]).astype(np.int64)
    return circuits, found.status == 0
