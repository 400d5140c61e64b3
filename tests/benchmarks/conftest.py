"""What benchmarks share.

`make test` and `make test-integration` run each of them once and small, so that none breaks unseen.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from fabric_twin.switches.fabric import Fabric

from .one_pod import Running


@pytest.fixture
def small(benchmark: Any) -> bool:
    """Whether nothing is timed: then less will do."""
    return bool(benchmark.disabled)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    running = Running("iw1")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def fabric(running: Running) -> Iterator[Fabric]:
    with running.fabric() as fabric:
        yield fabric
