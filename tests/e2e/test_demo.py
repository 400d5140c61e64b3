"""The demo is run as a newcomer runs it."""

import subprocess
import sys
from pathlib import Path


def test_the_demo_goes_through_every_stage() -> None:
    demo = Path(__file__).parents[1] / "demo.py"
    command = [sys.executable, "-W", "ignore::DeprecationWarning", demo]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Done: 6 stages, each as it should be.\n")
