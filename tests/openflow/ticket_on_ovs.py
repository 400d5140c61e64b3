"""A ticket of flow entries, and a worker of it, also as a process of its own.

                  before         stage 1 removes    stage 2 adds
pg1-row-01-1-1    2->3, 4->1     both               2->5, 6->1
pg1-row-02-1-1                                      2->3, 4->1
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.identity import Known
from fabric_twin.core.tickets.carrying import End
from fabric_twin.core.tickets.course import Course
from fabric_twin.services.tickets.carry_out import Calm, carry_out
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.fabric import Fabric, open_fabric
from tests.openflow.conftest import SWITCHES
from tests.tickets.bench import FileJournal, Told

Entry = tuple[str, int, int]
Addresses = dict[str, str]

ROW_1, ROW_2, _ = SWITCHES
CALM = Calm(silent=1.0, light=1.0, pause=0.01, longest_pause=0.05)
PATIENCE = Patience(request=5, tries=2, pause=0.01)
BEFORE: list[Entry] = [(ROW_1, 2, 3), (ROW_1, 4, 1)]
AFTER: list[Entry] = [(ROW_1, 2, 5), (ROW_1, 6, 1), (ROW_2, 2, 3), (ROW_2, 4, 1)]


def _circuits(entries: list[Entry], owner: str) -> tuple[Circuit, ...]:
    return tuple(Circuit(switch, f"{into}A", f"{out}B", owner) for switch, into, out in entries)


COURSE = Course("pg1-t1", (Stage(remove=_circuits(BEFORE, "a")), Stage(add=_circuits(AFTER, "b"))))


@contextmanager
def opened(addresses: Addresses) -> Iterator[Fabric]:
    """The switches of the ticket, and no cubes: packets have no light to look at."""
    targets = [
        Target(
            name,
            addresses[name],
            driver="openflow",
            known=Known(name, SWITCHES[name].rjust(16, "0")),
        )
        for name in (ROW_1, ROW_2)
    ]
    with open_fabric(targets, (), Access(insecure=True), PATIENCE) as fabric:
        yield fabric


def work(
    addresses: Addresses,
    path: Path,
    told: Told = lambda _what: None,
    *,
    course: Course = COURSE,
) -> End:
    """Be the next worker."""
    with opened(addresses) as fabric:
        return carry_out(course, fabric, FileJournal.taken(path, told, course), None, calm=CALM)


if __name__ == "__main__":
    work(json.loads(sys.argv[1]), Path(sys.argv[2]))
