"""Packet switches that a command speaks to: where they answer, and how to get in."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.files import read_file
from fabric_twin.core.extras import require_extra

if TYPE_CHECKING:
    from fabric_twin.core.rings.state import State
    from fabric_twin.switches.openflow.switch import OpenFlowSwitch

Command = Callable[..., Any]


def targets_options(*, required: bool) -> Callable[[Command], Command]:
    """`--targets` and `--insecure`."""

    def options(command: Command) -> Command:
        insecure = click.option(
            "--insecure", is_flag=True, help="Without TLS; only on this machine."
        )
        targets = click.option(
            "--targets",
            required=required,
            metavar="FILE",
            help="Where switches answer over OpenFlow: CSV with device, address and datapath.",
        )
        return targets(insecure(command))

    return options


@contextmanager
def opened(
    state: "State", targets: str, *, insecure: bool
) -> "Iterator[dict[int, OpenFlowSwitch]]":
    """The switches of a file that are not lost, by device number; nothing is sent yet."""
    require_extra("fabric", "grpc", where="--targets")
    from fabric_twin.core.identity import Known
    from fabric_twin.inventory.groups.packet_switches import read_packet_switches
    from fabric_twin.switches.driver import Access, Patience, Target
    from fabric_twin.switches.openflow.switch import OpenFlowSwitch

    access, patience = Access.from_environment(insecure=insecure), Patience()
    with ExitStack() as stack:
        switches = {}
        for number, at in read_packet_switches(*read_file(targets), state).items():
            if number not in state.lost:
                name = state.names.device(number)
                target = Target(name, at.address, known=Known(name, at.datapath))
                switch = OpenFlowSwitch(target, access, patience)
                switches[number] = stack.enter_context(closing(switch))
        yield switches
