"""One view of all logs; steps with their times."""

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

from fabric_twin.stack import console as module
from fabric_twin.stack.console import Console, LogView, last_lines
from tests.stack.conftest import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def log(tmp_path: Path) -> Path:
    log = tmp_path / "web.log"
    log.write_text("of an earlier run\n")
    return log


def append(log: Path, text: str) -> None:
    with log.open("a") as out:
        out.write(text)


def test_a_step_says_that_it_begins_and_how_long_it_took(
    console: Console, shown: io.StringIO
) -> None:
    with console.step("Tables"):
        console.tell("471 migrations")
    assert re.fullmatch(
        r"  Tables \.\.\.\n  Tables {24} +0\.\d s  471 migrations\n", shown.getvalue()
    )


def test_a_step_that_fails_is_said_not_to_be_done(console: Console, shown: io.StringIO) -> None:
    with pytest.raises(ZeroDivisionError), console.step("Tables"):
        _ = 1 / 0
    assert shown.getvalue().endswith(" s  not done\n")


def test_on_a_terminal_a_step_is_one_line_that_moves_whatever_it_waits_for() -> None:
    out = Terminal()
    with Console(out).step("Tables"):
        wait_until(lambda: out.getvalue().count("\r") > 2)
    assert out.getvalue().count("\n") == 1


def test_elsewhere_a_step_is_two_lines_however_long_it_takes(
    console: Console, shown: io.StringIO
) -> None:
    with console.step("Tables"):
        for number in range(100):
            console.tell(f"{number} migrations")
    assert shown.getvalue().count("\n") == 2


def test_what_is_said_within_a_step_has_a_line_of_its_own() -> None:
    out = Terminal()
    console = Console(out)
    with console.step("Tables"):
        wait_until(lambda: "Tables" in out.getvalue())
        console.say("All migrations are gone through.")
    assert "\r\x1b[KAll migrations are gone through." in out.getvalue()
    assert out.getvalue().count("\n") == 2


def test_new_lines_of_all_logs_are_shown_with_the_part_they_are_of(
    console: Console, shown: io.StringIO, log: Path, tmp_path: Path
) -> None:
    view = LogView(console, [("web", log), ("worker", tmp_path / "worker.log")])
    append(log, "GET /\nhalf a li")
    append(tmp_path / "worker.log", "ready\n")
    view.show()
    append(log, "ne\n")
    view.show()
    view.show()
    assert shown.getvalue().splitlines() == [
        "web      | GET /",
        "worker   | ready",
        "web      | half a line",
    ]


def test_a_log_cannot_command_the_terminal(console: Console, shown: io.StringIO, log: Path) -> None:
    view = LogView(console, [("web", log)])
    append(log, "\x1b[2Jgone\u202e\n")
    view.show()
    assert shown.getvalue() == "web      | \ufffd[2Jgone\ufffd\n"


def test_a_log_that_has_grown_large_starts_anew_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, console: Console, shown: io.StringIO, log: Path
) -> None:
    monkeypatch.setattr(module, "LARGEST_LOG", 30)
    view = LogView(console, [("web", log)])
    append(log, "x" * 30 + "\n")
    view.show()
    append(log, "after\n")
    view.show()
    assert log.read_text() == "after\n"
    assert (log.parent / "web.log.1").read_text() == "of an earlier run\n" + "x" * 30 + "\n"
    assert shown.getvalue() == f"web      | {'x' * 30}\nweb      | after\n"


def test_the_last_lines_of_a_log(log: Path) -> None:
    append(log, "one\ntwo\n")
    assert last_lines(log, 2) == ["one", "two"]
    assert last_lines(log.with_name("none.log")) == []


def test_a_reader_who_has_gone_stops_nothing() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", buffering=1) as out:
        Console(out).say("nobody hears this")
        with contextlib.suppress(BrokenPipeError):  # what was left to write
            out.close()
