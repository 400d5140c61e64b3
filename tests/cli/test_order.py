"""`fabric-twin order`: from files to an order, in every form, or a refusal that says what to do."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.orders.order import WorkOrder

POD = ("--design", "ironwood", "--pod", "iw1")


@pytest.fixture
def file(tmp_path: Path):
    """Write a file, and name it."""

    def write(name: str, content: Any) -> str:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write


def test_an_order_to_install_is_json_that_a_program_reads_back(run) -> None:
    said = json.loads(run("order", "install", *POD, "--cubes", "5", "--format", "json").stdout)
    cost = said.pop("measure")
    order = WorkOrder.from_json(said)
    assert order.as_json() == said
    assert (order.name, order.slots, len(order.cables)) == ("iw1-install-5", (5,), 96)
    assert cost["rack_visits"] == 7


def test_a_repair_from_an_audit_says_what_it_saves(run, file) -> None:
    sheet = run("cutsheet", *POD, "--slots", "1-4").stdout.splitlines()
    rows = list(csv.reader(sheet))
    for first, second in ((1, 2), (100, 101), (200, 201), (300, 301)):
        ends = slice(3, 5)
        rows[first][ends], rows[second][ends] = rows[second][ends], rows[first][ends]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    cables = file("cables.csv", text.getvalue())
    found = run("audit", cables, *POD, "--slots", "1-4", "--json").stdout

    said = run("order", "repair", "-", *POD, "--slots", "1-4", "--cables", cables, stdin=found)
    lines = said.stdout.splitlines()
    assert lines[0] == "Repair 4 findings of iw1"
    assert lines[2].startswith("1 crew: ")
    assert lines[3].startswith("One by one: ")
    assert said.exit_code == 0


def test_no_more_crews_are_taken_than_over_rest(run) -> None:
    said = run("order", "install", *POD, "--cubes", "5", "--crews", "51")
    assert said.exit_code == 2
    assert "crews: 51 crews cannot do an order. Send 1 to 50." in said.stderr


def test_a_floor_and_a_stock_are_read(run, file) -> None:
    floor = file("floor.json", {"racks": [{"rack": "iw1-c005", "row": 9, "place": 1}]})
    stock = file(
        "stock.json",
        {
            "parts": [
                {"part": "OSFP 800G bidi, 8 wavelengths", "on_hand": 90, "ordered": 6},
                {"part": "tray", "on_hand": 16},
                {"part": "label", "on_hand": 500},
                *({"part": f"cable, one strand, {n} m", "on_hand": 96} for n in (20, 25, 30)),
            ]
        },
    )
    given = (*POD, "--cubes", "5", "--floor", floor, "--stock", stock)
    said = run("order", "install", *given).stdout
    assert "1. iw1-c005: row 9, place 1" in said
    assert "OSFP 800G bidi, 8 wavelengths  96      90       6        0" in said

    short = run("order", "install", *POD, "--cubes", "5-6", "--stock", stock)
    assert short.exit_code == 1
    assert short.stderr.startswith("fabric-twin: materials: short of ")
    assert short.stderr.endswith("Order what is short, or do less at a time.\n")


def test_labels_go_with_an_order(run, tmp_path: Path) -> None:
    given = (*POD, "--cubes", "5", "--format", "csv", "--labels", "-o", str(tmp_path))
    assert run("order", "install", *given).exit_code == 0
    labels = (tmp_path / "iw1-install-5-labels.csv").read_text().splitlines()
    assert len(labels) == 1 + 2 * 96
    assert labels[1] == (
        "iw1-c005:4.1.1/X+,a,iw1-c005:4.1.1/X+,iw1-c005-t02,4.1.1/X+,iw1-ocs-x-1-1,5A"
    )
    steps = (tmp_path / "iw1-install-5-work-order.csv").read_text().splitlines()
    assert len(steps) > 1000
    assert steps[0].startswith("step,crew,rack,do,device,port")
    assert run("order", "install", *POD, "--cubes", "5", "--labels").exit_code == 2


def test_circuits_on_a_cube_that_goes_are_what_must_be_drained(run, file) -> None:
    circuits = file(
        "now.json",
        {"circuits": [{"switch": "iw1-ocs-x-3-2", "a": "3A", "b": "4B", "owner": "job-a"}]},
    )
    given = (*POD, "--slots", "1-4", "--cubes", "3", "--circuits", circuits)
    said = run("order", "decommission", *given).stdout
    assert said.startswith("Decommission cube 3 of iw1\n")
    assert "drain  no circuit on these ports, by ticket  iw1-ocs-x-3-2 3A  job-a" in said
    refused = run("order", "install", *POD, "--cubes", "3", "--circuits", circuits)
    assert refused.exit_code == 1
    assert "iw1-ocs-x-3-2 port 3A: a circuit uses the port" in refused.stderr


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        ("--floor", {"racks": [{"rack": "iw1-c999", "row": 1, "place": 1}]}, "no rack 'iw1-c999'"),
        ("--floor", {"racks": [{"rack": "iw1-c005", "row": -1, "place": 1}]}, "row is not a whole"),
        ("--floor", {"rack_m": 0}, '"rack_m" is not a number of metres'),
        ("--floor", {"racks": [{"rack": "iw1-c005", "row": 1, "place": 6}]}, "both stand in row 1"),
        ("--stock", {}, '"parts" is not a list'),
        ("--stock", {"parts": [{"part": "tray", "on_hand": "many"}]}, '"on_hand" is not a whole'),
        ("--circuits", {"circuits": [{"switch": "s"}]}, '"a" is missing'),
    ],
)
def test_what_cannot_be_read_is_refused(run, file, option: str, content: Any, said: str) -> None:
    refused = run("order", "install", *POD, "--cubes", "5", option, file("given.json", content))
    assert refused.exit_code == 2
    assert said in refused.stderr


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ({"pod": "other", "findings": []}, "this is a report on pod other"),
        ({"findings": [{"id": "x"}]}, "finding 1: this is not a finding"),
        ({"findings": [7]}, "finding 1: this is not a finding"),
        ({"findings": [{"id": "x", "code": "y", "remedy": [{"do": 7}]}]}, "this is not a finding"),
    ],
)
def test_what_is_no_finding_is_refused(run, file, findings: Any, said: str) -> None:
    refused = run("order", "repair", file("findings.json", findings), *POD)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_what_an_order_cannot_mend_is_named_and_left_out(run, file) -> None:
    board = {"do": "replace", "device": "iw1-ocs-x-1-1", "port": "", "part": "LINE-CARD0"}
    odd = {"do": "dance", "device": "iw1-ocs-x-1-1"}
    findings = [
        {"id": "f1", "code": "board-out", "remedy": [board]},
        {"id": "f2", "code": "new-code", "remedy": [odd]},
    ]
    given = (file("f.json", {"findings": findings}), *POD, "--stock", file("s.json", {"parts": []}))
    said = run("order", "repair", *given)
    assert said.exit_code == 0
    assert said.stderr == (
        "fabric-twin: left out: finding f1: there is no LINE-CARD0 on hand or ordered.\n"
        "fabric-twin: left out: finding f2: there is no kind of step called 'dance'. Mend it by "
        "hand.\n"
    )


def test_two_plugs_exchange_places(run, file) -> None:
    first, second = "iw1-c001:1.1.1/X-", "iw1-c002:1.1.1/X-"
    moves = [
        {"cable": first, "end": "b", "to": ["iw1-ocs-x-1-1", "2B"]},
        {"cable": second, "end": "b", "to": ["iw1-ocs-x-1-1", "1B"]},
    ]
    now = {"circuits": [{"switch": "iw1-ocs-x-1-1", "a": "5A", "b": "2B", "owner": "job-a"}]}
    given = (file("moves.json", {"moves": moves}), *POD, "--circuits", file("now.json", now))
    facts = json.loads(run("order", "move", *given, "--format", "json").stdout)
    done = [(step["do"], step["cable"], step["port"]) for step in facts["steps"] if "end" in step]
    assert [step for step in done if step[0] in {"unplug", "plug"}] == [
        ("unplug", first, "1B"),
        ("unplug", second, "2B"),
        ("plug", first, "2B"),
        ("plug", second, "1B"),
    ]
    assert [bundle["name"] for bundle in facts["bundles"]] == [first, second]
    said = run("order", "move", *given).stdout
    assert said.startswith("Move 2 plugs of iw1\n")
    assert "drain  no circuit on these ports, by ticket  iw1-ocs-x-1-1 2B  job-a" in said


@pytest.mark.parametrize(
    ("move", "code", "said"),
    [
        (
            {"cable": "iw1-c001:1.1.1/X-", "end": "c", "to": ["s", "p"]},
            2,
            "move 1: this is not a move",
        ),
        ({"cable": "iw1-c001:1.1.1/X-", "end": "b", "to": "s"}, 2, "move 1: this is not a move"),
        ({"cable": "spare-17", "end": "b", "to": ["iw1-ocs-x-1-1", "2B"]}, 2, "no cable spare-17"),
        (
            {"cable": "iw1-c001:1.1.1/X-", "end": "b", "to": ["iw1-ocs-x-1-1", "999B"]},
            2,
            "iw1 has no port iw1-ocs-x-1-1 port 999B",
        ),
        (
            {"cable": "iw1-c001:1.1.1/X-", "end": "b", "to": ["iw1-ocs-x-1-1", "2B"]},
            1,
            "iw1-ocs-x-1-1 port 2B: iw1-c002:1.1.1/X- is in it",
        ),
    ],
)
def test_a_move_that_cannot_be_is_refused(run, file, move: Any, code: int, said: str) -> None:
    refused = run("order", "move", file("moves.json", {"moves": [move]}), *POD)
    assert (refused.exit_code, refused.stdout) == (code, "")
    assert said in refused.stderr


def test_an_end_that_is_to_move_twice_is_refused(run, file) -> None:
    to = {"cable": "iw1-c001:1.1.1/X-", "end": "b"}
    moves = [to | {"to": ["iw1-ocs-x-1-1", port]} for port in ("1B", "2B")]
    refused = run("order", "move", file("moves.json", {"moves": moves}), *POD)
    assert refused.exit_code == 2
    assert "end b of iw1-c001:1.1.1/X- is to move 2 times" in refused.stderr
