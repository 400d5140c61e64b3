"""`fabric-twin rings release`."""

import click

from fabric_twin.cli.rings.options import (
    Form,
    change_options,
    cluster_options,
    state_of,
    state_option,
    write_change,
)
from fabric_twin.core.rings.ask import release as let_go


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings release --design groups-a --pod pg1 --state now.json --job a -o now.json"
)
@cluster_options
@state_option(required=True)
@click.option("--job", required=True, metavar="NAME", help="The job that ends.")
@change_options
def release(
    design: str,
    pod: str,
    state: str,
    job: str,
    output: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Take a job's rings away, and let its groups go."""
    form = Form(as_json, as_csv)
    now = state_of(design, pod, state, output=output)
    write_change(let_go(now, job), output, form)
