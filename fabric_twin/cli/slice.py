"""`fabric-twin slice`."""

import json

import click

from fabric_twin.cli.files import read_file, writing
from fabric_twin.cli.messages import tell, warn
from fabric_twin.cli.options import (
    anywhere_option,
    bear_option,
    hold_back_option,
    json_option,
    pod_options,
    substitutions_option,
    which_design,
)
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.slices import bearing_report, slice_report
from fabric_twin.inventory.substitutions import read_substitutions
from fabric_twin.services.slices.allocate import allocate_slice, plan_defragmentation


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin slice --design ironwood --pod iw1 --shape 8x8x16\n"
    "  fabric-twin slice --design tpu-v4 --pod v4 --shape 4x4x8 --twisted --slots 3,9 --json\n"
    "  fabric-twin slice --design tpu-v4 --pod v4 --shape 2x2x4 --in-use now.json\n"
    "  fabric-twin slice --design tpu-v4 --pod v4 --shape 16x16x16 --in-use now.json --bear 1\n"
    "  fabric-twin slice --design tpu-v4 --pod v4 --in-use now.json --defragment"
)
@pod_options
@click.option("--shape", metavar="8x8x16", help="The sides of the slice, in chips.")
@click.option("--twisted", is_flag=True, help="A twisted torus: n x n x 2n or n x 2n x 2n.")
@click.option("--name", metavar="NAME", help="The slice's name; made from the shape by default.")
@click.option(
    "--in-use",
    metavar="FILE",
    help="Slices in use and what is unhealthy, as JSON.",
)
@click.option(
    "--from",
    "present",
    metavar="CIRCUITS.json",
    help="Circuits that are there: choose the cubes that change the fewest of them.",
)
@hold_back_option
@bear_option
@anywhere_option
@substitutions_option
@click.option(
    "--defragment", is_flag=True, help="Say which slices to move so that cubes become free."
)
@json_option
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def slice(  # noqa: A001
    design: str,
    pod: str,
    slots: str | None,
    shape: str | None,
    twisted: bool,
    name: str | None,
    in_use: str | None,
    present: str | None,
    hold_back: int,
    bear: int,
    anywhere: bool,
    substitutes: str | None,
    defragment: bool,
    as_json: bool,
    output: str,
) -> None:
    """Find cubes for a slice, and the circuits that join them.

    --slots names the cubes that may be used. In a static plant a slice is a box of the grid, and
    wraps along an axis where its side is the pod's. With --bear, a slice may do without circuits of
    switches that are out, and says how their traffic goes instead. Exits 1 when the slice cannot
    be, and says what would fit.
    """
    if (shape is None) != defragment:
        raise click.UsageError("Give one of --shape and --defragment.")
    of_a_shape = {
        "--twisted": twisted,
        "--name": name,
        "--from": present,
        "--hold-back": hold_back,
        "--bear": bear,
        "--anywhere": anywhere,
    }
    if defragment and (odd := [option for option, given in of_a_shape.items() if given]):
        raise click.UsageError(f"{odd[0]} goes with --shape, not with --defragment.")
    if (in_use, present, substitutes).count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    kind = which_design(design, Verb.SLICE)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    standing = read_file(in_use) if in_use else None
    spares = read_substitutions(*read_file(substitutes)) if substitutes else []
    if shape is None:
        plan, warnings = plan_defragmentation(
            kind, pod, slots=chosen, substitutions=spares, in_use=standing
        )
        warn(warnings)
        with writing(output) as out:
            if as_json:
                out.write(json.dumps(slice_report.moves_json(plan), indent=2) + "\n")
            else:
                slice_report.write_moves(plan, out)
        return
    wish = parse_shape(shape, kind, twisted=twisted)
    found = allocate_slice(
        kind,
        pod,
        wish,
        name=name,
        slots=chosen,
        substitutions=spares,
        in_use=standing,
        held_back=hold_back,
        present=read_file(present) if present else None,
        bear=bear,
        anywhere=anywhere,
    )
    if found.placement:
        changed, bound = found.placement.changed, found.placement.lower_bound
        tell(f"{changed} joins of cubes change; no choice changes fewer than {bound}.")
    warn(found.warnings)
    with writing(output) as out:
        if as_json:
            out.write(json.dumps(found.as_json(), indent=2) + "\n")
        else:
            slice_report.write_text(found.made, found.circuits, kind, found.names, out)
            if found.bearing:
                bearing_report.write_text(found.bearing, out)
