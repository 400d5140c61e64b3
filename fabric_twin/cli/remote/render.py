"""`fabric-twin remote render`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.messages import tell
from fabric_twin.cli.remote.options import pod_option, server_options
from fabric_twin.core.errors import UnusableInput

if TYPE_CHECKING:
    from fabric_twin.core.design import Design
    from fabric_twin.remote.server import Server

DOCUMENTS = ("port-map", "face-map", "labels", "cut-list")


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote render port-map --url https://nautobot.example.com --pod iw1 --all "
    "--format html -o maps\n"
    "  fabric-twin remote render labels --pod iw1 --design ironwood --cube 7 --format pdf -o ."
)
@click.argument("document", type=click.Choice(DOCUMENTS), metavar="DOCUMENT")
@server_options
@pod_option
@click.option(
    "--design",
    metavar="NAME",
    help="Its kind, or a design file; needed where the App, or here the design, is not installed.",
)
@click.option("--slots", metavar="1-4,7", help="Slots that hold cubes; with the App those it has.")
@click.option("--switch", metavar="NAME", help="One switch, like x-3-2.")
@click.option("--cube", type=click.IntRange(1), metavar="N", help="The cube in slot N.")
@click.option(
    "--all", "every", is_flag=True, help="Every switch, or every cube, in a file of its own."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["txt", "csv", "html", "svg", "pdf"]),
    required=True,
    help="What to write; not every document comes in every format.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Output folder; - for one file on standard output.",
)
def render(
    document: str,
    server: "Server",
    pod: str,
    design: str | None,
    slots: str | None,
    switch: str | None,
    cube: int | None,
    every: bool,
    form: str,
    output: str,
) -> None:
    """Write maps, lists and labels of a pod as its Nautobot has it.

    \b
    DOCUMENT is one of
      port-map   a switch: what is on each port, whose it is, what is wrong
      face-map   a cube: where the cable of every place on its faces goes
      labels     both ends of every cable: csv for a printer, pdf with QR codes
      cut-list   for the cabling crew, by rack, tray and port
    """
    from fabric_twin.cli.options import which_design
    from fabric_twin.cli.render import made_when, write_rendering
    from fabric_twin.core.kinds import Verb
    from fabric_twin.core.slots import parse_slots
    from fabric_twin.services.pods.render import Files, render_documents, render_fabric
    from fabric_twin.services.pods.which import Which

    if sum(map(bool, (every, switch, cube))) > 1:
        raise click.UsageError("Choose one of --all, --switch and --cube.")
    which = Which(cube, switch, None, every)
    if server.has_app:
        from fabric_twin.remote.pods import find_pod

        known = find_pod(server, pod)
        given = which_design(design, Verb.RECORD) if design else None
        if given and given.name != known.design:
            tell(f"{server.address}, pod {pod}: it is of design {known.design}, which is used.")
            given = None
        kind = given or _of_this_machine(known.design, server)
        known.check_design(kind)
        chosen = parse_slots(slots, kind.slots) if slots is not None else None
        fabric = known.fabric(kind, chosen)
        for gap in fabric.gaps if document.endswith("-map") else ():  # a CSV has no room for it
            tell(f"{server.address}, pod {pod}: {gap}.")
        rendering = render_fabric(document, form, fabric, which, made_when())
    else:
        from fabric_twin.cli.remote.sheets import fetch_sheet, say_what_is_not_seen

        if not design:
            raise click.UsageError("The App fabric_twin is not installed there: give the --design.")
        kind = which_design(design, Verb.RECORD)
        sheet = fetch_sheet(server, pod)
        say_what_is_not_seen(sheet, kind, pod, slots)
        rendering = render_documents(
            document,
            form,
            kind,
            pod,
            which,
            Files(cables=(sheet.content, sheet.source)),
            slots=parse_slots(slots, kind.slots) if slots is not None else None,
            made=made_when(),
        )
    write_rendering(rendering, output)


def _of_this_machine(name: str, server: "Server") -> "Design":
    """The design that a pod of the server follows, as it is installed here."""
    from fabric_twin.core.designs import find_design
    from fabric_twin.core.topology.design import network_design_named

    if network_design_named(name):
        raise UnusableInput(
            "it is a network of blocks, and this command renders pods of cubes",
            where=server.address,
            remedy="Run the job Render documents there, or `fabric-twin network render` here",
        )
    try:
        return find_design(name)
    except UnusableInput:  # one that is there and cannot be built is refused otherwise
        raise UnusableInput(
            f"the pod follows the design {name}, which is not on this machine",
            where=server.address,
            remedy="Give --design the server's design file, or install the package of the design",
        ) from None
