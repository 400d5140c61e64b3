"""The budgets of slices and replays; `make bench` prints what they cost today."""

import io
import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.designs import find_design
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape, parse_shape
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.services.slices.replay import replay_trace

PROGRAM = Path(sys.executable).with_name("fabric-twin")
DRAWN = runpy.run_path(str(Path(__file__).with_name("mix.py")))["drawn"]


@pytest.mark.parametrize(
    ("design", "text", "twisted"),
    [
        ("ironwood", "16x16x36", False),
        ("ironwood", "4x4x576", False),
        ("ironwood", "16x16x32", True),
        ("tpu-v5p", "16x20x28", False),
        ("tpu-v4", "16x16x16", False),
        ("tpu-v4-duplex", "4x4x256", False),
        ("tpu-v4-cwdm8", "8x16x16", True),
        ("tpu-v4", "1x1x1", False),
    ],
)
def test_allocation_and_circuits(benchmark, design, text, twisted):
    """Budget: 20 ms, from an empty pod's columns to the circuits."""
    kind = find_design(design)
    shape = parse_shape(text, kind, twisted=twisted)
    benchmark(lambda: slice_circuits(kind, Occupancy(kind).allocate("a", shape)))


def test_allocation_peer_numpy_copy_of_the_circuits(benchmark):
    """Peer: copy the columns of a whole Ironwood pod's circuits."""
    kind = find_design("ironwood")
    made = slice_circuits(kind, Occupancy(kind).allocate("a", Shape((16, 16, 36))))
    benchmark(lambda: [column.copy() for column in (made.switch, made.a, made.b)])


def test_refusal(benchmark):
    """Budget: 20 ms, with what would fit."""
    kind = find_design("ironwood")
    pod = Occupancy(kind, range(1, 144))
    benchmark(pod.refusal, Shape((16, 16, 36)))


@pytest.mark.parametrize("policy", ["fifo", "backfill"])
@pytest.mark.parametrize("backlog", [200, 1000])
def test_replay_of_a_thousand_jobs(benchmark, policy, backlog):
    """Budget: 2 s, from the bytes of the trace."""
    trace = io.StringIO()
    trace.write("job,arrival_s,shape,twisted,duration_s\n")
    for job in DRAWN(1, 1000, backlog=backlog, load=1.0, mean_s=7200):
        trace.write(
            f"{job.name},{job.arrival},{job.shape.text},{job.shape.twisted},{job.duration}\n"
        )
    outcome = benchmark.pedantic(
        replay_trace,
        (find_design("tpu-v4"), trace.getvalue().encode(), "trace"),
        {"policy_name": policy, "patience": 86_400.0},
        rounds=3,
    )
    assert len(outcome.started) == 1000


def test_command_line(benchmark):
    """From start to exit: a whole Ironwood pod with its 6,912 circuits as JSON."""
    command = [PROGRAM, "slice", "--design", "ironwood", "--pod", "p", "--shape", "16x16x36"]
    done = benchmark.pedantic(
        subprocess.run, [[*command, "--json"]], {"capture_output": True}, rounds=5
    )
    assert len(json.loads(done.stdout)["circuits"]) == 6912


def test_command_line_peer_import_numpy(benchmark):
    """Peer: Python that loads NumPy and leaves."""
    command = [sys.executable, "-c", "import numpy"]
    benchmark.pedantic(subprocess.run, [command], {"check": True}, rounds=5)
