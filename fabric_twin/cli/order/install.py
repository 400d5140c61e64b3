"""`fabric-twin order install`."""

from typing import Any

import click

from fabric_twin.cli.options import pod_options
from fabric_twin.cli.order.options import Options, order_options
from fabric_twin.core.kinds import Verb


@click.command(
    epilog="\b\nExample:\n"
    "  fabric-twin order install --design ironwood --pod iw1 --cubes 5-12 --format pdf --labels "
    "-o order"
)
@pod_options
@click.option(
    "--cubes", required=True, metavar="1-4,7", help="Slots to bring cubes or groups into."
)
@order_options
def install(cubes: str, **options: Any) -> None:
    """Write the work order that brings cubes into a pod, or groups into a cluster.

    Those that stand already are those of --slots; all others by default. Nothing that --cables or
    --circuits says is in use is ever touched: an order that would is refused.

    Exits 0 with an order, 1 when there can be none, 2 when a file cannot be read.
    """
    from fabric_twin.services.orders.issue import issue_installation

    Options(**options).order_cubes(Verb.INSTALL, issue_installation, cubes)
