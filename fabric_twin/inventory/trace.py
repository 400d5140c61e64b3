"""Traces: one wish a row, as CSV, with when it comes and how long it runs."""

import csv
from collections.abc import Sequence

from fabric_twin.core.csv_cells import unescape
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.replay import Job
from fabric_twin.core.slices.shapes import Shape, parse_shape
from fabric_twin.inventory.text import decoded

HEADER = ("job", "arrival_s", "shape", "twisted", "duration_s")
#: About 100,000 jobs.
LARGEST = 4 * 2**20
LONGEST_NAME = 255
#: Thirty years of seconds: more is a slip, such as milliseconds.
LONGEST = 10.0**9
_TWISTED = {"": False, "false": False, "no": False, "0": False, "true": True, "yes": True}
_TWISTED |= {"1": True}


def read_trace(data: bytes, source: str, design: Design) -> list[Job]:
    """Read a trace, or refuse it whole."""
    text = decoded(data, source, LARGEST, "Give a part of the trace at a time")
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    jobs: dict[str, Job] = {}
    shapes: dict[tuple[str, bool], Shape] = {}
    columns: dict[str, int] = {}
    try:
        for row in reader:
            if not any(row):
                continue
            where = f"{source}, line {reader.line_num}"
            if not columns:
                columns = _columns(row, where)
                width = len(row)
                continue
            if len(row) != width:
                raise UnusableInput(
                    f"the row has {len(row)} cells, the header {width}",
                    where=where,
                    remedy="Give every row a cell for every column",
                )
            cells = {name: unescape(row[at].strip()) for name, at in columns.items()}
            job = _job(cells, where, design, shapes)
            if job.name in jobs:
                raise UnusableInput(
                    f"the job {job.name!r} is there already",
                    where=f"{where}, column job",
                    remedy="Give every job a name of its own",
                )
            jobs[job.name] = job
    except csv.Error as error:
        raise UnusableInput(
            f"the row is not CSV ({error})",
            where=f"{source}, line {reader.line_num}",
            remedy='Quote a cell that holds a quote, and write it as ""',
        ) from None
    if not columns:
        raise UnusableInput(
            "the file is empty", where=source, remedy=f"Begin the trace with {','.join(HEADER)}"
        )
    return list(jobs.values())


def _columns(row: Sequence[str], where: str) -> dict[str, int]:
    names = [cell.strip().lower() for cell in row]
    missing = [name for name in HEADER if names.count(name) != 1]
    if missing:
        raise UnusableInput(
            f"the header does not have {', '.join(missing)} once each",
            where=where,
            remedy=f"Begin the trace with {','.join(HEADER)}",
        )
    return {name: names.index(name) for name in HEADER}


def _job(
    cells: dict[str, str], where: str, design: Design, shapes: dict[tuple[str, bool], Shape]
) -> Job:
    if not 0 < len(cells["job"]) <= LONGEST_NAME:
        raise UnusableInput(
            "the job has no name" if not cells["job"] else "the job's name is too long",
            where=f"{where}, column job",
            remedy=f"Give it a name of at most {LONGEST_NAME} characters",
        )
    if cells["twisted"].lower() not in _TWISTED:
        raise UnusableInput(
            f"{cells['twisted'][:40]!r} is neither true nor false",
            where=f"{where}, column twisted",
            remedy="Write true or false",
        )
    wish = cells["shape"], _TWISTED[cells["twisted"].lower()]
    if wish not in shapes:
        at = f"{where}, column shape"
        shapes[wish] = parse_shape(wish[0], design, twisted=wish[1], where=at)
    arrival, duration = (_seconds(cells, name, where) for name in ("arrival_s", "duration_s"))
    if not duration:
        raise UnusableInput(
            "the job runs for no time",
            where=f"{where}, column duration_s",
            remedy="Write how many seconds it runs",
        )
    return Job(cells["job"], arrival, shapes[wish], duration)


def _seconds(cells: dict[str, str], name: str, where: str) -> float:
    try:
        seconds = float(cells[name])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST:
        raise UnusableInput(
            f"{cells[name][:40]!r} is not a number of seconds from 0 to {LONGEST:,.0f}",
            where=f"{where}, column {name}",
            remedy="Write seconds, such as 3600 or 0.5",
        )
    return seconds
