"""`fabric-twin remote` brings pods into a live Nautobot, makes slices, and takes them out."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core import designs
from tests.nautobot.bases.processes.remote_runs import Live, Remote, running
from tests.nautobot.bases.processes.serving import serving

pytestmark = pytest.mark.integration

#: Of a pod that is new; the small design has three cubes of two trays, and twelve switches.
NEW = ("--design", "small", "--location", "Hall 1")
TWO_CUBES = (
    "1 pod, 4 racks, 16 devices, 12 switches, 144 interfaces, 144 ports, 2 cubes, 48 module bays, "
    "48 modules, 48 cables, 96 cable to cable terminations, 96 cable paths. Cubes in slots 1-2.\n"
)
THIRD_CUBE = (
    "1 rack, 2 devices, 1 cube, 24 interfaces, 24 module bays, 24 modules, 24 ports, 24 cables, "
    "48 cable to cable terminations, 48 cable paths. Cubes in slots 3.\n"
)
#: How the ports are called that were loaded.
PATTERNS = (
    "--cube-ports",
    "theirs-c{slot}/{any}/{chip}/{face}",
    "--switch-ports",
    "{any}/theirs-ocs-{axis}-{index}/{port}",
)


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving("remote_records") as said:
        yield Live(*said)


@pytest.fixture
def remote(live: Live, monkeypatch: pytest.MonkeyPatch) -> Remote:
    monkeypatch.setattr("fabric_twin.remote.patience.FIRST_PAUSE", 0.001)
    return running(live)


@pytest.fixture
def told(remote: Remote, live: Live) -> Any:
    """Run a command: its exit code, what it wrote, and what it said, of SERVER."""

    def told(*words: str, **who: str) -> tuple[int, str, str]:
        done = remote(*words, **who)
        return done.exit_code, done.stdout, done.stderr.replace(live.address, "SERVER")

    return told


def refused(words: str, code: int = 2) -> tuple[int, str, str]:
    return code, "", f"fabric-twin: SERVER{words}\n"


def test_a_pod_comes_in_grows_gets_slices_and_goes(told: Any) -> None:
    new = ("load", "--pod", "fresh", *NEW, "--slots", "1-2")
    assert told(*new, "--dry-run") == (0, f"Pod fresh: would load {TWO_CUBES}", "")
    assert told(*new) == (0, f"Pod fresh: loaded {TWO_CUBES}", "")
    more = ("load", "--pod", "fresh", "--slots", "1-3", "--status", "Installing")
    assert told(*more) == (0, f"Pod fresh: loaded {THIRD_CUBE}", "")
    assert told(*more) == (0, "Pod fresh: nothing to load, all of it is there.\n", "")

    make = ("slice", "make", "--pod", "fresh", "--shape", "2x2x4")
    one = "2x2x4 on 2 cubes, 24 circuits on 12 switches\n"
    assert told(*make, "--dry-run") == (0, f"Would make 2x2x4-1: {one}", "")
    assert told(*make, "--anywhere", "--dry-run") == refused(
        ", design small: any free cubes make a slice, so there are no places to choose from. "
        "Leave it out."
    )
    assert told(*make, "--name", "train") == (0, f"Made train: {one}", "")
    assert told(*make) == refused(
        ", slice: 2x2x4 takes 2 cubes, and 0 of 2 cubes are free (2 in use). Nothing fits now: "
        "release a slice, or repair a cube.",
        code=1,
    )
    assert told("slice", "list", "--pod", "fresh") == (0, "train  active  2x2x4  slots 1-2\n", "")

    gone = ("remove", "--pod", "fresh", "--hardware")
    assert told(*gone, "--dry-run") == refused(
        ", pod fresh: 1 slice of it is there. Release it first."
    )
    release = ("slice", "release", "train", "--pod", "fresh")
    freed = "train: slots 1-2, 24 circuits, 0 of them still seen\n"
    assert told(*release, "--dry-run") == (0, f"Would release {freed}", "")
    assert told(*release, "--yes") == (0, f"Released {freed}", "")
    assert told(*release, "--yes") == refused(
        ": there is no slice train in pod fresh, or you may not see it. Check its name, and that "
        "you have "
        "the permission fabric_twin.view_slice."
    )
    assert told("slice", "list", "--pod", "fresh") == (0, "", "")

    all_of_it = (
        "168 ports, 3 cubes, 12 switches, 1 pod, 144 cable to cable terminations, 144 cable paths, "
        "72 cables, 72 modules, 72 module bays, 168 interfaces, 18 devices, 5 racks.\n"
    )
    for words, verb in (("--dry-run", "would remove"), ("--yes", "removed")):
        code, said, odd = told(*gone, words)
        assert (code, odd, said.partition(" touches, ")[2]) == (0, "", all_of_it)
        assert said.startswith(f"Pod fresh: {verb} ")
    assert told(*gone, "--yes") == refused(
        ": there is no pod fresh, or you may not see it. Check --pod, and that you have the "
        "permission "
        "fabric_twin.view_pod."
    )


def test_a_cut_sheet_goes_up_and_what_stands_is_adopted(
    told: Any, remote: Remote, tmp_path: Path
) -> None:
    sheet = tmp_path / "theirs.csv"
    mine = remote("cutsheet", "--pod", "mine").stdout
    theirs = mine.replace("mine", "theirs").replace("3.6576", "3.66")
    of_others = "x,iw9-c001-t01,1.1.1/X+,iw9-ocs-x-1-1,1A,connected,,\n"
    sheet.write_text(theirs + of_others)
    load = remote("load", "--pod", "theirs", *NEW, "--cut-sheet", str(sheet), "--json")
    assert load.exit_code == 0, load.stderr
    said = json.loads(load.stdout)
    assert load.stderr == "fabric-twin: warning: 1 row was left out, of other pods.\n"
    assert said["job_result"]
    assert said == {
        "version": 1,
        "pod": "theirs",
        "job_result": said["job_result"],
        "dry_run": False,
        "said": [
            "Pod theirs: loaded 1 pod, 5 racks, 18 devices, 12 switches, 168 interfaces, 168 "
            "ports, 3 cubes, 72 module bays, 72 modules, 72 cables, 144 cable to cable "
            "terminations, 144 cable paths. Cubes in slots 1-3."
        ],
        "warnings": ["1 row was left out, of other pods"],
    }
    code, words, _ = told("remove", "--pod", "theirs", "--yes")
    assert (code, "168 ports, 3 cubes, 12 switches, 1 pod." in words) == (0, True)

    adopt = ("adopt", "--pod", "theirs", *NEW)
    bound = "1 pod, 3 cubes, 12 switches, 168 ports. Cubes in slots 1-3.\n"
    nothing = ("--cube-ports", "row{any}/{any}/{chip}-{face}", "--filter", "device=theirs-c001-t01")
    code, _, why = told(*adopt, *nothing)
    assert (code, why.partition(", such as ")[0]) == (
        2,
        "fabric-twin: SERVER, pattern of cube ports: it binds none of 12 interfaces",
    )
    assert told(*adopt, *PATTERNS, "--dry-run") == (0, f"Pod theirs: would load {bound}", "")
    assert told(*adopt, *PATTERNS) == (0, f"Pod theirs: loaded {bound}", "")


OTHER_SMALL = """name: small
title: As the pod's design is called, with a slot less
slots: 2
cube: 2x2x2
tray: 2x2x1
plant: split
radix: 4
rule: {switch: [i, j], port: {slot: 1}}
"""


def test_a_design_of_this_machine_is_not_taken_for_the_servers(
    told: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"{designs.__name__}.small", raising=False)  # not installed
    file = tmp_path / "small.yaml"
    file.write_text(OTHER_SMALL)
    assert told("load", "--pod", "fresh", "--design", str(file), "--location", "Hall 1") == (
        2,
        "",
        "fabric-twin: --design: the server cannot read a file of this machine. Put it into the "
        "folder of design files of the server, and give its name.\n",
    )
    render = ("render", "port-map", "--pod", "mine", "--switch", "x-1-1", "--format", "txt")
    assert told(*render, "--design", str(file), "-o", "-") == (
        2,
        "",
        "fabric-twin: design small: the one of this machine is not the one that pod mine follows "
        "at SERVER. Install the same version here, or give --design the server's design file.\n",
    )
    assert told(*render, "-o", "-") == refused(
        ": the pod follows the design small, which is not on this machine. Give --design the "
        "server's design file, or install the package of the design."
    )
    file.write_text(OTHER_SMALL.replace("slots: 2", "slots: 3"))
    code, drawn, odd = told(*render, "--design", str(file), "-o", "-")
    assert (code, odd) == (0, "")
    assert "mine-ocs-x-1-1" in drawn


def test_a_binding_is_a_file(told: Any, tmp_path: Path) -> None:
    file = tmp_path / "ports.csv"
    file.write_text("device,port\n")
    assert told("adopt", "--pod", "bound", *NEW, "--binding", str(file), "--dry-run") == refused(
        ", binding: the header lacks a column. Begin with device,port,is_device,is_port."
    )


def test_programs_get_the_slice_as_the_command_line_writes_it(remote: Remote) -> None:
    made = remote("slice", "make", "--pod", "mine", "--shape", "2x2x2", "--json", "--dry-run")
    assert made.exit_code == 0, made.stderr
    said = json.loads(made.stdout)
    assert (said["dry_run"], said["slice"]["shape"], said["slice"]["cubes"]) == (
        True,
        "2x2x2",
        [{"at": [0, 0, 0], "slot": 3}],
    )
    assert len(said["slice"]["circuits"]) == 12
    listed = json.loads(remote("slice", "list", "--pod", "mine", "--json").stdout)
    [train] = listed.pop("slices")
    assert listed == {"version": 1, "pod": "mine"}
    assert train == {
        "id": train["id"],
        "name": "train-1",
        "shape": "2x2x4",
        "twisted": False,
        "status": "Active",
        "slots": [1, 2],
    }


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("rack,unit\n", ", cut sheet, line 1: the header lacks cable, a_device, a_port, "),
        ("\x00\n", ", cut sheet, line 1: there is a control character (U+0000). "),
    ],
)
def test_a_file_that_is_no_cut_sheet(told: Any, tmp_path: Path, content: str, why: str) -> None:
    file = tmp_path / "sheet.csv"
    file.write_text(content)
    code, said, words = told("load", "--pod", "bad", *NEW, "--cut-sheet", str(file))
    assert (code, said) == (2, "")
    assert words.startswith(f"fabric-twin: SERVER{why}")


def test_what_is_asked_for_is_not_there(told: Any, tmp_path: Path) -> None:
    assert told("load", "--pod", "bad", "--design", "round", "--location", "Hall 1") == refused(
        ": the job cannot be given this (design: Select a valid choice. round is not one of the "
        "available choices). Check what you asked for."
    )
    assert told("load", "--pod", "bad", "--design", "small", "--location", "Hall 9") == refused(
        ": there is no location Hall 9, or you may not see it. Check --location, and that you have "
        "the "
        "permission dcim.view_location."
    )
    assert told("load", "--pod", "mine", "--slots", "1-9") == refused(
        ", slots: 1-9 is not within slots 1 to 3. Name slots that the design has."
    )
    missing = str(tmp_path / "nothing.csv")
    assert told("load", "--pod", "bad", *NEW, "--cut-sheet", missing) == (
        2,
        "",
        f"fabric-twin: {missing}: it cannot be read (no such file or directory). Name a file that "
        "is there and may be read.\n",
    )


def test_who_may_only_look_changes_nothing(told: Any, live: Live) -> None:
    words = {
        ("load", "--pod", "mine", "--slots", "1-3"): "(location: Select a valid choice. ",
        ("load", "--pod", "mine", *NEW): "there is no location Hall 1, or you may not see it",
        ("slice", "make", "--pod", "mine", "--shape", "2x2x2"): "guest may not add slices",
        (
            "slice",
            "release",
            "train-1",
            "--pod",
            "mine",
            "--yes",
        ): "you may not release the slice train-1",
        ("remove", "--pod", "mine", "--yes"): "1 slice of it is there",
        ("remove", "--pod", "other", "--yes"): "there is no pod other, or you may not see it",
    }
    said = {asked: told(*asked, token=live.guest) for asked in words}
    assert [code for code, *_ in said.values()] == [2] * len(words)
    assert [said[asked][2] for asked, why in words.items() if why not in said[asked][2]] == []


@pytest.mark.parametrize(
    "words",
    [
        ("remove", "--pod", "", "--hardware", "--yes"),
        ("slice", "release", "train-1", "--pod", "", "--yes"),
        ("slice", "release", "", "--pod", "mine", "--yes"),
        ("load", "--pod", "neu", *NEW, "--slots", "", "--dry-run"),
        ("load", "--pod", "neu", *NEW, "--cut-sheet", "", "--dry-run"),
    ],
)
def test_a_variable_that_is_not_set_is_nobody(told: Any, words: tuple[str, ...]) -> None:
    code, said, _ = told(*words)
    assert (code, said) == (2, "")
