"""`fabric-twin network`: cut sheet, audit and documents of a network of blocks."""

import csv
from pathlib import Path

import pytest

BLOCKS = str(Path(__file__).parents[2] / "docs/examples/topology/four-blocks.json")
OF = ("--network", "dc1", "--blocks", BLOCKS)
OUT = ("-o", "-")


@pytest.fixture
def sheet(run):
    return run("network", "cutsheet", *OF).stdout


def test_the_cut_sheet_has_a_row_a_strand_and_is_clean(run, sheet):
    rows = list(csv.DictReader(sheet.splitlines()))
    assert len(rows) == 48
    worked = next(row for row in rows if row["cable"] == "dc1-ab02:m02/1")
    assert (worked["b_device"], worked["b_port"]) == ("dc1-ocs-01", "4B")
    told = run("network", "audit", "-", *OF, stdin=sheet)
    assert (told.exit_code, told.stdout) == (
        0,
        "Network dc1 (network-2): 48 cables recorded, 48 expected.\n"
        "Clean: all 48 cables are where the wiring rule wants them.\n",
    )


def test_a_strand_on_another_switch_is_told_as_such(run, sheet):
    wrong = sheet.replace("dc1-ocs-01,1A,", "dc1-ocs-02,50A,")
    told = run("network", "audit", "-", *OF, stdin=wrong)
    assert told.exit_code == 1
    assert (
        "dc1-ab01:m01/1 is on dc1-ocs-02 port 50A, which serves another switch, and belongs on "
        "dc1-ocs-01 port 1A."
    ) in told.stdout


def test_rows_of_other_networks_are_left_out_and_strange_ports_told(run, sheet):
    more = "dc2-ab01:m01/1,dc2-ab01,m01/1,dc2-ocs-01,1A,connected,,\n"
    odd = sheet.replace("dc1-ocs-01,1A,", "dc1-ocs-01,900A,")
    told = run("network", "audit", "-", *OF, stdin=odd + more)
    assert told.stderr == "fabric-twin: 1 row of other networks was ignored.\n"
    assert "1 unknown-port" in told.stdout


def test_a_sheet_of_another_network_asks_whether_the_network_is_right(run, sheet):
    told = run("network", "audit", "-", "--network", "dc2", "--blocks", BLOCKS, stdin=sheet)
    assert (told.exit_code, told.stderr) == (
        1,
        "fabric-twin: no connected cable is of network dc2; is --network right?\n"
        "fabric-twin: 48 rows of other networks were ignored.\n",
    )


def test_circuits_without_a_fabric_are_refused(run):
    told = run("network", "audit", "-", *OF, "--circuits", "now.json", stdin="")
    assert told.exit_code == 2
    assert "--circuits is for --target" in told.stderr


def rendered(run, document, device, form):
    options = ("--device", device, "--format", form, *OUT)
    return run("network", "render", document, *OF, *options)


def test_maps_lists_and_labels(run, tmp_path):
    shown = run(
        "network", "render", "block-map", *OF, "--device", "dc1-ab02", "--format", "txt", "-o", "-"
    )
    assert "m02/1  cabled  dc1-ocs-01  4B          dc1-ab02:m02/1" in shown.stdout
    switch = run(
        "network",
        "render",
        "switch-map",
        *OF,
        "--device",
        "dc1-ocs-01",
        "--format",
        "csv",
        "-o",
        "-",
    )
    ports = {row["port"]: row for row in csv.DictReader(switch.stdout.splitlines())}
    assert len(ports) == 24 + 4
    assert (
        ports["4B"]["cable"],
        ports["13A to 128A"]["state"],
        ports["129A to 136A"]["state"],
    ) == (
        *("dc1-ab02:m02/1", "free"),
        "spare",
    )
    labels = run("network", "render", "labels", *OF, "--format", "csv", "-o", "-").stdout
    assert len(labels.splitlines()) == 1 + 2 * 48
    lists = run(
        "network", "render", "cut-list", *OF, "--device", "dc1-ocs-02", "--format", "csv", "-o", "-"
    )
    assert len(lists.stdout.splitlines()) == 1 + 24
    every = run(
        "network", "render", "block-map", *OF, "--format", "html", "-o", str(tmp_path / "maps")
    )
    assert (every.exit_code, len(list((tmp_path / "maps").iterdir()))) == (0, 4)


def test_a_device_that_is_not_there_is_refused(run):
    told = rendered(run, "block-map", "x", "txt")
    assert (told.exit_code, told.stderr) == (
        2,
        "fabric-twin: device: dc1 has no block 'x'. Name a block or a switch as a cut sheet "
        "does.\n",
    )
