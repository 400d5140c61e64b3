"""`status`, `down` and a second `up`; tests/e2e has the stack itself."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.processes import Process
from fabric_twin.stack.recovery.left_over import left_over
from tests.conftest import Run
from tests.stack.conftest import wait_until


@pytest.fixture
def me() -> Process:
    return Process.of(os.getpid()) or pytest.fail("this process does not run")


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
    facts = json.loads(shown.stdout)
    assert facts.pop("free_bytes") > 0
    assert facts == {"version": 1, "state": "down", "parts": [], "folder": str(tmp_path)}


def test_down_of_nothing_is_done(run: Run, tmp_path: Path) -> None:
    shown = run("down", "--state", str(tmp_path))
    assert (shown.exit_code, shown.stderr) == (0, f"fabric-twin: nothing runs ({tmp_path}).\n")


def test_status_names_every_part(run: Run, tmp_path: Path, me: Process) -> None:
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


def test_a_second_up_says_so_while_the_first_has_no_address_yet(
    run: Run, folder: StateFolder, me: Process
) -> None:
    with folder.held():
        folder.write_run(facts_of(me) | {"state": "starting", "address": ""})
        again = run("up", "--state", str(folder.path))
    said = f"fabric-twin is being started already (process {me.pid}).\n"
    assert (again.exit_code, again.stderr) == (0, said)


def test_a_second_up_says_where_the_first_runs(tmp_path: Path, me: Process) -> None:
    folder = StateFolder(tmp_path)
    folder.make()
    program = [Path(sys.executable).with_name("fabric-twin"), "up", "--state", tmp_path]
    with folder.held():
        facts = {"address": "http://127.0.0.1:8080/", "state": "ready"}
        folder.write_run({**facts, "supervisor": me.as_json()})
        second = subprocess.run(program, capture_output=True, text=True, check=False)
    said = f"fabric-twin runs already at http://127.0.0.1:8080/ (process {me.pid}).\n"
    assert (second.returncode, second.stderr) == (0, said)


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    made = StateFolder(tmp_path)
    made.make()
    return made


@pytest.fixture
def left(folder: StateFolder) -> Iterator[Kept]:
    """A part whose keeper was killed, and so was who ran it."""
    kept = Kept(Program([sys.executable, "-c", "import time; time.sleep(600)"], folder.log("web")))
    wait_until(lambda: len(left_over(folder).get("web", ())) == 2)
    os.kill(kept.pid, signal.SIGKILL)
    os.waitpid(kept.pid, 0)
    yield kept
    kept.stop()


def test_what_is_left_over_is_named_by_status_and_ended_by_down(
    run: Run, folder: StateFolder, left: Kept
) -> None:
    [part] = left_over(folder)["web"]
    shown = run("status", "--state", str(folder.path))
    said = f"What ran it was killed ({folder.path}).\n"
    said += "Left over: web (1). `fabric-twin down` ends them, and so does the next `up`.\n"
    assert (shown.exit_code, shown.stdout) == (3, said)
    facts = json.loads(run("status", "--state", str(folder.path), "--json").stdout)
    assert facts["state"] == "left over"
    assert facts["parts"] == [{"name": "web", "state": "left over", "pids": [part.pid]}]
    ended = run("down", "--state", str(folder.path))
    said = "Left over by a start that was killed, and ended now: web (1)."
    assert ended.stderr.startswith(f"fabric-twin: {said}\n")
    assert not part.runs()
    assert run("status", "--state", str(folder.path)).stdout.startswith("Nothing runs")


def facts_of(me: Process, **part: object) -> dict[str, object]:
    since = "2026-01-01T00:00:00+00:00"
    web = {"name": "web", "pid": 4711, "state": "ready", "since": since, "restarts": 0, "log": "L"}
    return {
        "version": 1,
        "address": "http://127.0.0.1:8080/",
        "state": "ready",
        "demo": "none",
        "since": since,
        "supervisor": me.as_json(),
        "parts": [web | part],
    }


def test_a_part_that_hangs_is_named_with_how_it_is_started_again(
    run: Run, folder: StateFolder, me: Process
) -> None:
    since = (datetime.now(UTC) - timedelta(seconds=25)).isoformat()
    folder.write_run(facts_of(me, state="hangs", silent_since=since))
    shown = run("status", "--state", str(folder.path))
    assert shown.exit_code == 3
    *_, row, _, last = shown.stdout.splitlines()
    assert row.split()[:3] == ["web", "hangs", "4711"]
    said = r"web has not answered for 0 min \d+ s: see L; `kill 4711` starts it again\."
    assert re.fullmatch(said, last)


def test_who_runs_it_and_was_stopped_is_said_to_hang(
    run: Run, folder: StateFolder, me: Process
) -> None:
    folder.write_run(facts_of(me))
    os.utime(folder.path / "run.json", (0, time.time() - 60))
    shown = run("status", "--state", str(folder.path))
    assert shown.exit_code == 3
    assert "http://127.0.0.1:8080/  hangs, up " in shown.stdout
    said = rf"Process {me.pid}, which runs it, has said nothing for 1 min \d+ s: the above is old\."
    assert re.fullmatch(said, shown.stdout.splitlines()[-1])
    with folder.held():
        again = run("up", "--state", str(folder.path))
    assert again.exit_code == 3
    assert f"process {me.pid} runs it, and has said nothing for 6" in again.stderr


def test_what_is_being_stopped_is_not_said_to_run(
    run: Run, folder: StateFolder, me: Process
) -> None:
    with folder.held():
        folder.write_run(facts_of(me) | {"state": "stopping"})
        again = run("up", "--state", str(folder.path))
    assert again.exit_code == 3
    assert f"process {me.pid} is stopping it. Start it again once that has ended." in again.stderr


def test_status_says_that_the_disk_is_full(
    run: Run, folder: StateFolder, me: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_run(facts_of(me))
    assert run("status", "--state", str(folder.path)).exit_code == 0
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=5_000, f_frsize=1_000))
    shown = run("status", "--state", str(folder.path))
    assert shown.exit_code == 3
    said = f"The disk fills up: only 5 MB are free in {folder.path}."
    assert shown.stdout.splitlines()[-1] == said
