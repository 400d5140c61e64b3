"""`fabric-twin rings repair`."""

import click

from fabric_twin.cli.rings.options import (
    Form,
    change_options,
    cluster_options,
    device_of,
    device_options,
    state_of,
    state_option,
    write_change,
)
from fabric_twin.core.rings.failure import repair as bring_back


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings repair --design groups-a --pod pg1 --state now.json --group r01c02\n"
    "  fabric-twin rings repair --design groups-a --pod pg1 --state now.json --switch row-01-1-1"
)
@cluster_options
@state_option(required=True)
@device_options("there again")
@change_options
def repair(
    design: str,
    pod: str,
    state: str,
    group: str | None,
    switch: str | None,
    output: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Lay what was missing, once a group or a switch is there again.

    Rings that are missing are laid where links are left; jobs stay where they are.
    """
    form = Form(as_json, as_csv)
    now = state_of(design, pod, state, output=output)
    write_change(bring_back(now, device_of(now, group, switch)), output, form)
