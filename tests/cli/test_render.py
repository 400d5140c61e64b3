"""`fabric-twin render` as people and pipelines use it."""

import json
import signal
import subprocess
import sys

import pytest

from fabric_twin.documents.formats import KINDS

IRONWOOD = ("--design", "ironwood", "--pod", "iw1")


@pytest.fixture
def circuits(tmp_path):
    path = tmp_path / "circuits.json"
    row = {"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "train"}
    path.write_text(json.dumps({"version": 1, "circuits": [row]}))
    return str(path)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_all_port_maps_of_a_pod_are_files_named_by_switch(run, tmp_path):
    maps = tmp_path / "maps"
    result = run(
        "render", "port-map", *IRONWOOD, "--slots", "1", "--all", "--format", "csv", "-o", str(maps)
    )
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    wanted = [f"iw1-ocs-{a}-{i}-{j}-port-map.csv" for a in "xyz" for i in "1234" for j in "1234"]
    assert names(maps) == wanted


@pytest.mark.parametrize("name", ["x-3-2", "ocs-x-3-2", "iw1-ocs-x-3-2"])
def test_a_switch_is_named_in_full_or_in_short(name, run, circuits):
    given = ("--switch", name, "--circuits", circuits, "--format", "csv", "-o", "-")
    rows = run("render", "port-map", *IRONWOOD, *given).stdout.splitlines()
    assert rows[7] == (
        "7A,in use,iw1-c007:4.3.2/X+,iw1-c007,iw1-c007-t08,4.3.2,X+,9B,iw1-c009,train,,"
    )


def test_one_file_may_go_to_standard_output(run):
    given = ("--cube", "7", "--format", "csv", "-o", "-")
    rows = run("render", "cut-list", *IRONWOOD, *given).stdout.splitlines()
    assert len(rows) == 97
    assert rows[1] == (
        "iw1-c007,iw1-c007-t01,1.1.1/X-,iw1-ocs-x-1-1,7B,,iw1-c007:1.1.1/X-,iw1-c007:1.1.1/X-"
    )


def test_several_files_may_not(run):
    result = run("render", "face-map", *IRONWOOD, "--all", "--format", "txt", "-o", "-")
    assert result.exit_code == 2
    assert "These are 144 files; name a folder for --output." in result.stderr


def test_a_refused_template_leaves_no_file_behind(run, tmp_path):
    mine = tmp_path / "mine"
    (mine / "face-map").mkdir(parents=True)
    bad = "{% if document.name == 'iw1-c003' %}{{ document.__class__ }}{% endif %}"
    (mine / "face-map" / "face-map.txt").write_text(bad)
    maps = tmp_path / "maps"
    result = run(
        *("render", "face-map", *IRONWOOD, "--slots", "1-4", "--all", "--format", "txt"),
        *("--templates", str(mine), "-o", str(maps)),
    )
    assert result.exit_code == 2
    assert result.stderr == (
        "fabric-twin: template face-map/face-map.txt, line 1: the template reaches outside its "
        "sandbox: access to attribute '__class__' of 'Document' object is unsafe. "
        "Use the facts of the document, and nothing behind them.\n"
    )
    assert not maps.exists()


def test_old_files_are_replaced_and_others_left_alone(run, tmp_path):
    (tmp_path / "note").write_text("mine")
    (tmp_path / "iw1-bill-of-materials.txt").write_text("old")
    run("render", "bill-of-materials", *IRONWOOD, "--format", "txt", "-o", str(tmp_path))
    assert names(tmp_path) == ["iw1-bill-of-materials.txt", "note"]
    assert "chip                      9216" in (tmp_path / "iw1-bill-of-materials.txt").read_text()


def test_cables_that_no_document_can_show_are_counted(run, tmp_path):
    sheet = run("cutsheet", *IRONWOOD, "--slots", "1").stdout + "x,iw1-c001-t99,q,iw1-x,1,,,\n"
    path = tmp_path / "cables.csv"
    path.write_text(sheet)
    result = run(
        *("render", "cut-list", *IRONWOOD, "--cables", str(path), "--format", "csv", "-o", "-")
    )
    assert len(result.stdout.splitlines()) == 97
    assert result.stderr == (
        "fabric-twin: warning: left out: 1 cable with an end that is not known or not of the "
        "design; `fabric-twin audit` names them.\n"
    )


def test_circuits_that_the_pod_cannot_have_are_left_out_and_said(run, tmp_path):
    path = tmp_path / "circuits.json"
    rows = [("iw1-ocs-x-1-1", "7A", "9B"), ("iw1-ocs-x-1-1", "9B", "7A")]
    rows += [("q-ocs-x-1-1", "7A", "9B"), ("iw1-ocs-x-1-1", "8A", "145B")]
    named = [dict(zip(("switch", "a", "b"), row, strict=True)) for row in rows]
    path.write_text(json.dumps({"circuits": named}))
    given = ("--switch", "x-1-1", "--circuits", str(path), "--format", "csv", "-o", "-")
    result = run("render", "port-map", *IRONWOOD, *given)
    assert (result.exit_code, result.stdout.count("in use")) == (0, 2)
    assert result.stderr == (
        "fabric-twin: warning: left out: 1 circuit on switches of other pods.\n"
        "fabric-twin: warning: left out: 2 circuits that no switch of the pod can have, first "
        f"9B to 7A on iw1-ocs-x-1-1 ({path}, circuit 2); `fabric-twin plan` says which rule it "
        "breaks.\n"
    )


def test_a_spare_that_stands_in_for_a_port_is_shown_as_such(run, tmp_path):
    path = tmp_path / "spares.json"
    spare = {"switch": "p-ocs-x-1-1", "port": "7", "spare": "130"}
    path.write_text(json.dumps({"substitutions": [spare]}))
    given = ("--switch", "x-1-1", "--substitutions", str(path), "--format", "csv", "-o", "-")
    rows = run("render", "port-map", "--design", "tpu-v4", "--pod", "p", *given).stdout.split("\n")
    assert rows[7] == "7,no cable,,,,,,,,,,"
    assert rows[130] == "130,free,p-c007:4.1.1/X+,p-c007,p-c007-t02,4.1.1,X+,,,,,"


SHEETS = ("slice-sheet", "--design", "tpu-v4", "--pod", "p", "--format", "txt", "-o", "-")


def test_a_slice_sheet_says_which_circuits_are_missing(run):
    made = json.loads(
        run("slice", "--design", "tpu-v4", "--pod", "p", "--shape", "4x4x4", "--json").stdout
    )
    whole = run("render", *SHEETS, "--slice", "-", stdin=json.dumps(made))
    assert (whole.stderr, "Wrong" in whole.stdout) == ("", False)
    made["circuits"] = made["circuits"][1:]
    part = run("render", *SHEETS, "--slice", "-", stdin=json.dumps(made))
    words = (
        "standard input: 1 of the 96 circuits that its cubes need are missing, or on ports that "
        "--substitutions does not say"
    )
    assert part.stderr == f"fabric-twin: warning: {words}.\n"
    assert f"Wrong: {words}" in part.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_run_that_is_ended_leaves_nothing_behind(number, tmp_path, eventually):
    maps = tmp_path / "maps"
    # Who started us may ignore hangups (nohup), and the command would inherit that.
    usual = "default_int_handler" if number == signal.SIGINT else "SIG_DFL"
    as_usual = f"import signal; signal.signal({int(number)}, signal.{usual})"
    command = [
        *(sys.executable, "-c", f"{as_usual}; from fabric_twin.cli import main; main()"),
        *("render", "face-map", *IRONWOOD, "--all", "--format", "pdf", "-o", str(maps)),
    ]
    with subprocess.Popen(command) as process:
        assert eventually(lambda: process.poll() or list(maps.glob(".fabric-twin-*/*")), 60)
        process.send_signal(number)
    assert process.returncode == 128 + number
    assert not maps.exists()


@pytest.mark.parametrize(
    "design",
    [
        *("tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8", "tpu-v2-static"),
        "docs/examples/designs/v5e-hosts.yaml",
    ],
)
@pytest.mark.parametrize("document", ["face-map", "cut-list", "bill-of-materials"])
def test_every_design_has_its_documents(design, document, run, tmp_path):
    cube = ("--cube", "3") if document != "bill-of-materials" else ()
    for form in KINDS[document].formats:
        options = ("--design", design, "--pod", "p", *cube, "--format", form)
        result = run("render", document, *options, "-o", str(tmp_path))
        assert (result.exit_code, result.stderr) == (0, "")
    assert len(names(tmp_path)) == len(KINDS[document].formats)


def test_a_pdf_is_the_same_when_made_again(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    made = set()
    for folder in ("one", "two"):
        out = tmp_path / folder
        run("render", "face-map", *IRONWOOD, "--cube", "7", "--format", "pdf", "-o", str(out))
        made.add((out / "iw1-c007-face-map.pdf").read_bytes())
    assert len(made) == 1


@pytest.mark.parametrize("document", ["labels", "cut-list"])
def test_all_makes_a_file_a_rack(document, run, tmp_path):
    options = (*IRONWOOD, "--slots", "1,3", "--all", "--format", "csv", "-o", str(tmp_path))
    assert run("render", document, *options).exit_code == 0
    assert names(tmp_path) == [f"iw1-c00{slot}-{document}.csv" for slot in (1, 3)]
    one = run("render", document, *IRONWOOD, "--cube", "3", "--format", "csv", "-o", "-")
    assert (tmp_path / f"iw1-c003-{document}.csv").read_text() == one.stdout
