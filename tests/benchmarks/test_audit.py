"""The budgets of an audit of one Ironwood pod; `make bench` prints what they cost today.

Each budget stands beside a peer that is measured in the same run, so that a ratio holds on a
machine of any speed.
"""

import csv
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import intended_plant, recorded_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.layout import Layout
from fabric_twin.inventory.cutsheet import read_cut_sheet, write_cut_sheet

PROGRAM = Path(sys.executable).with_name("fabric-twin")


@pytest.fixture(scope="module")
def sheet() -> str:
    out = io.StringIO()
    write_cut_sheet(intended_plant(DESIGN, "iw1"), out)
    return out.getvalue()


@pytest.fixture
def shell(benchmark):
    """Time whole processes, as a user has them: with compiled modules at hand."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def run(*command):
        kept = {"env": environment, "capture_output": True}
        return benchmark.pedantic(subprocess.run, [command], kept, rounds=15, warmup_rounds=2)

    return run


def exchanged(text: str, times: int) -> str:
    """Exchange the far ends of some cables."""
    chance, rows = random.Random(1), [line.split(",") for line in text.splitlines()]
    for _ in range(times):
        one, other = chance.sample(range(1, len(rows)), 2)
        rows[one][3:5], rows[other][3:5] = rows[other][3:5], rows[one][3:5]
    return "".join(",".join(row) + "\n" for row in rows)


def plants(text: str, design=DESIGN):
    intended = intended_plant(design, "iw1")
    read = read_cut_sheet(text.encode(), "sheet", lambda _: None)
    return intended, recorded_plant(intended.names, *read.columns)


@pytest.mark.parametrize("mistakes", [0, 10, 1000])
def test_core_audit(benchmark, sheet, mistakes):
    """Budget: 1 ms clean, 5 ms with ten mistakes."""
    report = benchmark(audit_cabling, *plants(exchanged(sheet, mistakes)))
    assert bool(report.findings) == bool(mistakes)


@pytest.mark.parametrize("mistakes", [0, 10])
@pytest.mark.parametrize("name", ["ironwood", "groups-a", "groups-b"])
def test_core_audit_by_the_cable(benchmark, name, mistakes):
    """Budget: a cable of a cluster takes at most twice the time of one of an Ironwood pod."""
    design, out = find_design(name), io.StringIO()
    write_cut_sheet(intended_plant(design, "iw1"), out)
    report = benchmark(audit_cabling, *plants(exchanged(out.getvalue(), mistakes), design))
    assert bool(report.findings) == bool(mistakes)
    if benchmark.stats:  # none where benchmarks only run to see whether they do
        benchmark.extra_info["ns per cable"] = round(
            benchmark.stats.stats.median * 1e9 / report.cables
        )


def test_core_audit_peer_set_difference(benchmark, sheet):
    """Peer: which rows differ, as sets of tuples; it says nothing of why."""
    expected = {tuple(row) for row in csv.reader(io.StringIO(sheet))}
    recorded = [tuple(row) for row in csv.reader(io.StringIO(exchanged(sheet, 10)))]
    assert len(benchmark(lambda: set(recorded) - expected)) == 20


def test_design_layout(benchmark):
    """Once a process: every port of the pod and what the rule joins."""
    benchmark(
        Layout.build,
        cube=DESIGN.cube,
        slots=DESIGN.slots,
        lanes=DESIGN.lanes,
        plant=DESIGN.plant,
        radix=DESIGN.radix,
        spares=DESIGN.spares,
        rule=DESIGN.rule,
    )


def test_intended_plant(benchmark):
    """Budget: well under 100 ms."""
    benchmark(intended_plant, DESIGN, "iw1")


def test_recorded_plant(benchmark, sheet):
    """Budget: well under 100 ms, from the bytes of the sheet."""
    benchmark(plants, sheet)


def test_recorded_plant_peer_dict_reader(benchmark, sheet):
    """Peer: the same bytes through csv.DictReader, and no more."""
    benchmark(lambda: list(csv.DictReader(io.StringIO(sheet))))


def test_command_line(shell, sheet, tmp_path):
    """Budget: 1.5 times a Python that imports NumPy and reads the file with `csv`."""
    path = tmp_path / "iw1.csv"
    path.write_text(exchanged(sheet, 10))
    done = shell(PROGRAM, "audit", path, "--design", "ironwood", "--pod", "iw1", "--json")
    assert done.returncode == 1


def test_command_line_peer_numpy_and_csv(shell, sheet, tmp_path):
    """Peer: Python that loads NumPy, reads the file with csv, and leaves."""
    path = tmp_path / "iw1.csv"
    path.write_text(sheet)
    read = "import csv, sys, numpy; list(csv.reader(open(sys.argv[1], newline='')))"
    assert shell(sys.executable, "-c", read, path).returncode == 0


def test_command_line_help(shell):
    """Budget: 0.3 s."""
    assert shell(PROGRAM, "--help").returncode == 0
