"""`fabric-twin replay`."""

import click

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.options import (
    Number,
    bear_option,
    hold_back_option,
    json_option,
    pod_options,
    which_design,
)
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import check_pod_name
from fabric_twin.core.replay import Failures
from fabric_twin.core.replay.failures import (
    LEAST_AVAILABILITY,
    LONGEST_REPAIR_S,
    REPAIR_S,
    SHORTEST_REPAIR_S,
)
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.slices import replay_report
from fabric_twin.inventory import trace as trace_file
from fabric_twin.services.slices.replay import replay_trace

_NEEDS = "--bear, --switch-repair and --seed need --switch-availability."


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin replay trace.csv --design tpu-v4 --pod v4\n"
    "  fabric-twin replay trace.csv --design tpu-v4 --pod v4 --policy fifo --json\n"
    "  fabric-twin replay trace.csv --design tpu-v4 --pod v4 --patience 12 --html -o replay.html\n"
    "  fabric-twin replay trace.csv --design tpu-v4 --pod v4 --switch-availability 0.999 --bear 1"
)
@click.argument("trace", metavar="TRACE.csv")
@pod_options
@click.option(
    "--policy",
    "policy_name",
    type=click.Choice(["fifo", "backfill"]),
    default="backfill",
    help="Strictly in order, or with smaller jobs filled in ahead; backfill by default.",
)
@click.option(
    "--patience",
    type=Number(0, 1_000_000, "number of hours"),
    default=24.0,
    metavar="HOURS",
    help="Backfill: how long a job waits before cubes are drained for it; 24 by default.",
)
@hold_back_option
@click.option(
    "--switch-availability",
    "availability",
    type=Number(LEAST_AVAILABILITY, 1, "number"),
    metavar="SHARE",
    help="Let switches fail: the share of the time that each is in, like 0.9998.",
)
@click.option(
    "--switch-repair",
    "repair",
    type=Number(SHORTEST_REPAIR_S / 3600, LONGEST_REPAIR_S / 3600, "number of hours"),
    metavar="HOURS",
    help=f"How long a switch is out, on average; {REPAIR_S / 3600:g} by default.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32),
    metavar="N",
    help="What the failures are drawn with; 1 by default.",
)
@bear_option
@json_option
@click.option("--html", "as_html", is_flag=True, help="Write a page with a picture over time.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def replay(
    trace: str,
    design: str,
    pod: str,
    slots: str | None,
    policy_name: str,
    patience: float,
    hold_back: int,
    availability: float | None,
    repair: float | None,
    seed: int | None,
    bear: int,
    as_json: bool,
    as_html: bool,
    output: str,
) -> None:
    """Run a trace of slice requests over a pod in simulated time; - reads standard input.

    The trace is a CSV with the columns job, arrival_s, shape, twisted, duration_s. Requests that
    can never be granted are refused, with what they lack.
    """
    if as_json + as_html > 1:
        raise click.UsageError("Choose one of --json and --html.")
    failures = None
    if availability is not None:
        hours = REPAIR_S / 3600 if repair is None else repair
        failures = Failures(availability, hours * 3600, 1 if seed is None else seed)
    elif bear or repair is not None or seed is not None:
        raise click.UsageError(_NEEDS)
    kind = which_design(design, Verb.REPLAY)
    check_pod_name(pod)
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    outcome = replay_trace(
        kind,
        *read_file(trace, trace_file.LARGEST),
        policy_name=policy_name,
        patience=patience * 3600,
        slots=chosen,
        held_back=hold_back,
        failures=failures,
        bear=bear,
    )
    with writing(output) as out:
        if as_json:
            write_json(outcome.as_json(), out)
        elif as_html:
            out.write(replay_report.html(outcome, pod, kind))
        else:
            replay_report.write_text(outcome, pod, kind, out)
