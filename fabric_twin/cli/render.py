"""`fabric-twin render`."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_twin.cli.files import read_file, writing_into
from fabric_twin.cli.messages import progress, warn
from fabric_twin.cli.options import pod_options, substitutions_option, which_design
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.kinds import Kind, Verb
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory.substitutions import read_substitutions

if TYPE_CHECKING:
    from fabric_twin.services.pods.render import Rendering

DOCUMENTS = (
    "port-map",
    "face-map",
    "labels",
    "cut-list",
    "bill-of-materials",
    "group-map",
    "switch-map",
    "light-path",
    "slice-sheet",
    "change-record",
)


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin render port-map --design ironwood --pod iw1 --all --format html -o maps\n"
    "  fabric-twin render face-map --design ironwood --pod iw1 --cube 7 --format pdf -o maps\n"
    "  fabric-twin render labels --design ironwood --pod iw1 --cube 7 --format pdf -o labels\n"
    "  fabric-twin render light-path --design ironwood --pod iw1 --port c007:4.3.2/X+ "
    "--format txt -o -"
)
@click.argument("document", type=click.Choice(DOCUMENTS), metavar="DOCUMENT")
@pod_options
@click.option("--cables", metavar="FILE", help="A cut sheet; the rule's cables by default.")
@click.option("--circuits", metavar="FILE", help="Circuits and their owners, as JSON.")
@click.option("--in-use", metavar="FILE", help="What is unhealthy, as JSON (as for slice).")
@substitutions_option
@click.option(
    "--slice", "slice_", metavar="FILE", help="A slice, as JSON, for slice-sheet and light-path."
)
@click.option("--plan", metavar="FILE", help="A plan, as JSON, for change-record.")
@click.option("--switch", metavar="NAME", help="One switch, like x-3-2.")
@click.option("--cube", type=click.IntRange(1), metavar="N", help="The cube in slot N.")
@click.option("--group", metavar="NAME", help="One group of a cluster, like r02c03.")
@click.option("--port", metavar="NAME", help="A cube port, like c007:4.3.2/X+, for light-path.")
@click.option(
    "--all", "every", is_flag=True, help="Every switch, cube or group, in a file of its own."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["txt", "csv", "html", "svg", "pdf"]),
    required=True,
    help="What to write; not every document comes in every format.",
)
@click.option(
    "--templates", metavar="DIR", help="Your own templates, used instead of ours of the same name."
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
    design: str,
    pod: str,
    slots: str | None,
    cables: str | None,
    circuits: str | None,
    in_use: str | None,
    substitutes: str | None,
    slice_: str | None,
    plan: str | None,
    switch: str | None,
    cube: int | None,
    group: str | None,
    port: str | None,
    every: bool,
    form: str,
    templates: str | None,
    output: str,
) -> None:
    """Write documents that people read and print: maps, lists, labels and sheets.

    \b
    DOCUMENT is one of
      port-map           a switch: what is on each port, whose it is, what is wrong
      face-map           a cube: where the cable of every place on its faces goes
      labels             both ends of every cable: csv for a printer, pdf with QR codes
      cut-list           for the cabling crew, by rack, tray and port
      bill-of-materials  what is bought
      light-path         one link, end to end
      group-map          a group of a cluster: where the cable of each of its ports goes
      switch-map         a switch of a cluster: what is on each port
      slice-sheet        a slice, of --slice FILE
      change-record      a plan, of --plan FILE
    """
    from fabric_twin.services.pods.render import Files, render_documents
    from fabric_twin.services.pods.which import Which

    given = (cables, circuits, in_use, slice_, plan)
    if [*given, substitutes].count("-") > 1:
        raise click.UsageError("Only one file can be standard input.")
    if sum(map(bool, (every, switch, cube, group, port))) > 1:
        raise click.UsageError("Choose one of --all, --switch, --cube, --group and --port.")
    if templates and not Path(templates).is_dir():
        raise click.UsageError(f"There is no folder {templates}; name one for --templates.")
    kind = which_design(design, Verb.RENDER)
    which = Which(cube, switch, port, every, group=group)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    if kind.kind is Kind.GROUPS:
        from fabric_twin.services.pods.render_cluster import refuse_files, render_cluster

        options = ("--cables", "--circuits", "--in-use", "--slice", "--plan")
        more = {"--substitutions": substitutes, "--templates": templates}
        refuse_files(dict(zip(options, given, strict=True)) | more)
        intended = intended_plant(kind, pod, chosen)
        write_rendering(render_cluster(intended, document, form, which, made_when()), output)
        return
    rendering = render_documents(
        document,
        form,
        kind,
        pod,
        which,
        Files(*(read_file(name) if name else None for name in given)),
        slots=chosen,
        substitutions=read_substitutions(*read_file(substitutes)) if substitutes else (),
        templates=Path(templates).resolve() if templates else None,
        made=made_when(),
    )
    write_rendering(rendering, output)


def write_rendering(rendering: "Rendering", output: str) -> None:
    """Write the documents, and say what they do not show."""
    warn(rendering.warnings)
    if output == "-" and rendering.count > 1:
        raise click.UsageError(f"These are {rendering.count} files; name a folder for --output.")
    with progress(rendering.count) as advance, writing_into(output) as write:
        for done, (name, content) in enumerate(rendering.files, 1):
            write(name, content)
            advance("documents rendered", done)


def made_when() -> datetime:
    """When a PDF says it was made: now, or as SOURCE_DATE_EPOCH has it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if len(epoch) <= 10 and epoch.isdecimal():
        return datetime.fromtimestamp(int(epoch), UTC)
    return datetime.now(UTC).replace(microsecond=0)
