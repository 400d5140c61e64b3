"""The command line as people and pipelines use it."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fabric_twin.cli import COMMANDS, main

PROGRAM = Path(sys.executable).with_name("fabric-twin")
OURS = {"ironwood": 13824, "tpu-v5p": 13440, "tpu-v4": 6144, "tpu-v4-duplex": 12288}
OURS |= {"tpu-v4-cwdm8": 6144, "tpu-v2-static": 128, "tpu-v2": 128, "tpu-v3": 512}
OURS |= {"groups-a": 28800, "groups-b": 36864}
OURS |= {"static-3d": 3072, "tpu-v5e": 128, "tpu-v6e": 128}


@pytest.fixture
def sheet(run, tmp_path):
    """A file with two cables of a tpu-v4 pod exchanged, and one on a spare."""
    rows = run("cutsheet", "--design", "tpu-v4", "--pod", "v4", "--slots", "1-3").stdout
    lines = rows.splitlines()
    first, second = lines[1].split(","), lines[97].split(",")
    first[4], second[4] = second[4], first[4]
    lines[1], lines[97] = ",".join(first), ",".join(second)
    lines[7] = lines[7].replace(",1,connected", ",130,connected")
    path = tmp_path / "v4.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def audit(run, sheet, *options, **more):
    return run(
        "audit", sheet, "--design", "tpu-v4", "--pod", "v4", "--slots", "1-3", *options, **more
    )


@pytest.mark.parametrize(("design", "cables"), OURS.items())
def test_the_sheet_of_a_design_is_clean(design, cables, run):
    sheet = run("cutsheet", "--design", design, "--pod", "iw1")
    assert sheet.exit_code == 0
    assert len(sheet.stdout.splitlines()) == cables + 1
    result = run("audit", "-", "--design", design, "--pod", "iw1", stdin=sheet.stdout)
    noun = "Cluster" if design.startswith("groups") else "Pod"
    assert result.stdout == (
        f"{noun} iw1 ({design}): {cables:,} cables recorded, {cables:,} expected.\n"
        f"Clean: all {cables:,} cables are where the wiring rule wants them.\n"
    )
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_to_do_first_is_at_the_top(run, sheet):
    result = audit(run, sheet)
    assert result.exit_code == 1
    ids = re.findall(r"[0-9a-f]{12}", result.stdout)
    assert result.stdout == (
        "Pod v4 (tpu-v4): 288 cables recorded, 288 expected.\n"
        "2 findings: 1 spare-in-use, 1 swapped.\n"
        "\n"
        f"1. swapped  error  {ids[0]}  <- do this first\n"
        "   v4-c001:4.1.1/X+ and v4-c002:4.1.1/X+ are exchanged, "
        "at v4-ocs-x-1-1 ports 1 and 2.\n"
        "     1  unplug v4-c001:4.1.1/X+ from v4-ocs-x-1-1 port 2\n"
        "     2  move v4-c002:4.1.1/X+ on v4-ocs-x-1-1 from port 1 to port 2\n"
        "     3  plug v4-c001:4.1.1/X+ into v4-ocs-x-1-1 port 1\n"
        "\n"
        f"2. spare-in-use  error  {ids[1]}\n"
        "   v4-c001:4.2.3/X+ is on v4-ocs-x-2-3 port 130, a spare that no substitution names, "
        "and belongs on v4-ocs-x-2-3 port 1.\n"
        "     1  move v4-c001:4.2.3/X+ on v4-ocs-x-2-3 from port 130 to port 1\n"
    )


def test_json_is_the_contract(run, sheet):
    result = audit(run, sheet, "--json")
    report = json.loads(result.stdout)
    assert list(report) == [
        "version", "pod", "design", "cables", "expected", "findings", "summary",
    ]  # fmt: skip
    swapped = report["findings"][0]
    assert re.fullmatch("[0-9a-f]{12}", swapped.pop("id"))
    assert swapped == {
        "code": "swapped",
        "severity": "error",
        "cause": "v4-c001:4.1.1/X+ and v4-c002:4.1.1/X+ are exchanged, "
        "at v4-ocs-x-1-1 ports 1 and 2",
        "cables": ["v4-c001:4.1.1/X+", "v4-c002:4.1.1/X+"],
        "ports": [["v4-ocs-x-1-1", "1"], ["v4-ocs-x-1-1", "2"]],
        "remedy": [
            {"do": "unplug", "cable": "v4-c001:4.1.1/X+", "end": "b"},
            {"do": "move", "cable": "v4-c002:4.1.1/X+", "end": "b", "to": ["v4-ocs-x-1-1", "2"]},
            {"do": "move", "cable": "v4-c001:4.1.1/X+", "end": "b", "to": ["v4-ocs-x-1-1", "1"]},
        ],
    }
    assert report["summary"] == {"spare-in-use": 1, "swapped": 1}
    assert (report["version"], report["cables"], report["expected"]) == (1, 288, 288)


def test_csv_has_a_row_a_finding_and_runs_nothing(run, sheet, tmp_path):
    text = Path(sheet).read_text().replace("v4-c001:4.1.1/X+,", "=HYPERLINK(1),")
    Path(sheet).write_text(text)
    rows = list(csv.DictReader(io.StringIO(audit(run, sheet, "--csv").stdout)))
    assert [row["code"] for row in rows] == ["swapped", "spare-in-use"]
    assert rows[0]["cables"] == "'=HYPERLINK(1); v4-c002:4.1.1/X+"
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


class Tags(HTMLParser):
    """Collects tags, and fails on one that is not closed in turn."""

    VOID = frozenset({"meta", "circle", "path"})

    def __init__(self):
        super().__init__()
        self.open, self.references = [], []

    def handle_starttag(self, tag, attributes):
        self.references += [value for name, value in attributes if name in {"src", "href"}]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        assert self.open.pop() == tag


def test_html_is_well_formed_and_needs_nothing_else(run, sheet, tmp_path):
    Path(sheet).write_text(Path(sheet).read_text().replace("v4-c001:4.1.1/X+,", "<b>&c,"))
    page = tmp_path / "report.html"
    result = audit(run, sheet, "--html", "-o", str(page))
    assert (result.exit_code, result.stdout) == (1, "")
    text = page.read_text()
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert all(reference.startswith("#") for reference in tags.references)
    assert "<script" not in text
    assert "url(" not in text
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;c" in text
    assert text.count("<svg class=") == 2


def test_a_substitution_makes_the_spare_the_right_port(run, sheet, tmp_path):
    spares = tmp_path / "spares.json"
    row = {"switch": "v4-ocs-x-2-3", "port": "1", "spare": "130", "reason": "lossy mirror"}
    spares.write_text(json.dumps({"substitutions": [row]}))
    report = json.loads(audit(run, sheet, "--json", "--substitutions", str(spares)).stdout)
    assert report["summary"] == {"swapped": 1}


def test_a_cable_too_many_is_a_warning_that_may_pass(run):
    sheet = run("cutsheet", "--design", "ironwood", "--pod", "p", "--slots", "1").stdout
    sheet += "more,p-c002-t02,4.1.1/X+,p-ocs-x-1-1,2A,connected,,\n"
    options = ("audit", "-", "--design", "ironwood", "--pod", "p", "--slots", "1")
    result = run(*options, "--json", stdin=sheet)
    assert json.loads(result.stdout)["findings"][0]["severity"] == "warning"
    assert result.exit_code == 1
    assert run(*options, "--fail-on", "warning", stdin=sheet).exit_code == 1
    assert run(*options, "--fail-on", "error", stdin=sheet).exit_code == 0


def test_what_is_left_out_is_said_on_standard_error(run):
    sheet = run("cutsheet", "--design", "ironwood", "--pod", "p", "--slots", "1").stdout
    sheet += "x,q-c001-t02,4.1.1/X+,q-ocs-x-1-1,1A,connected,,\ny,a,1,b,2,planned,,\n"
    result = run("audit", "-", "--design", "ironwood", "--pod", "p", "--slots", "1", stdin=sheet)
    assert result.stderr == (
        "fabric-twin: 1 row of other pods was ignored.\n"
        "fabric-twin: 1 row with status 'planned' was left out.\n"
    )
    assert result.exit_code == 0


def test_a_report_does_not_overwrite_the_sheet_it_reads(run, sheet):
    before = Path(sheet).read_text()
    result = audit(run, sheet, "-o", sheet)
    assert result.exit_code == 2
    assert "it would be overwritten, and is what is read" in result.stderr
    assert Path(sheet).read_text() == before


def test_a_refused_sheet_leaves_the_old_report_as_it_was(run, tmp_path):
    report = tmp_path / "report.json"
    report.write_text("old")
    result = audit(run, "-", "--json", "-o", str(report), stdin="nonsense")
    assert result.exit_code == 2
    assert report.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_designs_are_listed_for_people_and_programs(run):
    text = run("designs").stdout.splitlines()
    facts = json.loads(run("designs", "--json").stdout)
    assert facts["version"] == 1
    assert [line.split()[0] for line in text[1:]] == [fact["name"] for fact in facts["designs"]]
    assert {fact["name"]: fact["cables"] for fact in facts["designs"]} == OURS | {"atac": 0}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete(run, shell):
    assert "_FABRIC_TWIN_COMPLETE" in run("completion", shell).stdout


def test_designs_are_completed_by_name():
    environment = {
        "_FABRIC_TWIN_COMPLETE": "bash_complete",
        "COMP_WORDS": "fabric-twin audit --design tpu-v4-",
        "COMP_CWORD": "3",
    }
    done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "plain,tpu-v4-cwdm8\nplain,tpu-v4-duplex\n"
    environment["COMP_WORDS"] = "fabric-twin audit --design ./pod"
    done = subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "file,./pod\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name, run):
    command = main.get_command(None, name)
    assert command.get_short_help_str(200).rstrip(".") in COMMANDS[name] or COMMANDS[name].rstrip(
        "."
    ) in command.help.replace("\n", " ")
    assert "Example" in run(name, "--help").stdout


def test_a_reader_that_leaves_early_sees_no_traceback():
    command = f"{PROGRAM} cutsheet --design ironwood --pod p | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "cable,a_device,a_port,b_device,b_port,status,length_m,label\n"
    assert done.stderr == ""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["cutsheet", "render cut-list --format txt -o -"])
def test_output_of_which_a_part_is_lost_is_never_called_done(command, unbuffered, tmp_path):
    def exit_code(shell):
        made = f"{PROGRAM} {command} --design ironwood --pod p"
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        line = shell.format(made)
        return subprocess.run(
            ["bash", "-c", line], env=environment, cwd=tmp_path, capture_output=True, check=False
        ).returncode

    assert exit_code("set -o pipefail; {} | head -c 10") == 128 + signal.SIGPIPE
    assert exit_code("ulimit -f 64; {} > full") == 2
    assert exit_code("{} > whole") == 0


def test_help_loads_no_numpy():
    probe = "import sys; sys.argv = ['fabric-twin', '--help']; from fabric_twin.cli import main\n"
    probe += "try: main()\nexcept SystemExit: print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


def test_a_program_reads_a_refusal_as_json_too(run):
    asked = ("audit", "nothing.csv", "--design", "ironwood", "--pod", "iw1")
    words, told = run(*asked), run(*asked, "--json")
    assert (words.exit_code, words.stdout) == (told.exit_code, "") == (2, "")
    assert words.stderr == told.stderr
    assert json.loads(told.stdout) == {
        "error": {
            "what": "it cannot be read (no such file or directory)",
            "where": "nothing.csv",
            "remedy": "Name a file that is there and may be read",
        }
    }
