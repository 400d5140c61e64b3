"""The demo is run as a newcomer runs it."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.integration
def test_the_demo_goes_through_every_stage():
    demo = Path(__file__).with_name("demo.py")
    done = subprocess.run([sys.executable, demo], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Done: 4 stages, each as it should be.\n")
