"""Every check, one after the other."""

from collections.abc import Iterator

from fabric_twin.operations.doctor.checked import Checked
from fabric_twin.operations.doctor.guarded import check_guarded
from fabric_twin.operations.doctor.installed import check_installed
from fabric_twin.operations.doctor.running import check_running
from fabric_twin.operations.doctor.ways_in import check_ways_in


def examine() -> Iterator[Checked]:
    """What is installed, who runs, how devices are reached, and who may do what."""
    yield from check_installed()
    yield from check_running()
    yield from check_ways_in()
    yield from check_guarded()
