"""The product's driver against the second account of upstream's server; every Set is looked at."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabric_twin.core.identity import Known
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.finding import open_switch
from fabric_twin.switches.gnmi import GnmiSwitch
from tests.our_rows import is_ours
from tests.upstream.manner import Manner
from tests.upstream.server import Served, serve

NAME = "iw1-ocs-x-1-1"
PATIENCE = Patience(request=5, tuning=3, tries=2, pause=0.01)


@contextmanager
def driven(
    manner: Manner, known: Known | None = None, **content: Any
) -> Iterator[tuple[GnmiSwitch, Served]]:
    """A switch, and the driver that speaks to it; every Set may touch rows of ours alone."""
    with serve(manner, **content) as served:
        target = Target(NAME, served.address, known=known)
        driver = open_switch(target, Access(insecure=True), PATIENCE)
        assert isinstance(driver, GnmiSwitch)
        try:
            yield driver, served
        finally:
            driver.close()
        for asked in served.record:
            assert not asked.at_root, asked
            assert not asked.replaces, asked
            for path in (*asked.deletes, *(path for path, _ in asked.updates)):
                assert is_ours(path), path
