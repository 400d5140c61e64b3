"""The demo is run as a newcomer runs it."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_the_demo_goes_through_every_stage(capfd: pytest.CaptureFixture[str]) -> None:
    demo = Path(__file__).parents[1] / "demo.py"
    command = [sys.executable, "-W", "ignore::DeprecationWarning", demo]
    # Not captured by itself: where it fails or stands still, what it printed so far is shown.
    done = subprocess.run(command, check=False)
    said = capfd.readouterr()
    assert (done.returncode, said.err) == (0, ""), said.out
    assert said.out.endswith("Done: 6 stages, each as it should be.\n")
