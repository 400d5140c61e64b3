"""Acts on tickets and orders: what pages say of them, beside what operations do."""

from nautobot.apps.testing import TestCase

from fabric_twin.api.orders import WorkOrderViewSet
from fabric_twin.api.tickets import TicketViewSet
from fabric_twin.cli.remote.order import DEEDS as ORDER_COMMANDS
from fabric_twin.cli.remote.ticket import DEEDS as TICKET_COMMANDS
from fabric_twin.operations.orders.actions import ASK, CORRECT, ORDER_DEEDS
from fabric_twin.operations.tickets.actions import TICKET_DEEDS
from fabric_twin.presenters.acts import ORDER_ACTS, TICKET_ACTS


class ActsTest(TestCase):
    def test_every_act_has_a_button_in_the_order_in_which_it_is_done(self) -> None:
        self.assertEqual(list(TICKET_ACTS), [deed.name for deed in TICKET_DEEDS])
        self.assertEqual(list(ORDER_ACTS), [deed.name for deed in ORDER_DEEDS])

    def test_the_command_line_has_just_the_acts_that_rest_has(self) -> None:
        # Needs of an order have addresses of their own over REST, and are no acts there.
        tickets = {deed.name for deed in TICKET_DEEDS}
        orders = {deed.name for deed in ORDER_DEEDS} - {ASK, CORRECT}
        self.assertEqual(set(TICKET_COMMANDS), tickets)
        self.assertEqual(set(ORDER_COMMANDS), orders)
        for viewset, acts in ((TicketViewSet, tickets), (WorkOrderViewSet, orders)):
            self.assertLessEqual(acts, {one.url_path for one in viewset.get_extra_actions()})
