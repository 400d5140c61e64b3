"""`status` and `down` where nothing runs; tests/e2e has the stack itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.processes import Process
from tests.conftest import Run


def test_status_of_nothing_exits_3(run: Run, tmp_path: Path) -> None:
    shown = run("status", "--state", str(tmp_path))
    assert (shown.exit_code, shown.stdout) == (3, f"Nothing runs ({tmp_path}).\n")


def test_a_folder_without_a_name_is_refused(run: Run) -> None:
    shown = run("down", "--state", "")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "--state: no folder is named. Name one, or leave the option out." in shown.stderr


def test_status_of_nothing_as_json(run: Run, tmp_path: Path) -> None:
    shown = run("status", "--state", str(tmp_path), "--json")
    assert shown.exit_code == 3
    assert json.loads(shown.stdout) == {
        "version": 1,
        "state": "down",
        "parts": [],
        "folder": str(tmp_path),
    }


def test_down_of_nothing_is_done(run: Run, tmp_path: Path) -> None:
    shown = run("down", "--state", str(tmp_path))
    assert (shown.exit_code, shown.stderr) == (0, f"fabric-twin: nothing runs ({tmp_path}).\n")


def test_status_names_every_part(run: Run, tmp_path: Path) -> None:
    me = Process.of(os.getpid())
    assert me
    part = {"name": "web", "pid": 4711, "state": "ready", "since": "2026-01-01T00:00:00+00:00"}
    StateFolder(tmp_path).write_run(
        {
            "version": 1,
            "address": "http://127.0.0.1:8080/",
            "state": "ready",
            "demo": "none",
            "since": "2026-01-01T00:00:00+00:00",
            "supervisor": me.as_json(),
            "parts": [{**part, "restarts": 2, "log": ""}],
        }
    )
    shown = run("status", "--state", str(tmp_path))
    assert shown.exit_code == 0
    first, _, head, row = shown.stdout.splitlines()
    assert first.startswith("http://127.0.0.1:8080/  ready, up ")
    assert head.split() == ["part", "state", "pid", "up", "restarts"]
    assert row.split()[:3] == ["web", "ready", "4711"]
    assert row.endswith(" 2")


def test_a_second_up_says_where_the_first_runs(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path)
    folder.make()
    me = Process.of(os.getpid())
    assert me
    program = [Path(sys.executable).with_name("fabric-twin"), "up", "--state", tmp_path]
    with folder.held():
        facts = {"address": "http://127.0.0.1:8080/", "state": "ready"}
        folder.write_run({**facts, "supervisor": me.as_json()})
        second = subprocess.run(program, capture_output=True, text=True, check=False)
    said = f"fabric-twin runs already at http://127.0.0.1:8080/ (process {me.pid}).\n"
    assert (second.returncode, second.stderr) == (0, said)


def test_parts_whose_supervisor_was_killed_are_named_until_they_have_ended(
    run: Run, tmp_path: Path
) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as part:
        there, gone = Process.of(part.pid), Process(2**22 + 1, "1")
        assert there
        about = {"state": "ready", "since": "", "restarts": 0, "log": ""}
        parts = [{"name": "web", **there.as_json(), **about}]
        parts += [{"name": "beat", **gone.as_json(), **about}]
        StateFolder(tmp_path).write_run({"supervisor": gone.as_json(), "parts": parts})
        shown = run("status", "--state", str(tmp_path))
        said = f"What ran it was killed; about to end: web ({tmp_path}).\n"
        assert (shown.exit_code, shown.stdout) == (3, said)
        facts = json.loads(run("status", "--state", str(tmp_path), "--json").stdout)
        assert [(one["name"], one["state"]) for one in facts["parts"]] == [("web", "ending")]
        assert part.stdin
        part.stdin.close()
    shown = run("status", "--state", str(tmp_path))
    assert (shown.exit_code, shown.stdout) == (3, f"Nothing runs ({tmp_path}).\n")
