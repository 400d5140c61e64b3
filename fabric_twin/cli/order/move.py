"""`fabric-twin order move`."""

from typing import Any

import click

from fabric_twin.cli.options import pod_options
from fabric_twin.cli.order.options import Options, order_options
from fabric_twin.core.kinds import Verb


@click.command(
    epilog="\b\nExample:\n"
    "  fabric-twin order move moves.json --design ironwood --pod iw1 --cables iw1.csv --circuits "
    "now.json"
)
@click.argument("moves", metavar="MOVES.json")
@pod_options
@order_options
def move(moves: str, **options: Any) -> None:
    """Write the work order that brings plugs to other ports.

    MOVES.json is {"moves": [{"cable", "end": "a" or "b", "to": [device, port]}]}, as a finding's
    remedy has them, or - for standard input. Plugs may exchange places. Circuits that use a port
    are named in the order as what must be drained before.

    Exits 0 with an order, 1 when there can be none, 2 when a file cannot be read.
    """
    from fabric_twin.services.orders.issue import issue_move

    Options(**options).order_from(Verb.MOVE, issue_move, moves)
