"""A process that forks discoveries, each to be killed at a step.

As `audit_nursery.py`, with another deed.
"""

import sys
from typing import Any

from tests.nautobot.bases.processes.audit_nursery import die_at, hear
from tests.nautobot.bases.processes.ticket_nursery import DO, main


def discover(step: str = "") -> str:
    """Discover the cables of the pod; die at a step."""
    from fabric_twin.models import Pod
    from fabric_twin.operations.audits import light_tests
    from fabric_twin.operations.discovery import discover as discovering
    from fabric_twin.operations.discovery import free_ports
    from fabric_twin.operations.discovery.kept import sentence

    hear(free_ports, "reserve", step)
    for name in ("_part", "release_places"):
        hear(light_tests, name, step)

    def progress(*_told: Any) -> None:
        die_at("round", step)

    return sentence(discovering.discover_cables(Pod.objects.get(), None, progress=progress))


DO["discover"] = discover

if __name__ == "__main__":
    main(*sys.argv[1:])
