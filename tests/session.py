"""How every run of tests begins; pytest.ini of each of the three runs names it."""

import os
import signal

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Refuse what would make a run mean nothing, and take SIGINT back."""
    if os.environ.get("ACCEPT") and os.environ.get("CI"):
        raise pytest.UsageError(
            "ACCEPT=1 writes what tests should compare with. Accept new output where you can "
            "look at it, commit it, and let CI compare."
        )
    # Who starts us in the background may ignore it (`make test &`, nohup, many CI runners), and
    # every process that a test interrupts would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
