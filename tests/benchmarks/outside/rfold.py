"""RFold beside `fabric-twin replay`: the same jobs on 64 cubes, how full, how long they wait.

    python tests/benchmarks/outside/rfold.py --rfold FOLDER --python ITS_PYTHON

FOLDER is a clone of https://github.com/shuoshuc/RFold, ITS_PYTHON the interpreter of a venv with
what its README asks for; docs/performance.md has the commands. Without RFold only ours runs.
`--jobs N` takes the first N jobs; `--keep FOLDER` keeps both traces and what RFold writes.

The jobs are those of `mix.drawn`: seed 1, a backlog of 200, durations about 2 hours. RFold refuses
twisted shapes, so these are asked for untwisted; jobs with a side longer than the 16 chips of its
pod are left out. When each job started and how many chips it had is taken from both; utilisation
and waits are computed from that. Processor seconds are of the whole process, start to exit: with
PYTHONDONTWRITEBYTECODE unset, and from the second run on, Python's modules are compiled.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from mix import CHIPS, drawn

from fabric_twin.core.designs.tpu_v4 import DESIGN
from fabric_twin.core.replay import Job, policy, replay
from fabric_twin.core.slices.occupancy import Occupancy

PROGRAM = Path(sys.executable).with_name("fabric-twin")
SIDE = 16
PATIENCE = 86_400.0
#: Runs RFold in its folder. It waits for one more job after the last has ended and then fails
#: before it writes what it has measured: here that end counts as the end of its simulation.
WRAPPER = """
import runpy, simpy
run = simpy.Environment.run
def run_to_the_end(self, until=None):
    try:
        return run(self, until)
    except RuntimeError as error:
        if "No scheduled events left" not in str(error):
            raise
simpy.Environment.run = run_to_the_end
runpy.run_path("launch.py", run_name="__main__")
"""


class Ran(NamedTuple):
    """A job that ran; times in seconds."""

    arrival: float
    start: float
    end: float
    chips: int


def trace() -> list[Job]:
    """The jobs that both can run."""
    jobs = drawn(1, 1000, backlog=200, load=1.0, mean_s=7200)
    return [
        Job(job.name, job.arrival, job.shape._replace(twisted=False), job.duration)
        for job in jobs
        if max(job.shape.sides) <= SIDE
    ]


def write_traces(jobs: list[Job], ours: Path, theirs: Path) -> None:
    """The same jobs as each reads them; RFold wants numbers for names."""
    with ours.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["job", "arrival_s", "shape", "twisted", "duration_s"])
        out.writerows([job.name, job.arrival, job.shape.text, "no", job.duration] for job in jobs)
    with theirs.open("w", encoding="utf-8", newline="") as file:
        file.write("#job id,arrival time (sec),topology,shape,size,duration (sec)\n")
        csv.writer(file, lineterminator="\n").writerows(
            [number, job.arrival, "T3D_NT", job.shape.text, job.shape.chips, job.duration]
            for number, job in enumerate(jobs)
        )


def timed(command: list[str | Path], folder: Path | None = None) -> tuple[str, float]:
    """What a program prints, and its processor seconds from start to exit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds


def run_ours(jobs: list[Job], file: Path, name: str) -> tuple[list[Ran], float]:
    """Time `fabric-twin replay`; its JSON has no single jobs, so these are replayed here again."""
    options = ["--design", "tpu-v4", "--pod", "v4", "--policy", name, "--json"]
    said, seconds = timed([PROGRAM, "replay", file, *options])
    outcome = replay(jobs, Occupancy(DESIGN), policy(name, PATIENCE), name)
    if outcome.as_json() != json.loads(said):
        sys.exit(f"fabric-twin replay --policy {name} says otherwise than its core.")
    ran = [
        Ran(one.job.arrival, one.start, one.start + one.job.duration, one.job.shape.chips)
        for one in outcome.started
    ]
    return ran, seconds


def run_theirs(python: Path, rfold: Path, file: Path, name: str) -> tuple[list[Ran], float]:
    """Time RFold, and read what it wrote of each job."""
    into = file.parent / name
    into.mkdir(exist_ok=True)
    pod, quiet = f"--dim={SIDE},{SIDE},{SIDE}", "--log_level=ERROR"
    options = [f"--replay_trace={file}", f"--place_policy={name}", f"--stats_outdir={into}"]
    _, seconds = timed([python, "-c", WRAPPER, pod, quiet, *options], rfold)
    with (into / "job_stats.csv").open(encoding="utf-8", newline="") as stats:
        rows = list(csv.reader(stats))[1:]
    return [Ran(float(row[1]), float(row[2]), float(row[3]), int(row[4])) for row in rows], seconds


def row(name: str, jobs: list[Job], ran: list[Ran], seconds: float) -> None:
    """Print a scheduler's utilisation to the last arrival, mean wait and processor seconds."""
    if len(ran) != len(jobs):
        sys.exit(f"{name}: {len(ran)} of {len(jobs)} jobs ran.")
    first, last = jobs[0].arrival, jobs[-1].arrival
    busy = sum(one.chips * max(0.0, min(one.end, last) - one.start) for one in ran)
    utilisation, wait = busy / (CHIPS * (last - first)), fmean(x.start - x.arrival for x in ran)
    print(f"{name:38} {utilisation:>11.2%} {wait:>12,.0f} {seconds:>12.1f}", flush=True)


def table(jobs: list[Job], folder: Path, theirs_at: tuple[Path, Path] | None) -> None:
    """Run all, RFold where it is, and print a row for each."""
    ours, theirs = folder / "ours.csv", folder / "theirs.csv"
    write_traces(jobs, ours, theirs)
    print(f"{len(jobs)} jobs, {CHIPS} chips; load {os.getloadavg()[0]:.1f} at the start")
    print(f"{'scheduler':38} {'utilisation':>11} {'mean wait s':>12} {'processor s':>12}")
    for name in ("fifo", "backfill"):
        row(f"fabric-twin replay --policy {name}", jobs, *run_ours(jobs, ours, name))
    for name in ("reconfig", "rfold") if theirs_at else ():
        rfold, python = theirs_at
        row(f"RFold, {name}", jobs, *run_theirs(python, rfold, theirs, name))
    print(f"load {os.getloadavg()[0]:.1f} at the end")


def main() -> None:
    """Read the options and print the table."""
    options = argparse.ArgumentParser(description="RFold beside fabric-twin replay, on one trace.")
    options.add_argument("--rfold", type=Path, metavar="FOLDER")
    options.add_argument("--python", type=Path, metavar="ITS_PYTHON")
    options.add_argument("--jobs", type=int, metavar="N")
    options.add_argument("--keep", type=Path, metavar="FOLDER")
    chosen = options.parse_args()
    if bool(chosen.rfold) != bool(chosen.python):
        options.error("Give both --rfold and --python, or neither.")
    # The interpreter of a venv is a link: following it would leave the venv.
    at = (chosen.rfold.resolve(), chosen.python.absolute()) if chosen.rfold else None
    with tempfile.TemporaryDirectory() as made:
        folder = (chosen.keep or Path(made)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        table(trace()[: chosen.jobs], folder, at)


if __name__ == "__main__":
    main()
