"""When a stage of a topology waits until its links carry nothing."""

import pytest

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.tickets.course import Direction, Position
from fabric_twin.core.tickets.drains import awaits_drain

ONE, OTHER = Circuit("dc1-ocs-01", "1A", "4B"), Circuit("dc1-ocs-01", "1A", "7B")
SWAP, ONLY_ADDS, ONLY_REMOVES = Stage((ONE,), (OTHER,)), Stage((), (OTHER,)), Stage((ONE,), ())
BACK = Direction.BACK


@pytest.mark.parametrize(
    ("position", "stage", "drained", "carries", "waits"),
    [
        (Position(1), SWAP, False, False, True),
        (Position(1), SWAP, True, False, False),
        (Position(1), ONLY_ADDS, False, False, False),
        (Position(1), ONLY_REMOVES, False, False, True),
        # Sent already, by a worker that is gone: its links are down, or about to be.
        (Position(1, tries=1), SWAP, False, False, False),
        # Back: what was never found good was never given to anybody.
        (Position(1, BACK), SWAP, False, False, False),
        (Position(1, BACK), SWAP, False, True, True),
        (Position(1, BACK), SWAP, True, True, False),
        (Position(1, BACK), ONLY_ADDS, False, True, True),
        (Position(1, BACK), ONLY_REMOVES, False, True, False),
        (Position(1, BACK, 1), SWAP, False, True, False),
    ],
)
def test_a_stage_waits_for_links_that_carry_something(
    position: Position, stage: Stage, drained: bool, carries: bool, waits: bool
) -> None:
    assert awaits_drain(position, stage, drained=drained, carries=carries) is waits
