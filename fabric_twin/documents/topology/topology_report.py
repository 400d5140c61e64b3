"""A topology as text: the links of each pair as a matrix, how full they are, and the change."""

from typing import TextIO

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.topology.plan import Topology
from fabric_twin.documents.slices.plan_report import Style, write_stages

#: Blocks of a matrix that a terminal shows, and pairs without a link.
MOST = 16


def write_text(topology: Topology, out: TextIO, style: Style) -> None:
    """For a terminal."""
    network, found, plan = topology.network, topology.rewired, topology.plan
    blocks, switches = len(network.blocks), network.switches
    title = style(f"Network {network.name}", bold=True)
    out.write(
        f"{title}: {counted(blocks, 'block')} over {counted(switches, 'switch')}, "
        f"{topology.kind}.\n"
    )
    _matrix(topology, out)
    _loads(topology, out)
    if not plan.stages:
        out.write("Nothing to do: what is wanted is there.\n")
        return
    keep, remove, add = (f"{len(part):,}" for part in (plan.keep, plan.remove, plan.add))
    out.write(f"Circuits: keep {keep}, remove {remove}, add {add}; ")
    if found.added == found.bound:
        out.write("no change adds fewer.\n")
    else:
        proof = "proved the least" if found.proved else "not proved the least"
        out.write(f"at least {found.bound:,} have to be added ({proof} of balanced ones).\n")
    write_stages(plan, out, style)


def _loads(topology: Topology, out: TextIO) -> None:
    """How full the fullest pair is, and which pairs have demand and no link."""
    joined = np.isfinite(topology.load)
    if full := float(topology.load[joined].max(initial=0.0)):
        out.write(f"The fullest pair carries {full:.3g} of what its links can.\n")
    names = [block.name for block in topology.network.blocks]
    without = np.argwhere(np.triu(~joined)).tolist()
    for one, other in without[:MOST]:
        asked = f"{topology.demand[one, other]:,.10g} Gbit/s"
        out.write(f"{names[one]} and {names[other]} ask for {asked} and have no link.\n")
    if (more := len(without) - MOST) > 0:
        out.write(f"and {counted(more, 'pair')} more: --json has them all, with a load of null\n")


def _matrix(topology: Topology, out: TextIO) -> None:
    names = [block.name for block in topology.network.blocks][:MOST]
    wide = max(map(len, names))
    out.write(f"\nlinks{' ' * max(wide - 5, 0)}  {'  '.join(name.rjust(wide) for name in names)}\n")
    for row, name in enumerate(names):
        cells = topology.links[row, : len(names)].tolist()
        told = ["-" if at == row else str(cell) for at, cell in enumerate(cells)]
        out.write(f"{name.ljust(max(wide, 5))}  {'  '.join(cell.rjust(wide) for cell in told)}\n")
    if (more := len(topology.network.blocks) - len(names)) > 0:
        out.write(f"and {counted(more, 'block')} more: --json has them all\n")
    out.write("\n")
