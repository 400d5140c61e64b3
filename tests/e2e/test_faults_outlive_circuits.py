"""A slice moves, goes and comes back; its faults stay, each told by the finding that it had.

A stack of its own: other tests live on the demo's faults, which are mended here.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from fabric_twin.stack.demo.api import post
from fabric_twin.stack.simulated_fabric import FAULTS, POD
from tests.e2e.conftest import Running, running, wait_until
from tests.e2e.demo_fabric import Fabric

pytestmark = pytest.mark.weekly

SLICE, SHAPE, SLOTS = "train-12", "8x16x16", "1-32"
#: The cubes of the faults that light shows, and the codes of all five.
CUBES = [3, 7, 9, 12]
CODES = {1: "swapped", 2: "dark", 3: "high-loss", 4: "wrong-part", 5: "fan-lost"}
BY_LIGHT = {1, 2, 3}


class Shift:
    """What an operator does over the API, and which finding tells of which fault."""

    def __init__(self, stack: Running) -> None:
        self._stack, self._api, self._fabric = stack, stack.api(), Fabric(stack)
        self._twin = self._api.plugins.fabric_twin
        self._pod = self._twin.pods.get(name=POD)
        self._audit = self._api.extras.jobs.get(name="Audit pod")
        of_code = {finding.code: str(finding.id) for finding in self._there()}
        self.told_by = {number: of_code[code] for number, code in CODES.items()}

        # The demo's planned repair holds what is to move.
        orders = self._twin.work_orders.filter(pod=POD)
        [order] = [one for one in orders if one.state.value == "drafted"]
        post(self._api, f"work-orders/{order.id}/withdraw/", said="A test")

    def _there(self) -> list[Any]:
        return list(self._twin.findings.filter(pod=POD, is_there=True))

    def seen(self) -> dict[int, bool]:
        """Of each fault that an open finding tells of, whether it is seen now; none is new."""
        seen = {str(finding.id): finding.seen for finding in self._there()}
        found = {number: seen.pop(key) for number, key in self.told_by.items() if key in seen}
        assert seen == {}, [f"{one.code}: {one.cause}" for one in self._there()]
        return found

    def ticket(self, kind: str, **wish: Any) -> str:
        """Have it carried out, faults or not; who is alone on shift approves in an emergency."""
        made = self._twin.tickets.create(
            pod=self._pod.id, kind=kind, wish=wish, reason="A test", most_bad=10
        )
        key = str(made.id)
        self._do(key, "emergency", said="Nobody else is on shift")
        self._run(key, "start", "done", runs=kind != "slice")
        return key

    def undo(self, key: str) -> None:
        """Let it go back the way that it came."""
        self._do(key, "ask-undo", said="As it was")
        self._do(key, "emergency", said="Nobody else is on shift")
        self._run(key, "undo", "undone", runs=True)

    def _run(self, key: str, deed: str, end: str, *, runs: bool) -> None:
        if runs:
            self._do(key, "confirm-drained", slices=[SLICE])
        self._do(key, deed)
        ends = {end, "failed", "withdrawn", "undone"}
        wait_until(lambda: self._twin.tickets.get(key).state.value in ends)
        ticket = self._twin.tickets.get(key)
        assert ticket.state.value == end, ticket.message
        self.audit()

    def _do(self, key: str, deed: str, **given: Any) -> None:
        post(self._api, f"tickets/{key}/{deed}/", **given)

    def audit(self) -> None:
        """Look at all of the pod, once what was called for is done."""
        wait_until(self._stack.is_quiet)
        result = self._api.extras.jobs.run(
            job_id=self._audit.id, data={"pod": self._pod.id}
        ).job_result
        wait_until(lambda: result.full_details() and result.date_done)

    def mend(self, number: int) -> None:
        """Mend a fault where it is: in the fabric."""
        self._fabric.control("/mend", number=number)


@pytest.fixture(scope="module")
def shift() -> Iterator[Shift]:
    with TemporaryDirectory(prefix="fabric-twin-e2e-") as name:
        Path(name).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        with running(Path(name, "state")) as stack:
            yield Shift(stack)


def test_no_ticket_closes_what_nobody_mended(shift: Shift) -> None:
    assert len(FAULTS) == len(CODES)
    all_seen = dict.fromkeys(CODES, True)
    cubes_out = {number: number not in BY_LIGHT for number in CODES}
    # A module sees its light come back from a dirty connector, without any circuit.
    idle = cubes_out | {3: True}
    assert shift.seen() == all_seen

    moved = shift.ticket("maintenance", slots=CUBES)
    assert shift.seen() == cubes_out
    shift.undo(moved)
    assert shift.seen() == all_seen

    shift.ticket("release", slice=SLICE)
    assert shift.seen() == idle
    # Mended, and no light can show it: its finding waits for who looks.
    shift.mend(2)
    shift.audit()
    assert shift.seen() == idle

    shift.ticket("slice", shape=SHAPE, name=SLICE, slots=SLOTS)
    left = set(CODES) - {2}
    assert shift.seen() == dict.fromkeys(left, True)
    for number in (5, 1, 4, 3):
        shift.mend(number)
        shift.audit()
        left.remove(number)
        assert shift.seen() == dict.fromkeys(left, True)
