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
        *_of_switches(outcome),
        ("makespan", time(outcome.end - outcome.begin)),
    ]


def _of_switches(outcome: Outcome) -> list[tuple[str, str]]:
    """What failures of switches cost, where they were asked for."""
    if not (switches := outcome.switches):
        return []
    cost, drawn = outcome.switch_time(), switches.failures
    times = f"{switches.failed:,} failure{'s' * (switches.failed != 1)}"
    many = f"{switches.bear} switch{'es' * (switches.bear != 1)}"
    borne = f"a join may lack {many}" if switches.bear else "slices bear none"
    return [
        (
            "switches",
            (
                f"{times} of {switches.count} switches, each in for {_percent(drawn.availability)} "
                f"of the time and out for {time(drawn.repair_s)} on average (seed {drawn.seed}); "
                f"{borne}"
            ),
        ),
        (
            "switches out",
            (
                f"none for {cost.share(cost.none_out):.2%} of the time, "
                f"one at most for {cost.share(cost.one_out_at_most):.2%}"
            ),
        ),
        (
            "slices lost",
            (
                f"{_hours(cost.lost)} slice hours: {_hours(cost.stopped)} stopped and "
                f"{_hours(cost.kept_waiting)} kept waiting by switches; {_hours(cost.run)} run"
            ),
        ),
        (
            "less capacity",
            (
                f"{_hours(cost.less)} slice hours with links missing; mean capacity "
                f"{cost.mean_capacity:.4f} while slices ran"
            ),
        ),
    ]


def _percent(share: float) -> str:
    """A share with all of its figures.

    >>> _percent(0.9998), _percent(1.0)
    ('99.98%', '100%')
    """
    return f"{share * 100:.8g}%"


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:,.1f}"


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
    stopped     in slices that stand still while switches are out
    draining    idle, while cubes are drained for a large slice
    gaps        idle in cubes that small slices share
    busy
    +--------------------> time
    """
    span = max(outcome.end - outcome.begin, 1e-9)
    step = span / COLUMNS
    layers = ["busy", "gaps", "draining", *(["stopped"] if outcome.switches else [])]
    area = {kind: [0.0] * COLUMNS for kind in (*layers, "waiting")}
    for sample, end in outcome.spans():
        idle = sample.idle_chips - sample.gap_chips - sample.held_chips
        heights: dict[str, float] = {
            "busy": sample.busy_chips,
            "gaps": sample.gap_chips,
            "draining": idle if sample.drained_for else 0,
            "waiting": sample.waiting,
        }
        if outcome.switches:
            heights["stopped"] = sample.stopped_chips
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
        for kind in layers:
            height = area[kind][column] / chips * HIGH
            top -= height
            bar |= {kind: round(height, 2), f"{kind}_y": round(top, 2)}
        bars.append(bar)
    return {
        "layers": layers,
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
