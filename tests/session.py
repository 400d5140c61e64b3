"""How every run of tests begins; pytest.ini of each of the three runs names it."""

import gc
import os
import random
import signal
from zlib import crc32

import pytest

from fabric_twin.core.garbage import SELDOM, spare_what_is_loaded

#: What the order of tests, and the models inside Nautobot, are drawn by.
SEED = "FABRIC_TWIN_TEST_SEED"


#: Set, what is rehearsed once a week runs too: `make proof`.
ALL = "FABRIC_TWIN_ALL_CELLS"


@pytest.hookimpl(tryfirst=True)  # before pytest-randomly looks for its seed
def pytest_configure(config: pytest.Config) -> None:
    """Refuse what would make a run mean nothing, and take SIGINT back."""
    if os.environ.get("ACCEPT") == "1" and os.environ.get("CI"):
        raise pytest.UsageError(
            "ACCEPT=1 writes what tests should compare with. Accept new output where you can "
            "look at it, commit it, and let CI compare."
        )
    config.addinivalue_line("markers", "weekly: takes minutes, and `make proof` runs it")
    heed_interrupts()
    # Workers inherit it, and so draw the same.
    seed = os.environ.setdefault(SEED, str(random.randrange(1_000_000)))
    draw_order(config, seed)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make proof` what is its own."""
    if not os.environ.get(ALL):
        for item in items:
            if item.get_closest_marker("weekly"):
                item.add_marker(pytest.mark.skip(reason="`make proof` runs it, once a week"))


def pytest_collection_finish() -> None:
    """From here on leave what was imported alone, and look for garbage seldom.

    Inside Nautobot that is half a million objects: walking them took a seventh of the tests' CPU.
    """
    spare_what_is_loaded()
    gc.set_threshold(*SELDOM)


def pytest_report_header() -> str:
    """Say what was drawn by, and so how to draw the same again."""
    return f"drawn by {SEED}={os.environ[SEED]}"


def heed_interrupts() -> None:
    """Take SIGINT back."""
    # Who starts us in the background may ignore it (`make test &`, nohup, many CI runners), and
    # every process that a test interrupts would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def draw_order(config: pytest.Config, seed: str) -> None:
    """Let pytest-randomly shuffle by our seed, where it is used and given none."""
    if config.getoption("randomly_seed", None) == "default":
        config.option.randomly_seed = crc32(seed.encode())
