"""Parts start in order, are started again, and stop in the opposite order."""

import io
import os
import re
import signal
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack import supervisor as module
from fabric_twin.stack.console import Console
from fabric_twin.stack.supervisor import Part, Supervisor
from tests.stack.conftest import wait_until

WRITES_ITS_NAME = """
def stop(*_):
    with (folder / "stopped").open("a") as out:
        out.write(name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
"""


class Enough(Exception):
    """The test has seen what it waited for."""


@pytest.fixture
def supervisor(console: Console) -> Supervisor:
    return Supervisor(console)


def states(supervisor: Supervisor) -> dict[str, str]:
    return {part["name"]: part["state"] for part in supervisor.facts()}


def test_parts_are_ready_once_they_answer(
    supervisor: Supervisor, part: Callable[..., Part]
) -> None:
    try:
        supervisor.start([part("one"), part("two")])
        assert states(supervisor) == {"one": "ready", "two": "ready"}
    finally:
        supervisor.stop()
    assert supervisor.facts() == []


def test_what_others_need_is_stopped_last(
    supervisor: Supervisor, part: Callable[..., Part], tmp_path: Path
) -> None:
    supervisor.start([part("database", WRITES_ITS_NAME)])
    supervisor.start([part("web", WRITES_ITS_NAME)])
    supervisor.stop()
    assert (tmp_path / "stopped").read_text() == "web\ndatabase\n"


def test_a_part_that_never_comes_up_is_refused_with_its_last_words(
    supervisor: Supervisor, part: Callable[..., Part], shown: io.StringIO
) -> None:
    broken = part("web", "print('port 80: not allowed', flush=True); sys.exit(4)")
    with pytest.raises(StackRefused) as refused:
        supervisor.start([broken])
    supervisor.stop()
    assert refused.value.exit_code == 3
    assert refused.value.what == "web did not come up: it ended with code 4"
    assert "web      | port 80: not allowed\n" in shown.getvalue()


def test_a_part_that_does_not_answer_is_not_waited_for_for_ever(
    supervisor: Supervisor, part: Callable[..., Part]
) -> None:
    mute = part("web", up=False)
    with pytest.raises(StackRefused, match="no answer in 0 s"):
        supervisor.start([Part("web", mute.program, mute.answers, patience=0.1)])
    supervisor.stop()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that are short, and so in proportion."""
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(module, "LAST_WAIT", 0.05)


def watched(supervisor: Supervisor, until: Callable[[], bool]) -> None:
    """Watch until something is so."""

    def look() -> None:
        if until():
            raise Enough

    supervisor.changed = look
    try:
        with supervisor.watched() as watching, pytest.raises(Enough):
            watching.result()
    finally:
        supervisor.stop()


def test_a_part_that_is_killed_is_started_again_and_that_is_said(
    quick: None,
    supervisor: Supervisor,
    part: Callable[..., Part],
    shown: io.StringIO,
    tmp_path: Path,
) -> None:
    web = part("web", "(folder / 'pid').write_text(str(os.getpid()))")
    supervisor.start([web])
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    watched(
        supervisor,
        lambda: [(p["restarts"], p["state"]) for p in supervisor.facts()] == [(1, "ready")],
    )
    assert re.findall(r"stack +\| (.*)\n", shown.getvalue()) == [
        "web: ended with code 137, again in 0.01 s",
        "web: started again",
        "web: answers",
    ]


def test_a_part_that_ends_while_others_come_up_is_started_again(
    quick: None, supervisor: Supervisor, part: Callable[..., Part], tmp_path: Path
) -> None:
    supervisor.start([part("web", "(folder / 'pid').write_text(str(os.getpid()))")])
    late = part("worker", up=False)
    try:
        with supervisor.watched():
            supervisor.begin([late])
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
            wait_until(lambda: supervisor.facts()[0]["restarts"] == 1)
            (tmp_path / "worker.up").touch()
            supervisor.wait([late])
            wait_until(lambda: states(supervisor) == {"web": "ready", "worker": "ready"})
    finally:
        supervisor.stop()


def test_a_part_that_never_comes_up_is_refused_also_while_others_are_watched(
    quick: None, supervisor: Supervisor, part: Callable[..., Part]
) -> None:
    supervisor.start([part("web")])
    broken = part("worker", "sys.exit(4)")
    try:
        with supervisor.watched(), pytest.raises(StackRefused, match="worker did not come up"):
            supervisor.start([broken])
    finally:
        supervisor.stop()


def test_a_part_that_somebody_stops_by_its_number_is_started_again(
    quick: None,
    supervisor: Supervisor,
    part: Callable[..., Part],
    shown: io.StringIO,
    tmp_path: Path,
) -> None:
    web = part("web", WRITES_ITS_NAME)
    supervisor.start([web])
    os.kill(supervisor.facts()[0]["pid"], signal.SIGTERM)
    watched(
        supervisor,
        lambda: [(p["restarts"], p["state"]) for p in supervisor.facts()] == [(1, "ready")],
    )
    assert (tmp_path / "stopped").read_text() == "web\nweb\n"  # alone, and with all at the end
    assert "web: ended with code 0, again in 0.01 s" in shown.getvalue()


def test_a_part_that_ends_again_and_again_is_waited_for_longer_up_to_a_limit(
    quick: None,
    supervisor: Supervisor,
    part: Callable[..., Part],
    shown: io.StringIO,
) -> None:
    # The first life lasts until it has answered and is killed; the others end at once.
    short = "(folder / 'lives').open('a').write('x')\n"
    short += "if len((folder / 'lives').read_text()) > 1: sys.exit(1)\n"
    short += "(folder / 'pid').write_text(str(os.getpid()))"
    web = part("web", short)
    supervisor.start([web])
    os.kill(int((web.program.log.parent / "pid").read_text()), signal.SIGKILL)
    watched(
        supervisor,
        lambda: supervisor.facts()[0]["restarts"] == 4,
    )
    waits = re.findall(r"again in (.*) s", shown.getvalue())
    assert waits == ["0.01", "0.02", "0.04", "0.05"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are asked all the time, and soon said to hang."""
    monkeypatch.setattr(module, "ASK_EVERY", 0.0)
    monkeypatch.setattr(module, "HANGS_AFTER", 0.2)


def test_a_part_that_hangs_is_named_left_alone_and_ready_once_it_answers(
    impatient: None, supervisor: Supervisor, part: Callable[..., Part], shown: io.StringIO
) -> None:
    web = part("web")
    assert web.ready_file
    answer = web.ready_file.with_name("web.answer")
    answer.touch()
    supervisor.start([replace(web, lives=answer.exists)])
    pid = supervisor.facts()[0]["pid"]
    try:
        with supervisor.watched():
            answer.unlink()
            wait_until(lambda: states(supervisor) == {"web": "hangs"})
            assert datetime.fromisoformat(supervisor.facts()[0]["silent_since"]) <= datetime.now(
                UTC
            )
            answer.touch()
            wait_until(lambda: states(supervisor) == {"web": "ready"})
            assert "silent_since" not in supervisor.facts()[0]
    finally:
        supervisor.stop()
    assert re.findall(r"stack +\| (.*)\n", shown.getvalue()) == [
        f"web: no answer for 0 s; `kill {pid}` starts it again",
        "web: answers",
    ]


def test_a_part_that_nobody_asked_for_long_does_not_hang(
    impatient: None, supervisor: Supervisor, part: Callable[..., Part], shown: io.StringIO
) -> None:
    asked: list[bool] = []
    web = replace(part("web"), lives=lambda: asked.append(True) or True)
    supervisor.start([web])
    supervisor._running[0].answered_at -= 60  # others took a minute to come up
    try:
        with supervisor.watched():
            wait_until(lambda: len(asked) > 2)
    finally:
        supervisor.stop()
    assert shown.getvalue() == ""


def test_a_part_that_hangs_keeps_no_other_from_being_started_again(
    impatient: None, quick: None, supervisor: Supervisor, part: Callable[..., Part], tmp_path: Path
) -> None:
    over = Event()
    supervisor.start([replace(part("redis"), lives=over.wait)])
    supervisor.start([part("web", "(folder / 'pid').write_text(str(os.getpid()))")])
    try:
        with supervisor.watched():
            os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
            wait_until(lambda: supervisor.facts()[1]["restarts"] == 1)
            wait_until(lambda: states(supervisor) == {"redis": "hangs", "web": "ready"})
            over.set()
            wait_until(lambda: states(supervisor) == {"redis": "ready", "web": "ready"})
    finally:
        over.set()
        supervisor.stop()
