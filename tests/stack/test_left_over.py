"""What a start finds of an earlier one that was killed: it is ended, or the start is refused."""

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.recovery import left_over as module
from fabric_twin.stack.recovery.left_over import end_left_over, in_words, left_over
from tests.stack.conftest import wait_until

DEAF = """
import pathlib, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path({ready!r}).touch(); time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    made = StateFolder(tmp_path / "state")
    made.make()
    return made


@pytest.fixture
def orphan(folder: StateFolder, program: Callable[..., Program]) -> Iterator[Kept]:
    """A part that does not hear SIGTERM, and whose keeper was killed."""
    ready = folder.path / "ready"
    deaf = program("worker", DEAF.format(ready=str(ready)))
    kept = Kept(Program(deaf.command, folder.log("worker")))
    wait_until(ready.exists)
    os.kill(kept.pid, signal.SIGKILL)
    os.waitpid(kept.pid, 0)
    yield kept
    kept.stop()


def test_what_is_left_over_is_named_asked_and_then_killed(
    folder: StateFolder, orphan: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE", 0.1)
    said: list[str] = []
    assert end_left_over(folder, said.append) == 1
    assert said == ["Left over by a start that was killed, and ended now: worker (1)."]
    assert left_over(folder) == {}
    assert end_left_over(folder, said.append) == 0


def test_what_cannot_be_ended_is_refused_by_name(
    folder: StateFolder, orphan: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRACE", "KILLED"):
        monkeypatch.setattr(module, name, 0.0)
    [process] = left_over(folder)["worker"]
    with pytest.raises(StackRefused) as refused:
        end_left_over(folder, lambda _: None)
    assert refused.value.what == (
        f"processes of an earlier start cannot be ended: worker (1); {process.pid}"
    )


def test_who_holds_the_lock_out_of_sight_is_refused(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KILLED", 0.1)
    with (folder.logs / "postgres.held").open("w") as held:  # by us, who are not left over
        fcntl.flock(held, fcntl.LOCK_SH)
        with pytest.raises(StackRefused, match="postgres of an earlier start still runs, out of"):
            end_left_over(folder, lambda _: None)
    assert end_left_over(folder, lambda _: None) == 0


def test_a_person_who_reads_a_log_is_not_of_the_stack(folder: StateFolder) -> None:
    folder.log("web").touch()
    with folder.log("web").open():
        assert left_over(folder) == {}


def test_words_for_what_is_left_over(folder: StateFolder, orphan: Kept) -> None:
    assert in_words(left_over(folder)) == "worker (1)"


def test_who_reads_the_logs_holds_no_part(folder: StateFolder) -> None:
    """As `tail -f logs/*` in another terminal: all of that would be ended with the part."""
    held = folder.log("web").with_name("web.held")
    held.touch()
    reader = subprocess.Popen(["tail", "-f", held], start_new_session=True)
    try:
        wait_until(lambda: any(held.samefile(one) for one in opened_by(reader.pid)))
        assert left_over(folder) == {}
    finally:
        reader.kill()
        reader.wait()


def opened_by(pid: int) -> list[Path]:
    links = Path(f"/proc/{pid}/fd").iterdir()
    return [path for one in links if (path := one.readlink()).exists()]
