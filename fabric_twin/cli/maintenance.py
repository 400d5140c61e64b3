"""`fabric-twin maintenance`."""

from typing import Any

import click

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.messages import styling, warn
from fabric_twin.cli.options import json_option, pod_options, substitutions_option, which_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.targets import out_of
from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.tickets.proposal_report import write_text
from fabric_twin.inventory.substitutions import read_substitutions
from fabric_twin.services.pods.read_pod import read_pod


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin maintenance --design ironwood --pod iw1 --in-use now.json --cube 7\n"
    "  fabric-twin maintenance --design ironwood --pod iw1 --in-use now.json --board x-3-2:0\n"
    "  fabric-twin maintenance --design tpu-v4 --pod v4 --in-use now.json --switch z-1-4\n"
    "  fabric-twin maintenance --design tpu-v4 --pod v4 --in-use now.json --switch z-1-4 --bear 1"
)
@pod_options
@click.option(
    "--in-use",
    required=True,
    metavar="FILE",
    help="Slices in use and what is unhealthy, as `slice` reads them.",
)
@click.option(
    "--from",
    "present",
    metavar="CIRCUITS.json",
    help="The circuits that are there now; by default those that the slices need.",
)
@click.option("--switch", "switches", multiple=True, metavar="NAME", help="A switch, like x-3-2.")
@click.option(
    "--board",
    "boards",
    multiple=True,
    metavar="NAME:K",
    help="Driver board K of a switch, counted from 0, like x-3-2:0.",
)
@click.option(
    "--cube",
    "cubes",
    multiple=True,
    type=click.IntRange(1),
    metavar="N",
    help="The cube in slot N.",
)
@click.option(
    "--rack", "racks", multiple=True, metavar="NAME", help="A cube's rack, like iw1-c007."
)
@click.option(
    "--interrupt",
    is_flag=True,
    help="Remove the circuits of slices that cannot move, until it is undone.",
)
@click.option(
    "--bear",
    type=click.IntRange(0, MOST_BORNE),
    default=0,
    metavar="N",
    help="How many switches a join of two cubes may lack in a slice that stays; 0 by default.",
)
@substitutions_option
@json_option
@click.pass_context
def maintenance(
    ctx: click.Context,
    design: str,
    pod: str,
    slots: str | None,
    in_use: str,
    present: str | None,
    switches: tuple[str, ...],
    boards: tuple[str, ...],
    cubes: tuple[int, ...],
    racks: tuple[str, ...],
    interrupt: bool,
    bear: int,
    substitutes: str | None,
    as_json: bool,
) -> None:
    """Say what must move before somebody touches a part of a pod.

    A part is a switch, a driver board, a cube or a rack. Slices that can be placed elsewhere are
    moved so that the fewest circuits change; those that cannot are named, with the reason. With
    --bear, slices that lose only circuits stay and do without them: they are slower until then.
    --switch, --board, --cube and --rack may be given again.

    Exits 0 when all that stands on it can move or bears it, 1 when something cannot.
    """
    if not (switches or boards or cubes or racks):
        raise click.UsageError("Name a --switch, a --board, a --cube or a --rack.")
    if (in_use, present, substitutes).count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    kind = which_design(design, Verb.MAINTENANCE)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    spares = read_substitutions(*read_file(substitutes)) if substitutes else []
    now, warnings = read_pod(
        kind,
        pod,
        read_file(in_use),
        slots=chosen,
        substitutions=spares,
        present=read_file(present) if present else None,
    )
    wish: dict[str, Any] = {
        "switches": switches,
        "boards": [_board(text) for text in boards],
        "slots": [*cubes, *(_slot(rack, now.names) for rack in racks)],
    }
    out_of_service = out_of(now.intended, wish)
    proposal = propose_maintenance(now, out_of_service, interrupt=interrupt, bear=bear)
    warn((*warnings, *proposal.warnings))
    with writing("-") as out:
        if as_json:
            write_json(proposal.as_json(), out)
        else:
            write_text(proposal, out, styling(ctx, out))
    ctx.exit(0 if proposal.possible else 1)


def _board(text: str) -> tuple[str, int]:
    switch, _, number = text.rpartition(":")
    if switch and number.isascii() and number.isdigit():
        return switch, int(number)
    raise UnusableInput(
        f"{text[:60]!r} is not a driver board of a switch",
        where="--board",
        remedy="Write the switch and the board's number, like x-3-2:0",
    )


def _slot(rack: str, names: Names) -> int:
    """The slot of a cube's rack: files do not name the racks of switches."""
    for slot in range(1, names.layout.slots + 1):
        if rack in {names.cube(slot), names.cube(slot).removeprefix(f"{names.pod}-")}:
            return slot
    raise UnusableInput(
        f"{rack[:60]!r} is not the rack of a cube of pod {names.pod}",
        where="--rack",
        remedy=f"Name one like {names.cube(1)}; for a rack of switches name each --switch",
    )
