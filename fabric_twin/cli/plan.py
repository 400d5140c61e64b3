"""`fabric-twin plan`."""

import click

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.messages import styling, tell, warn
from fabric_twin.cli.options import json_option, pod_options, substitutions_option, which_design
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.change import PlannedChange, plan_change
from fabric_twin.core.counted import counted
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import check_pod_name
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.slices.plan_report import write_text
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.json_files import printable
from fabric_twin.inventory.slices import read_without
from fabric_twin.inventory.substitutions import read_substitutions
from fabric_twin.inventory.unhealthy import read_unhealthy


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin plan --design ironwood --pod iw1 --from now.json --to wanted.json\n"
    "  fabric-twin plan --design ironwood --pod iw1 --from now.json --to job-a.json --owner job-a\n"
    "  fabric-twin slice --design ironwood --pod iw1 --shape 8x8x16 --json |\n"
    "    fabric-twin plan --design ironwood --pod iw1 --from now.json --to - --owner job-a --json"
)
@pod_options
@click.option(
    "--from", "present", required=True, metavar="FILE", help="The circuits that are there now."
)
@click.option(
    "--to", "wanted", required=True, metavar="FILE", help="The circuits that should be there."
)
@click.option("--owner", metavar="NAME", help="Change only this owner's circuits; all by default.")
@substitutions_option
@click.option("--in-use", metavar="FILE", help="What is unhealthy, as `slice` reads it.")
@json_option
@click.pass_context
def plan(
    ctx: click.Context,
    design: str,
    pod: str,
    slots: str | None,
    present: str,
    wanted: str,
    owner: str | None,
    substitutes: str | None,
    in_use: str | None,
    as_json: bool,
) -> None:
    """Plan a change of circuits, in stages that can each be undone.

    With --owner, only that owner's circuits may change; those absent from --to go, and a circuit
    of --to without an owner is that owner's. Without --owner, both files are whole states.

    Exits 0 with a plan, 1 when the wish breaks a rule of the pod, 2 when a file cannot be read.
    """
    if [present, wanted, substitutes, in_use].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    if owner == "":
        raise click.UsageError("--owner needs a name; leave it out to plan whole states.")
    if owner is not None:
        printable(owner, "the name", "--owner")
    kind = which_design(design, Verb.PLAN)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    there, request = read_file(present), read_file(wanted)
    now, wish = read_circuits(*there), read_circuits(*request)
    spares = read_substitutions(*read_file(substitutes)) if substitutes else []
    intended = intended_plant(kind, check_pod_name(pod), chosen, spares)
    unhealthy = read_unhealthy(*read_file(in_use), intended.names) if in_use else None
    change = plan_change(
        kind,
        pod,
        now,
        wish,
        owner=owner,
        slots=chosen,
        substitutions=spares,
        unhealthy=unhealthy,
        without=read_without(*request, intended),
    )
    _say_what_was_left_out(change)
    with writing("-") as out:
        if as_json:
            write_json(change.plan.as_json(), out)
        else:
            write_text(change.pod, change.design, change.plan, out, styling(ctx, out))


def _say_what_was_left_out(change: PlannedChange) -> None:
    for count, which in (
        (change.others, "on switches of other pods"),
        (change.not_ours, "of other owners in the request"),
    ):
        if count:
            tell(f"{counted(count, 'circuit')} {which} {'was' if count == 1 else 'were'} ignored.")
    warn(change.warnings)
