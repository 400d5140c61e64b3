"""When a stage of a topology waits until its links carry nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.tickets.course import Direction, Position
from fabric_twin.core.tickets.drains import awaits_drain

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
EARLIER, LATER = NOON - timedelta(hours=1), NOON + timedelta(hours=1)
ONE, OTHER = Circuit("dc1-ocs-01", "1A", "4B"), Circuit("dc1-ocs-01", "1A", "7B")
SWAP, ONLY_ADDS, ONLY_REMOVES = Stage((ONE,), (OTHER,)), Stage((), (OTHER,)), Stage((ONE,), ())
BACK = Direction.BACK


@pytest.mark.parametrize(
    ("position", "stage", "drained", "verified", "waits"),
    [
        (Position(1), SWAP, None, None, True),
        (Position(1), SWAP, NOON, None, False),
        (Position(1), ONLY_ADDS, None, None, False),
        (Position(1), ONLY_REMOVES, None, None, True),
        # Sent already, by a worker that is gone: its links are down, or about to be.
        (Position(1, tries=1), SWAP, None, None, False),
        # Back: what was never verified was never given to anybody.
        (Position(1, BACK), SWAP, NOON, None, False),
        (Position(1, BACK), SWAP, EARLIER, NOON, True),
        (Position(1, BACK), SWAP, LATER, NOON, False),
        (Position(1, BACK), ONLY_ADDS, None, NOON, True),
        (Position(1, BACK), ONLY_REMOVES, EARLIER, NOON, False),
        (Position(1, BACK, 1), SWAP, EARLIER, NOON, False),
    ],
)
def test_a_stage_waits_for_links_that_carry_something(
    position: Position,
    stage: Stage,
    drained: datetime | None,
    verified: datetime | None,
    waits: bool,
) -> None:
    assert awaits_drain(position, stage, drained, verified) is waits
