"""`fabric-twin rings show`."""

import click

from fabric_twin.cli.files import write_json, writing
from fabric_twin.cli.rings.options import (
    Form,
    cluster_options,
    form_options,
    state_of,
    state_option,
)
from fabric_twin.core.rings.written import job_json, state_json
from fabric_twin.documents.groups import rings_report


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings show --design groups-a --pod pg1 --state now.json\n"
    "  fabric-twin rings show --design groups-a --pod pg1 --state now.json --csv > entries.csv"
)
@cluster_options
@state_option(required=True)
@click.option("--job", metavar="NAME", help="Only this job; all by default.")
@form_options
def show(design: str, pod: str, state: str, job: str | None, as_json: bool, as_csv: bool) -> None:
    """Say which jobs there are, and what switches forward for them.

    --csv writes every entry that a switch should have, and whose it is.
    """
    form = Form(as_json, as_csv)
    now = state_of(design, pod, state)
    jobs = [now.job(job)] if job is not None else list(now.jobs)
    with writing("-") as out:
        if form.as_csv:
            rings_report.write_entries_csv(now, jobs, out)
        elif form.as_json:
            write_json(state_json(now) | {"jobs": [job_json(now, one) for one in jobs]}, out)
        else:
            rings_report.write_state(now, jobs, out)
