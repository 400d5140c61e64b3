"""`fabric-twin order decommission`."""

from typing import Any

import click

from fabric_twin.cli.options import pod_options
from fabric_twin.cli.order.options import Options, order_options
from fabric_twin.core.kinds import Verb


@click.command(
    epilog="\b\nExample:\n"
    "  fabric-twin order decommission --design ironwood --pod iw1 --cubes 7 --circuits now.json"
)
@pod_options
@click.option(
    "--cubes",
    required=True,
    metavar="1-4,7",
    help="Slots whose cubes or groups are taken away.",
)
@order_options
def decommission(cubes: str, **options: Any) -> None:
    """Write the work order that takes cubes or groups away.

    Their cables are unplugged at the switches first. Circuits that still use a port are named in
    the order as what must be drained before.

    Exits 0 with an order, 1 when there can be none, 2 when a file cannot be read.
    """
    from fabric_twin.services.orders.issue import issue_decommission

    Options(**options).order_cubes(Verb.DECOMMISSION, issue_decommission, cubes)
