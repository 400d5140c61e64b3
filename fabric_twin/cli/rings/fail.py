"""`fabric-twin rings fail`."""

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
from fabric_twin.core.rings.failure import fail as go_on


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings fail --design groups-a --pod pg1 --state now.json --group r01c02\n"
    "  fabric-twin rings fail --design groups-a --pod pg1 --state now.json --switch row-01-1-1"
)
@cluster_options
@state_option(required=True)
@device_options("lost")
@change_options
def fail(
    design: str,
    pod: str,
    state: str,
    group: str | None,
    switch: str | None,
    output: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Go on without a group or a switch, with few entries changed.

    A free group of the same switch takes the place of one that is lost; a row or column of a shape
    gives way to a free one; rings over a lost tier-1 switch take other uplinks. What is left of
    each job is said, and the fewest entries that any plan changes.
    """
    form = Form(as_json, as_csv)
    now = state_of(design, pod, state, output=output)
    write_change(go_on(now, device_of(now, group, switch)), output, form)
