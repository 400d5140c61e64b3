"""What a topology costs: laying one out, and growing it by a block; small unless timed."""

import pytest

from fabric_twin.core.topology.joined import spread_of
from fabric_twin.core.topology.links import uniform
from fabric_twin.core.topology.network import Network, placed
from fabric_twin.core.topology.ports import with_ports
from fabric_twin.core.topology.rewiring import rewire


def network(blocks: int, strands: int, switches: int) -> Network:
    return placed("dc1", switches, [(f"ab{n:02}", strands, 400.0) for n in range(blocks)])


@pytest.mark.parametrize("family", [(8, 64, 16), (32, 128, 32)])
def test_first_topology(benchmark, small, family):
    of = network(*((4, 12, 2) if small else family))
    found = benchmark.pedantic(lambda: rewire(of, uniform(of)), rounds=3)
    assert found.added == sum(block.strands for block in of.blocks) // 2


@pytest.mark.parametrize("family", [(8, 64, 16), (16, 128, 32), (31, 128, 32)])
def test_growth_by_a_block(benchmark, small, family):
    blocks, strands, switches = (4, 12, 2) if small else family
    before, after = (network(many, strands, switches) for many in (blocks, blocks + 1))
    present = spread_of(after, list(with_ports(before, rewire(before, uniform(before)).circuits)))
    found = benchmark.pedantic(lambda: rewire(after, uniform(after), present), rounds=3)
    assert found.added == found.bound
