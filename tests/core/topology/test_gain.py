"""What an engineered topology gains over a uniform one: the table of docs/topology.md."""

from pathlib import Path

import numpy as np
import pytest

from fabric_twin.core.topology.links import engineered, loads, rates, uniform
from fabric_twin.core.topology.load import transit_load
from fabric_twin.core.topology.network import placed

PAGE = Path(__file__).parents[3] / "docs/topology.md"
NETWORK = placed("dc1", 4, [(f"ab{number:02}", 32, 100.0) for number in range(1, 9)])
WEIGHTS = np.array([8, 6, 5, 4, 3, 2, 2, 2])


def neighbours() -> np.ndarray:
    """Each block and the next: 1,600 Gbit/s; each other pair 100."""
    demand = np.full((8, 8), 100.0)
    for one in range(0, 8, 2):
        demand[one, one + 1] = demand[one + 1, one] = 1600
    return demand


DEMANDS = {"neighbours": neighbours(), "by size": 20.0 * np.outer(WEIGHTS, WEIGHTS)}


@pytest.mark.parametrize("name", DEMANDS)
def test_the_page_has_these_figures(name: str) -> None:
    demand = DEMANDS[name] * (1 - np.eye(8))
    cells = []
    for links in (uniform(NETWORK), engineered(NETWORK, demand)):
        direct = np.minimum(demand, links * rates(NETWORK)).sum() / demand.sum()
        load, transit = loads(NETWORK, links, demand).max(), transit_load(NETWORK, links, demand)
        cells.append((f"{load:.2f}", f"{transit:.2f}", f"{direct:.0%}"))
    row = " | ".join(f"{was}; {now}" for was, now in zip(*cells, strict=True))
    assert f"| {name} | {row} |" in PAGE.read_text()
