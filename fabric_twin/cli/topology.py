"""`fabric-twin topology`."""

import math
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.messages import styling
from fabric_twin.cli.options import json_option
from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.extras import require_extra
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.networks.blocks import BlocksRead, read_blocks
from fabric_twin.inventory.networks.demand import read_demand
from fabric_twin.inventory.networks.rings import RingsRead, read_rings
from fabric_twin.inventory.plans import read_topology

if TYPE_CHECKING:
    from fabric_twin.core.superpods.plan import RingsPlanned
    from fabric_twin.core.topology.links import Demand

#: As `core/topology/plan.py` has them, which is imported only where it is needed.
KINDS = ("uniform", "engineered", "isolated")


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin topology --network dc1 --blocks blocks.json\n"
    "  fabric-twin topology --network dc1 --blocks blocks.json --kind engineered\n"
    "    --demand demand.csv --from now.json --json > plan.json\n"
    "  fabric-twin topology --network dc1 --blocks blocks.json --kind engineered\n"
    "    --rings rings.json --from now.json\n"
    "  fabric-twin topology --network dc1 --blocks blocks.json --undo plan.json --from now.json"
)
@click.option("--network", required=True, metavar="NAME", help="The network's name, like dc1.")
@click.option("--blocks", required=True, metavar="FILE", help="Its blocks and switches, as JSON.")
@click.option("--demand", metavar="FILE", help="from,to,gbps: what pairs of blocks ask for.")
@click.option(
    "--kind", type=click.Choice(KINDS), default="uniform", show_default=True, help="What to make."
)
@click.option(
    "--rings",
    metavar="FILE",
    help="Jobs over several pods, as JSON: their rings are joined beside all other demand.",
)
@click.option("--from", "present", metavar="FILE", help="The circuits that are there now.")
@click.option(
    "--at-once",
    type=click.IntRange(1, 1000),
    default=8,
    show_default=True,
    help="Switches that are drained together.",
)
@click.option(
    "--headroom",
    type=click.FloatRange(0, 10),
    default=0.0,
    help="What each pair keeps over its demand while it is drained: 0.2 is a fifth.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 3600),
    default=20.0,
    show_default=True,
    help="Seconds that the search for fewer changes may take.",
)
@click.option(
    "--undo",
    metavar="FILE",
    help="Go back to what was there before a plan that --json wrote: from its end, or from the "
    "circuits of --from if it stopped before.",
)
@json_option
@click.pass_context
def topology(
    ctx: click.Context,
    network: str,
    blocks: str,
    demand: str | None,
    kind: str,
    rings: str | None,
    present: str | None,
    at_once: int,
    headroom: float,
    patience: float,
    undo: str | None,
    as_json: bool,
) -> None:
    """Plan how blocks are joined over a layer of switches, and the few circuits that change.

    With --demand, no stage leaves a pair with less than it asks for, direct or over one other
    block.

    With --rings, pods that run one job are joined in a ring, in the order that adds the fewest
    links to those of --from.

    With --undo, stages are taken back in reverse; what was not done is left alone.

    Exits 0 with a plan, 1 when demand leaves no switch to be drained, 2 when a file cannot be read.
    """
    _check_together(ctx, [blocks, demand, rings, present, undo])
    read = read_blocks(*read_file(blocks), network, in_use=bool(present or undo))
    asked = read_demand(*read_file(demand), read.network) if demand else None
    now = read_circuits(*read_file(present)) if present else None
    done = read_topology(*read_file(undo)) if undo else None
    wished = read_rings(*read_file(rings)) if rings else None
    # Solving takes a third of a second to import.
    require_extra("topology", "scipy", where="topology")
    from fabric_twin.core.topology.plan import plan_topology
    from fabric_twin.core.topology.undo import undo_topology
    from fabric_twin.documents.topology.rings_report import write_rings
    from fabric_twin.documents.topology.topology_report import write_text

    planned = _planned(read, wished, asked, now or []) if wished else None
    asked = planned.demand if planned else asked
    if done:
        stages, after = done
        found = undo_topology(
            read.network,
            [Stage(*stage) for stage in stages],
            after if now is None else now,
            demand=asked,
            headroom=headroom,
        )
    else:
        found = plan_topology(
            read.network,
            kind,
            demand=asked,
            asked_now=planned.asked_now if planned else None,
            owners=read.owners,
            present=now or [],
            takes=_takes(read),
            at_once=at_once,
            headroom=headroom,
            patience=patience,
            least=planned.least if planned else 1,
        )
    with writing("-") as out:
        if as_json:
            rings_told = {"rings": planned.as_json(found)} if planned else {}
            write_json({**found.as_json(), **rings_told}, out)
            return
        write_text(found, out, styling(ctx, out))
        if planned:
            write_rings(planned.stand(found.links, found.links), planned.tried, out)


def _takes(read: BlocksRead) -> frozenset[str] | None:
    return read.takes if read.draining else None


def _planned(
    read: BlocksRead, wished: RingsRead, asked: "Demand | None", now: list[Circuit]
) -> "RingsPlanned":
    """The rings in their order, and what they and all others ask for."""
    from fabric_twin.core.superpods.plan import plan_rings

    return plan_rings(
        read.network,
        wished.wishes,
        least=wished.least,
        demand=asked,
        present=now,
        takes=_takes(read),
    )


def _check_together(ctx: click.Context, files: list[str | None]) -> None:
    """Refuse options that contradict each other."""
    _, demand, rings, _, undo = files
    if files.count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    if math.isnan(ctx.params["headroom"]) or math.isnan(ctx.params["patience"]):
        raise click.UsageError("--headroom and --patience are numbers.")

    def is_given(option: str) -> bool:
        return ctx.get_parameter_source(option) is not ParameterSource.DEFAULT

    for option in ("kind", "at_once", "patience"):
        if undo and is_given(option):
            raise click.UsageError(f"Give either --{option.replace('_', '-')} or --undo.")
    if rings and (undo or ctx.params["kind"] != "engineered"):
        raise click.UsageError("--rings goes with --kind engineered, and without --undo.")
    if not (demand or rings) and is_given("headroom"):
        raise click.UsageError("--headroom is over demand: give --demand too.")
