"""What people call tickets, orders, runs and cubes, taken apart."""

import re

import pytest

from fabric_twin.core.record_names import (
    CUBE_NAME,
    ORDER_NAME,
    RUN_NAME,
    TICKET_NAME,
    RecordName,
    parse_record_name,
)


@pytest.mark.parametrize(
    ("pattern", "text", "name"),
    [
        (TICKET_NAME, "iw1-t12.2", RecordName(pod="iw1", number=12, revision=2)),
        (TICKET_NAME, " IW1-T12 ", RecordName(pod="IW1", number=12)),
        (TICKET_NAME, "hall-t1-t12", RecordName(pod="hall-t1", number=12)),
        (TICKET_NAME, "t12", RecordName(pod=None, number=12)),
        (TICKET_NAME, "12", RecordName(pod=None, number=12)),
        (TICKET_NAME, "iw1-w12", None),
        (TICKET_NAME, "4x4x4", None),
        (TICKET_NAME, "t1234567890", None),
        (ORDER_NAME, "iw1-w3", RecordName(pod="iw1", number=3)),
        (RUN_NAME, "iw1 audit 5", RecordName(pod="iw1", number=5)),
        (RUN_NAME, "audit 5", RecordName(pod=None, number=5)),
        (RUN_NAME, "iw1 5", None),
        (CUBE_NAME, "my pod cube 7", RecordName(pod="my pod", number=7)),
        (CUBE_NAME, "7", RecordName(pod=None, number=7)),
    ],
)
def test_names_are_taken_apart(
    pattern: re.Pattern[str], text: str, name: RecordName | None
) -> None:
    assert parse_record_name(pattern, text) == name
