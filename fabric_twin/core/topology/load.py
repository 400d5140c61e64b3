"""How full links are: over direct links alone, or with one block between as well."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from fabric_twin.core.topology.links import Demand, Links, loads, rates
from fabric_twin.core.topology.network import Network


def direct_load(network: Network, links: Links, demand: Demand) -> float:
    """The greatest load of a pair whose demand takes its own links alone."""
    return float(loads(network, links, demand).max(initial=0.0))


def transit_load(network: Network, links: Links, demand: Demand) -> float:
    """The least that the greatest load can be where demand may also pass one other block.

    Links carry both directions at once and demand is symmetric, so each pair is routed once.
    Infinite where a pair has demand and no way of at most two links.
    """
    capacity = links * rates(network)
    edges = [pair for pair in combinations(range(len(links)), 2) if capacity[pair] > 0]
    number = {edge: at for at, edge in enumerate(edges)}
    asked = [pair for pair in combinations(range(len(links)), 2) if demand[pair] > 0]
    rows: list[int] = []
    columns: list[int] = []
    of_pair: list[int] = []
    for pair, (one, other) in enumerate(asked):
        ways = [[(one, other)]] if (one, other) in number else []
        for via in range(len(links)):
            hops = [tuple(sorted((end, via))) for end in (one, other)]
            if via not in (one, other) and all(hop in number for hop in hops):
                ways.append(hops)  # type: ignore[arg-type]
        if not ways:
            return float("inf")
        for way in ways:
            rows += [number[hop] for hop in way]
            columns += [len(of_pair)] * len(way)
            of_pair.append(pair)
    if not asked:
        return 0.0
    flows = len(of_pair)
    # The last variable is the greatest load.
    uses = coo_array(
        (
            [*[1.0] * len(rows), *(-capacity[edge] for edge in edges)],
            ([*rows, *range(len(edges))], [*columns, *[flows] * len(edges)]),
        ),
        shape=(len(edges), flows + 1),
    )
    whole = coo_array((np.ones(flows), (of_pair, np.arange(flows))), shape=(len(asked), flows + 1))
    found = linprog(
        np.append(np.zeros(flows), 1.0),
        A_ub=uses,
        b_ub=np.zeros(len(edges)),
        A_eq=whole,
        b_eq=[demand[pair] for pair in asked],
        method="highs",
    )
    return float(found.x[-1])
