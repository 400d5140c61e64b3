"""Acts on tickets and orders: what pages say of them, beside what operations do."""

from nautobot.apps.testing import TestCase

from fabric_twin.operations.orders.actions import ORDER_DEEDS
from fabric_twin.operations.tickets.actions import TICKET_DEEDS
from fabric_twin.presenters.acts import ORDER_ACTS, TICKET_ACTS


class ActsTest(TestCase):
    def test_every_act_has_a_button_in_the_order_in_which_it_is_done(self) -> None:
        self.assertEqual(list(TICKET_ACTS), [deed.name for deed in TICKET_DEEDS])
        self.assertEqual(list(ORDER_ACTS), [deed.name for deed in ORDER_DEEDS])
