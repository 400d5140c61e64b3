"""What was to be released is released only where its switch shows it."""

import pytest

from fabric_twin.core.errors import NoAnswer, NotPossible
from fabric_twin.core.orders.port_lock import PortSeen
from fabric_twin.services.orders.keep_dark import Seen

OCS, PORT = "iw-ocs-x-1-1", ("iw-ocs-x-1-1", "1A")
HEARD = frozenset({OCS})
FREE, BLOCKED = PortSeen(False, False), PortSeen(True, False)


def test_a_port_that_is_seen_free_is_released() -> None:
    Seen({PORT: FREE}, heard=HEARD).check_released([PORT])


def test_ports_of_a_switch_without_an_address_were_never_blocked() -> None:
    Seen({}).check_released([PORT])


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (Seen({PORT: BLOCKED}, heard=HEARD), f"{OCS} port 1A: it is still blocked"),
        (Seen({}, heard=HEARD), f"{OCS} port 1A: its switch shows no such port now"),
        (
            Seen({}, {OCS: NoAnswer("it hung up", where=OCS)}),
            f"{OCS}: its ports may still be blocked: it hung up",
        ),
    ],
)
def test_anything_else_is_refused_and_says_what_it_is(seen: Seen, why: str) -> None:
    with pytest.raises(NotPossible) as refusal:
        seen.check_released([PORT])
    assert str(refusal.value).startswith(f"{why}.")
