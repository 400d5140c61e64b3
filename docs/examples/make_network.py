"""Draw the network of the examples: four blocks, their circuits and what is asked for.

Run `make refresh-docs` after a change of the drawing.
"""

# ruff: noqa: INP001 - a script, not a package

from pathlib import Path

from fabric_twin.core.topology.joined import all_joined
from fabric_twin.core.topology.standing import NetworkStands
from fabric_twin.documents.topology.link_matrix import link_matrix
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import read_blocks
from fabric_twin.inventory.networks.demand import read_demand
from fabric_twin.services.pods.render import render_one

HERE = Path(__file__).parent / "topology"


def files() -> dict[Path, str]:
    """The drawing."""
    blocks, now, asked = (
        (HERE / name).read_bytes() for name in ("four-blocks.json", "now.json", "demand.csv")
    )
    network = read_blocks(blocks, "blocks", "dc1").network
    circuits = all_joined(network, read_circuits(now, "circuits"))
    stands = NetworkStands(network, circuits, (), read_demand(asked, "demand", network))
    [(_, drawn)] = render_one(link_matrix(stands, "Demand of 1 November"), "svg", "dc1").files
    return {HERE / "link-matrix.svg": drawn.decode()}
