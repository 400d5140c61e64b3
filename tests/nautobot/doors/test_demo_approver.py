"""The person who approves in the demo, over REST as the demo asks for it."""

import pynautobot
import pytest

from fabric_twin.stack.demo.tickets import APPROVER, _approver
from tests.nautobot.bases.processes.serving import serving


@pytest.mark.integration
def test_a_demo_that_was_stopped_finds_its_approver_again() -> None:
    with serving() as (address, token):
        nautobot = pynautobot.api(address, token=token)
        for _ in range(2):
            assert _approver(nautobot).users.tokens.all(), "it sees its own"
        assert len(nautobot.users.users.filter(username=APPROVER)) == 1
