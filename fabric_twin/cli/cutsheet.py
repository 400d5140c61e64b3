"""`fabric-twin cutsheet`."""

import click

from fabric_twin.cli.files import writing
from fabric_twin.cli.options import pod_options, which_design
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory.cutsheet import write_cut_sheet


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin cutsheet --design ironwood --pod iw1 -o iw1.csv\n"
    "  fabric-twin cutsheet --design tpu-v4 --pod v4 --slots 1-4,7"
)
@pod_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def cutsheet(design: str, pod: str, slots: str | None, output: str) -> None:
    """Write the cut sheet of a pod as its design wants it: a row a cable, as CSV."""
    kind = which_design(design, Verb.CUT_SHEET)
    intended = intended_plant(
        kind, pod, parse_slots(slots, kind.slots) if slots is not None else None
    )
    with writing(output) as out:
        write_cut_sheet(intended, out)
