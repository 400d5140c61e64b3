"""No process outlives the one that keeps it, however that one ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.processes import Process, end, holders
from tests.stack.conftest import PATIENCE, wait_until

#: A part with a worker of its own, as web servers and Celery have; it writes down both.
WITH_A_WORKER = """
import json, os, pathlib, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"])
draft = pathlib.Path({place!r} + ".draft")
draft.write_text(json.dumps([os.getpid(), worker.pid]))
draft.rename({place!r})
time.sleep(600)
"""
#: Keeps one program, and lives until it is killed.
KEEPER_OF_ONE = """
import json, pathlib, sys, time
from fabric_twin.stack.kept import Kept, Program
kept = Kept(Program(json.loads(sys.argv[1]), pathlib.Path(sys.argv[2])))
time.sleep(600)
"""


def processes(place: Path) -> list[Process]:
    wait_until(place.exists)
    found = [Process.of(pid) for pid in json.loads(place.read_text())]
    assert None not in found
    return [process for process in found if process]


@pytest.fixture
def with_a_worker(tmp_path: Path, program: Callable[..., Program]) -> tuple[Program, Path]:
    place = tmp_path / "pids"
    return program("part", WITH_A_WORKER.format(place=str(place))), place


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_part_and_its_workers_end_when_who_keeps_them_is_killed(
    number: signal.Signals, with_a_worker: tuple[Program, Path], tmp_path: Path
) -> None:
    program, place = with_a_worker
    script = [sys.executable, "-c", KEEPER_OF_ONE, json.dumps(program.command)]
    with subprocess.Popen([*script, str(tmp_path / "log")], stderr=subprocess.DEVNULL) as owner:
        both = processes(place)
        owner.send_signal(number)
    assert all(process.wait(30) for process in both)


def test_a_part_and_its_workers_end_when_they_are_let_go(
    with_a_worker: tuple[Program, Path],
) -> None:
    program, place = with_a_worker
    kept = Kept(program)
    both = processes(place)
    assert kept.ended() is None
    kept.stop()
    assert not any(process.runs() for process in both)


def test_a_part_whose_keeper_is_killed_has_ended(with_a_worker: tuple[Program, Path]) -> None:
    program, place = with_a_worker
    kept = Kept(program)
    both = processes(place)
    os.kill(kept.pid, signal.SIGKILL)
    wait_until(lambda: kept.ended() is not None)
    assert not any(process.runs() for process in both)


def test_workers_end_with_a_part_that_crashes(with_a_worker: tuple[Program, Path]) -> None:
    program, place = with_a_worker
    kept = Kept(program)
    part, worker = processes(place)
    part.send(signal.SIGSEGV)
    wait_until(lambda: kept.ended() is not None)
    assert kept.ended() == 128 + signal.SIGSEGV
    assert worker.wait(30)


def test_a_part_that_will_not_stop_is_killed(
    tmp_path: Path, program: Callable[..., Program]
) -> None:
    deaf = tmp_path / "deaf"
    script = "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    script += f"pathlib.Path({str(deaf)!r}).touch(); time.sleep(600)"
    kept = Kept(program("deaf", script, grace=0.1))
    wait_until(deaf.exists)
    kept.stop()
    assert kept.ended() == 128 + signal.SIGKILL


def test_a_part_is_asked_by_the_signal_that_it_wants(
    tmp_path: Path, program: Callable[..., Program]
) -> None:
    ready = tmp_path / "ready"
    script = "import pathlib, signal, sys, time\n"
    script += "signal.signal(signal.SIGUSR1, lambda *_: sys.exit(7))\n"
    script += f"pathlib.Path({str(ready)!r}).touch(); time.sleep(600)"
    kept = Kept(program("part", script, stop=signal.SIGUSR1))
    wait_until(ready.exists)
    kept.stop()
    assert kept.ended() == 7


def test_what_a_part_prints_is_appended_to_its_log(program: Callable[..., Program]) -> None:
    says = program(
        "part", "import os; print(os.environ['GREETING'])", environment={"GREETING": "a"}
    )
    for _ in range(2):
        kept = Kept(says)
        kept.wait()
        assert kept.ended() == 0
    assert says.log.read_text() == "a\na\n"


def test_a_program_that_is_not_there_ends_with_a_word(tmp_path: Path) -> None:
    kept = Kept(Program(["/nowhere/server"], tmp_path / "log"))
    kept.wait()
    assert kept.ended() == 127
    assert (tmp_path / "log").read_text() == "/nowhere/server: No such file or directory\n"


def test_a_process_is_told_from_a_later_one_of_its_number() -> None:
    me = Process.of(os.getpid())
    assert me
    assert me.runs()
    assert Process.from_json(me.as_json()) == me
    assert not Process(me.pid, "long ago").runs()


def test_what_a_killed_keeper_leaves_is_found_by_what_it_holds_open(
    with_a_worker: tuple[Program, Path],
) -> None:
    program, place = with_a_worker
    with subprocess.Popen(
        [sys.executable, "-c", KEEPER_OF_ONE, json.dumps(program.command), str(program.log)]
    ) as owner:
        both = processes(place)
        [keeper] = holders(program.log.parent)["part"] - set(both)
        keeper.send(signal.SIGKILL)
        assert keeper.wait(PATIENCE)  # or it would end both when its owner does
        owner.kill()
    assert holders(program.log.parent) == {"part": set(both)}
    program.log.with_suffix(".held").unlink()  # somebody cleans up
    assert holders(program.log.parent) == {"part": set(both)}
    end(lambda: holders(program.log.parent).get("part", ()), signal.SIGKILL)
    assert not any(process.runs() for process in both)


@pytest.mark.parametrize("asked", ["by its supervisor", "by its number"])
def test_a_part_that_was_stopped_goes_on_to_end_as_it_should(
    asked: str, tmp_path: Path, program: Callable[..., Program]
) -> None:
    ready = tmp_path / "ready"
    script = "import pathlib, signal, sys, time\n"
    script += "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
    script += f"pathlib.Path({str(ready)!r}).touch(); time.sleep(600)"
    kept = Kept(program("part", script))
    wait_until(ready.exists)
    by_its_number = asked == "by its number"
    for process in holders(tmp_path)["part"]:
        if process != kept.process or not by_its_number:
            process.send(signal.SIGSTOP)
    if by_its_number:
        kept.process.send(signal.SIGTERM)
        wait_until(lambda: kept.ended() is not None)
    kept.stop()
    assert kept.ended() == 7
