"""`fabric-twin audit`."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.files import read_file, refuse_overwriting, writing
from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import (
    ReportForm,
    pod_options,
    report_options,
    substitutions_option,
    which_design,
)
from fabric_twin.cli.reports import report
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory import cutsheet
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.sheet_mistakes import MistakesInSheet, with_remarks
from fabric_twin.inventory.substitutions import read_substitutions
from fabric_twin.services.audits.audit import audit_sheet

if TYPE_CHECKING:
    from fabric_twin.switches.fabric import Fabric


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin audit iw1.csv --design ironwood --pod iw1\n"
    "  fabric-twin audit iw1.csv --design ironwood --pod iw1 --html -o report.html\n"
    "  fabric-twin cutsheet --design tpu-v4 --pod v4 | fabric-twin audit - --design tpu-v4 --pod v4"
)
@click.argument("cables", metavar="CABLES.csv")
@pod_options
@substitutions_option
@click.option(
    "--target", metavar="HOST:PORT", help="Also ask the fabric, where switches and cubes answer."
)
@click.option("--insecure", is_flag=True, help="Without TLS; only on this machine.")
@click.option(
    "--circuits", "wanted", metavar="FILE", help="The circuits that should be there; with --target."
)
@click.option(
    "--remarks",
    metavar="FILE",
    help="If the sheet cannot be read: write it here, with a column that says what is wrong.",
)
@report_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    cables: str,
    design: str,
    pod: str,
    slots: str | None,
    substitutes: str | None,
    target: str | None,
    insecure: bool,
    wanted: str | None,
    remarks: str | None,
    output: str,
    **how: Any,
) -> None:
    """Say what is wrong with a cut sheet, by physical cause; - reads standard input.

    With --target the sheet is also compared with what the fabric shows.

    Exits 0 when the sheet is clean, 1 when there are findings, 2 when it cannot be read, 3 when
    nothing at the target answers.
    """
    form = ReportForm(**how)
    if [cables, substitutes, wanted].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    if wanted and not target:
        raise click.UsageError("--circuits is for --target: a sheet holds no circuits.")
    refuse_overwriting(output, cables, substitutes, wanted)
    refuse_overwriting(remarks or "-", cables, substitutes, wanted)
    kind = which_design(design, Verb.DIAGNOSE if target else Verb.AUDIT)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    spares = read_substitutions(*read_file(substitutes)) if substitutes else []
    sheet, source = read_file(cables, cutsheet.LARGEST)
    with _sent_back(sheet, remarks):
        if target:
            from fabric_twin.services.audits.diagnose import diagnose_sheet

            circuits = read_circuits(*read_file(wanted)) if wanted else None
            names = Names(kind.layout, pod)
            cubes = map(names.cube, chosen or range(1, kind.slots + 1))
            asked = fabric_at(target, names.switches, cubes, insecure=insecure)
            with asked as fabric, progress() as advance:
                found = diagnose_sheet(
                    *(kind, pod, sheet, source, fabric, time.time),
                    slots=chosen,
                    substitutions=spares,
                    circuits=circuits,
                    progress=advance,
                )
        else:
            with progress() as advance:
                found = audit_sheet(
                    kind, pod, sheet, source, slots=chosen, substitutions=spares, progress=advance
                )
    report(ctx, found, output, form)


@contextmanager
def _sent_back(sheet: bytes, remarks: str | None) -> Iterator[None]:
    """Write a sheet that is refused with remarks, where somebody asked for that."""
    try:
        yield
    except MistakesInSheet as refusal:
        if remarks:
            with writing(remarks) as out:
                out.write(with_remarks(sheet, refusal.mistakes))
        raise


def fabric_at(
    target: str, switches: Iterable[str], cubes: Iterable[str], *, insecure: bool
) -> "Fabric":
    """Switches, and cubes or blocks, behind one address."""
    # Speaking to switches takes a third of a second to import.
    from fabric_twin.switches.driver import Access
    from fabric_twin.switches.fabric import open_fabric, shared_targets

    return open_fabric(
        shared_targets(target, switches),
        shared_targets(target, cubes),
        Access.from_environment(insecure=insecure),
    )
