"""What a stack keeps: secrets that are nobody else's, what was done, and who runs it."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import StateFolder, default_folder
from fabric_twin.stack.processes import Process


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    made = StateFolder(tmp_path / "state")
    made.make()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_secret_is_made_once_and_nobody_else_reads_it(folder: StateFolder) -> None:
    password = folder.secret("admin-password")
    assert len(password) == 48
    assert StateFolder(folder.path).secret("admin-password") == password
    assert folder.secret("secret-key") != password
    assert mode(folder.path / "admin-password") == 0o600


def test_nobody_else_looks_into_the_folder(folder: StateFolder) -> None:
    assert mode(folder.path) == (0o711 if os.geteuid() == 0 else 0o700)
    assert mode(folder.path / "logs") == 0o700


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StackRefused, match=r"the folder cannot be made \(not a directory\)"):
        StateFolder(tmp_path / "file" / "state").make()


def test_what_was_done_is_remembered_with_what_it_was_made_of(folder: StateFolder) -> None:
    folder.mark_done("tables", "abc")
    folder.mark_done("static files")
    assert StateFolder(folder.path).done == {"tables": "abc", "static files": ""}


def test_a_file_that_a_power_cut_left_empty_is_as_if_it_were_not_there(
    folder: StateFolder,
) -> None:
    for name in ("done.json", "run.json"):
        (folder.path / name).touch()
    assert (folder.done, folder.run()) == ({}, None)


def test_one_process_holds_the_folder_at_a_time(folder: StateFolder) -> None:
    with folder.held() as first, StateFolder(folder.path).held() as second:
        assert (first, second) == (True, False)
    with folder.held() as again:
        assert again


def test_who_runs_the_stack_is_known_until_it_ends(folder: StateFolder) -> None:
    me = Process.of(os.getpid())
    assert me
    with folder.held():
        folder.write_run({"supervisor": me.as_json()})
        assert folder.run() == {"supervisor": me.as_json()}
    assert folder.run() is None


def test_who_was_killed_runs_nothing_any_more(folder: StateFolder) -> None:
    script = "import os; from fabric_twin.stack.processes import Process; import json; "
    script += "print(json.dumps(Process.of(os.getpid()).as_json()))"
    gone = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    folder.write_run({"supervisor": json.loads(gone)})
    assert folder.run() is None


def test_the_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRIC_TWIN_STATE", "/somewhere")
    assert default_folder() == Path("/somewhere")


def test_a_user_has_a_folder_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABRIC_TWIN_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "/home/me/.local/state")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert default_folder() == Path("/home/me/.local/state/fabric-twin")


def test_root_keeps_it_where_the_database_can_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABRIC_TWIN_STATE", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert default_folder() == Path("/var/lib/fabric-twin")
