"""The demo is run as a newcomer runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo import what_there_is
from tests.e2e.conftest import Running, wait_until

DEMO = Path(__file__).parents[1] / "demo.py"


def run(capfd: pytest.CaptureFixture[str], *options: str) -> str:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", DEMO, *options]
    # Not captured by itself: where it fails or stands still, what it printed so far is shown.
    done = subprocess.run(command, check=False)
    said = capfd.readouterr()
    assert (done.returncode, said.err) == (0, ""), said.out
    return said.out


def test_the_demo_goes_through_every_stage_before_the_stack(
    capfd: pytest.CaptureFixture[str],
) -> None:
    said = run(capfd, "--without-stack")
    assert said.endswith("Done: 5 stages, each as it should be.\n")


def test_the_stack_says_that_its_demo_is_there_and_holds_it(stack: Running) -> None:
    wait_until(lambda: "\n  The demo is there" in stack.said.read_text())
    assert "The demo is not complete" not in stack.said.read_text()
    what_there_is(stack.folder)


@pytest.mark.weekly
def test_the_demo_goes_through_every_stage(capfd: pytest.CaptureFixture[str]) -> None:
    said = run(capfd)
    assert said.endswith("Done: 6 stages, each as it should be.\n")
