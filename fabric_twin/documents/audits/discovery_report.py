"""What a discovery found, in words."""

from collections.abc import Iterator
from typing import TextIO

from fabric_twin.core.discovery.cables import Port
from fabric_twin.core.discovery.report import Report

#: What is said of cables, by how they are known, in this order.
WORDS = {
    "light": "shown by light",
    "neighbours": "between ports that hear each other",
    "fits": "as the rule wants them, as far as light can tell",
    "in-use": "in use, and as the rule wants them",
    "in-use-elsewhere": "in use, and not as the rule wants them: where they are was not looked at",
    "unheard": "at a port that hears nobody",
    "dark": "dark: no light through any circuit",
    "silent": "of empty cages, or of devices that did not answer",
    "untold": "lit, but light does not tell where they are",
    "odd": "seen where they cannot be",
    "twice": "seen under a name that another cable has too",
    "foreign": "of other pods, or of no name that this pod has",
}
#: The most lines of one kind.
MOST = 10


def write_text(report: Report, out: TextIO) -> None:
    """Write the report for a person."""
    rounds = f" in {report.rounds} round{'s' * (report.rounds != 1)}" if report.rounds else ""
    total = len(report.cables)
    out.write(
        f"{report.noun} {report.pod} ({report.design}): {total:,} cables looked at{rounds}.\n"
    )
    summary = report.summary
    for seen in sorted(summary, key=lambda seen: (list(WORDS).index(seen.split(",")[0]), seen)):
        words = ", the other ".join(WORDS[word] for word in seen.split(", "))
        out.write(f"{summary[seen]:>8,}  {words}\n")
    out.writelines(f"{line}\n" for line in _remarks(report))


def _remarks(report: Report) -> Iterator[str]:
    if report.in_use:
        yield f"{report.in_use:,} circuits are in use and were not touched."
    for one, other in report.exchanged:
        yield (
            f"{one} and {other} seem to answer to each other's address: "
            "each has the other's cables."
        )
    yield from _some(
        [f"not made, {times:,} times: {reason}." for reason, times in report.not_made.items()]
    )
    yield from _some(
        [
            f"{_place(port)} hears {_place(heard)}, which hears {_place(other)}."
            for port, heard, other in report.contradictions
        ]
    )
    yield from _some([f"{name} did not answer: {why}" for name, why in report.unanswered.items()])


def _place(port: Port) -> str:
    device, name = port
    return f"port {name} of {device}" if device else "nobody"


def _some(lines: list[str]) -> Iterator[str]:
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"and {len(lines) - MOST:,} more like the last."
