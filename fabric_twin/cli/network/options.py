"""Options of all commands of a network."""

from collections.abc import Callable
from typing import Any

import click

from fabric_twin.cli.files import read_file
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.inventory.networks.blocks import read_blocks


def network_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--network` and `--blocks`."""
    for option in (
        click.option(
            "--blocks", required=True, metavar="FILE", help="Its blocks and switches, as JSON."
        ),
        click.option(
            "--network", required=True, metavar="NAME", help="The network's name, like dc1."
        ),
    ):
        command = option(command)
    return command


def network_of(name: str, blocks: str) -> Intended:
    """The plant of a network that a block file describes."""
    read = read_blocks(*read_file(blocks), name)
    return intended_network(read.network, cable_m=read.cable_m)
