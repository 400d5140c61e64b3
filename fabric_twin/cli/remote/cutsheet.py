"""`fabric-twin remote cutsheet`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.files import writing
from fabric_twin.cli.remote.options import pod_option, server_options

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote cutsheet --url https://nautobot.example.com --pod iw1 -o iw1.csv\n"
    "  fabric-twin remote cutsheet --pod iw1 --design ironwood > iw1.csv"
)
@server_options
@pod_option
@click.option(
    "--design", metavar="NAME", help="Its kind: to be told how many cables are not visible."
)
@click.option("--slots", metavar="1-4,7", help="Slots that hold cubes; all by default.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def cutsheet(
    server: "Server", pod: str, design: str | None, slots: str | None, output: str
) -> None:
    """Write the cut sheet of a pod as its Nautobot has it: a row a cable, as CSV.

    Paths through patch panels are one row. Lengths are in metres.
    """
    from fabric_twin.cli.options import which_design
    from fabric_twin.cli.remote.sheets import fetch_sheet, say_what_is_not_seen
    from fabric_twin.core.kinds import Verb

    sheet = fetch_sheet(server, pod)
    if design and not sheet.pod:
        say_what_is_not_seen(sheet, which_design(design, Verb.RECORD), pod, slots)
    with writing(output) as out:
        out.write(sheet.content.decode())
