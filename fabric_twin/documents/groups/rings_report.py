"""Rings, changes of them, and what is wrong with entries: as text and as CSV."""

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from fabric_twin.core.counted import counted
from fabric_twin.core.csv_cells import escape
from fabric_twin.core.rings.audit import RingReport
from fabric_twin.core.rings.change import Change, by_switch
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.place import words
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import along
from fabric_twin.documents.audits.audit_report import COLOURS

#: Switches, entries of one, and steps shown to a person; programs get all.
SWITCHES_IN_TEXT, ENTRIES_IN_TEXT, STEPS_IN_TEXT = 12, 8, 6

Style = Callable[..., str]


def write_change(change: Change, out: TextIO) -> None:
    """What happens to jobs, and what to tell switches."""
    state = change.after
    out.write(f"Cluster {state.names.pod} ({state.wiring.design.name}).\n")
    out.writelines(f"{told}.\n" for told in change.told or ("No job is hit",))
    _write_bound(change, out)
    for sign, title, rows in (
        ("-", "remove", change.remove),
        (" ", "went with what is lost", change.gone),
        ("+", "add", change.add),
    ):
        if rows:
            out.write(f"\n{title}: {counted(len(rows), 'entry')}\n")
            write_entries(state, rows, sign, out)


def _write_bound(change: Change, out: TextIO) -> None:
    remove, add = len(change.remove), len(change.add)
    out.write(
        f"Entries: remove {remove:,}, add {add:,}; no plan changes fewer than "
        f"{change.lower_bound:,}.\n"
    )


def write_entries(state: State, rows: Iterable[Entry], sign: str, out: TextIO) -> None:
    """Entries by switch, a line each."""
    switches = by_switch(rows)
    for switch, entries in [*switches.items()][:SWITCHES_IN_TEXT]:
        told = [f"{into}->{port}" for _, into, port in entries]
        more = len(told) - ENTRIES_IN_TEXT
        rest = f" and {more:,} more" if more > 0 else ""
        name = state.names.device(switch)
        out.write(f"  {sign} {name}  {', '.join(told[:ENTRIES_IN_TEXT])}{rest}\n")
    if (more := len(switches) - SWITCHES_IN_TEXT) > 0:
        out.write(f"    and on {counted(more, 'switch')} more: --csv has them all\n")


def write_state(state: State, jobs: Sequence[Job], out: TextIO) -> None:
    """Jobs, and what of the cluster is free or lost."""
    cluster = state.wiring.cluster
    out.write(f"Cluster {state.names.pod} ({state.wiring.design.name}): ")
    out.write(f"{counted(len(state.jobs), 'job')}, {len(state.free):,} of ")
    out.write(f"{counted(cluster.groups, 'group')} free.\n")
    rate = f"{1 - state.kept_back:.4g}"
    out.write(f"A ring has {rate} of each of its links, one way.\n")
    if state.lost:
        out.write(f"Lost: {', '.join(map(state.names.device, sorted(state.lost)))}.\n")
    for job in jobs:
        out.write(f"\n{job.name}: {what(state, job)}\n")
        out.write(f"  on {words(state, job.groups)}\n")
        for axis in job.axes:
            rings = [ring for ring in job.rings if ring.axis == axis.name]
            entries = sum(len(ring.entries) for ring in rings)
            out.write(f"  {axis.name}: {counted(len(rings), 'ring')}, ")
            out.write(f"{counted(entries, 'entry')}\n")
        if state.stands_still(job):
            out.write("  stands still\n")
        elif job.share < 1:
            out.write(f"  {job.share:.4g} of what it asked for, where least is left\n")


def what(state: State, job: Job) -> str:
    """A job in a few words: `sequence of 150 processors: 38 groups, 152 in a ring, 2 forward`."""
    if job.form is Form.SMALL:
        return f"small, {counted(job.processors, 'processor')}"
    if job.form is Form.RECTANGLE:
        return f"{len(job.groups) // job.columns}x{job.columns} groups"
    in_ring = len(job.groups) * along(state, job.axes[0].planes[0].axis)
    more = in_ring - job.processors
    forward = f", {more} of which only forward{'s' * (more == 1)}" if more else ""
    return (
        f"sequence of {counted(job.processors, 'processor')}: {counted(len(job.groups), 'group')}, "
        f"{in_ring:,} in a ring{forward}"
    )


def write_change_csv(change: Change, out: TextIO) -> None:
    """A row for each entry that goes or comes, in the order in which to do it."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["do", "switch", "in", "out"])
    for do, rows in (("gone", change.gone), ("remove", change.remove), ("add", change.add)):
        for switch, into, port in rows:
            writer.writerow([do, change.after.names.device(switch), into, port])


def write_entries_csv(state: State, jobs: Iterable[Job], out: TextIO) -> None:
    """A row for each entry, and whose it is."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["switch", "in", "out", "job", "axis", "plane", "way"])
    rows = sorted(
        (entry, job.name, ring) for job in jobs for ring in job.rings for entry in ring.entries
    )
    for (switch, into, port), name, ring in rows:
        writer.writerow(
            [
                state.names.device(switch),
                into,
                port,
                escape(name),
                escape(ring.axis),
                ring.plane,
                ring.way,
            ]
        )


def write_audit(found: RingReport, out: TextIO, style: Style) -> None:
    """For a terminal: what to do first is at the top."""
    entries = f"{counted(found.entries, 'entry')} there, {found.expected:,} expected"
    out.write(f"{style(f'Cluster {found.cluster}', bold=True)} ({found.design}): {entries}.\n")
    if found.unread:
        many = counted(len(found.unread), "switch")
        out.write(f"Not read: {many}. Nothing is said of rings there.\n")
    if not found.findings and found.unread:
        if not (found.entries or found.expected):
            return
        out.write("The switches that were read have what rings need there, and no more.\n")
        return
    if not found.findings:
        out.write(style("Clean: every ring closes, and no two share a link.", fg="green") + "\n")
        return
    counts = ", ".join(f"{many:,} {code}" for code, many in found.summary.items())
    out.write(f"{counted(len(found.findings), 'finding')}: {counts}.\n")
    for number, finding in enumerate(found.findings, 1):
        code = style(finding.code, fg=COLOURS[finding.severity], bold=True)
        out.write(f"\n{number}. {code}  {finding.severity}  {finding.id}\n   {finding.cause}.\n")
        out.writelines(
            f"   {step:>3}  {text}\n" for step, text in enumerate(finding.remedy[:STEPS_IN_TEXT], 1)
        )
        if (more := len(finding.remedy) - STEPS_IN_TEXT) > 0:
            out.write(f"        and {more:,} more: --json has them all\n")
