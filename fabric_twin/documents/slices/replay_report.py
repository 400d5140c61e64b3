"""What came of a replay, as text and as a page with a picture over time."""

from statistics import fmean, median
from typing import Any, TextIO

from fabric_twin.core.design import Design
from fabric_twin.core.replay import Outcome
from fabric_twin.documents.environment import environment

#: Refusals shown to a person; programs get all.
SHOWN = 20
#: The picture: columns over time, and its size.
COLUMNS, WIDE, HIGH = 240, 720, 200


def facts(outcome: Outcome) -> list[tuple[str, str]]:
    """The figures in words, the first asked first."""
    waits = outcome.waits() or [0.0]
    arrived = outcome.last_arrival
    drained = {
        shape: share
        for shape in {s.drained_for for s in outcome.samples if s.drained_for}
        if (share := outcome.draining(shape=shape)) >= 0.0005
    }
    costs = ", ".join(
        f"{shape} {share:.1%}"
        for shape, share in sorted(drained.items(), key=lambda cost: (-cost[1], str(cost[0])))
    )
    return [
        (
            "utilisation",
            (
                f"{outcome.utilisation(arrived):.1%} to the last arrival and "
                f"{outcome.utilisation():.1%} to the end (busy over healthy chips)"
            ),
        ),
        (
            "waiting",
            f"{time(fmean(waits))} mean, {time(median(waits))} median, {time(max(waits))} longest",
        ),
        (
            "draining",
            f"{outcome.draining():.1%} of the chips idle while cubes were drained"
            + (f" ({costs})" if costs else ""),
        ),
        (
            "fragmentation",
            f"{outcome.fragmentation():.1%} of the chips idle in cubes that small slices share",
        ),
        *(
            [("held back", f"{held:.1%} of the chips in cubes kept for repairs")]
            if (held := outcome.held_back())
            else []
        ),
        ("makespan", time(outcome.end - outcome.begin)),
    ]


def time(seconds: float) -> str:
    """A time as people say it.

    >>> time(90), time(5400), time(200_000)
    ('1.5 min', '1.5 h', '55.6 h')
    """
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:,.1f} h"


def headline(outcome: Outcome, pod: str, design: Design) -> str:
    """What was replayed, in one sentence."""
    refused = len(outcome.refusals)
    jobs = f"{outcome.jobs:,} job{'s' * (outcome.jobs != 1)}"
    return (
        f"Pod {pod} ({design.name}), {outcome.policy}: {jobs} on "
        f"{outcome.healthy_chips:,} healthy chips, {refused:,} refused."
    )


def write_text(outcome: Outcome, pod: str, design: Design, out: TextIO) -> None:
    """For a terminal."""
    out.write(headline(outcome, pod, design) + "\n")
    out.writelines(f"  {name:13}  {value}\n" for name, value in facts(outcome))
    for refusal in outcome.refusals[:SHOWN]:
        shape, lacked = refusal.job.shape, refusal.lacked
        out.write(f"  refused {refusal.job.name} ({shape}): {lacked}\n")
    if (more := len(outcome.refusals) - SHOWN) > 0:
        out.write(f"  and {more:,} more refused: --json has them all\n")


def html(outcome: Outcome, pod: str, design: Design) -> str:
    """A page that needs nothing else: no script, no font, no file from elsewhere."""
    return (
        environment()
        .get_template("replay/report.html")
        .render(
            headline=headline(outcome, pod, design),
            pod=pod,
            facts=facts(outcome),
            refusals=outcome.refusals[:SHOWN],
            more=max(0, len(outcome.refusals) - SHOWN),
            picture=picture(outcome),
        )
    )


def picture(outcome: Outcome) -> dict[str, Any]:
    """The pod over time, as heights of columns from the ground up.

    idle
    draining    idle, while cubes are drained for a large slice
    gaps        idle in cubes that small slices share
    busy
    +--------------------> time
    """
    span = max(outcome.end - outcome.begin, 1e-9)
    step = span / COLUMNS
    area = {kind: [0.0] * COLUMNS for kind in ("busy", "gaps", "draining", "waiting")}
    for sample, end in outcome.spans():
        idle = sample.idle_chips - sample.gap_chips - sample.held_chips
        heights: dict[str, float] = {
            "busy": sample.busy_chips,
            "gaps": sample.gap_chips,
            "draining": idle if sample.drained_for else 0,
            "waiting": sample.waiting,
        }
        first, last = ((moment - outcome.begin) / step for moment in (sample.time, end))
        for column in range(int(first), min(int(last), COLUMNS - 1) + 1):
            within = min(last, column + 1) - max(first, column)
            for kind, height in heights.items():
                area[kind][column] += height * within
    chips = max(outcome.healthy_chips, 1)
    most = max(*area["waiting"], 1.0)
    bars = []
    for column in range(COLUMNS):
        top = float(HIGH)
        bar: dict[str, float] = {"x": round(column * WIDE / COLUMNS, 2)}
        for kind in ("busy", "gaps", "draining"):
            height = area[kind][column] / chips * HIGH
            top -= height
            bar |= {kind: round(height, 2), f"{kind}_y": round(top, 2)}
        bars.append(bar)
    return {
        "wide": WIDE,
        "high": HIGH,
        "bar": WIDE / COLUMNS,
        "bars": bars,
        "queue": [
            (round((n + 0.5) * WIDE / COLUMNS, 2), round(60 - queued / most * 60, 2))
            for n, queued in enumerate(area["waiting"])
        ],
        "most": round(most),
        "span": time(span),
    }
