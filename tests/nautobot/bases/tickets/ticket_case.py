"""A pod, and users who write, approve and run its tickets."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from nautobot.apps.testing import TestCase

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.first_records import APPROVERS
from fabric_twin.models import Pod, Slice, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.users import allow


class TicketCase(TestCase):
    """Pod `v4` of eight cubes; Ada writes tickets, Otto approves and runs them."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4")
        users = get_user_model().objects
        cls.ada, cls.otto = users.create_user("ada"), users.create_user("otto")
        cls.root = users.create_superuser("root")
        allow(cls.ada, ["view"], Pod)
        allow(cls.ada, ["view", "add", "change"], Ticket)
        allow(cls.ada, ["view", "add", "change", "delete"], Slice)
        allow(cls.otto, ["view", "change", "run"], Ticket)
        cls.otto.groups.add(Group.objects.get(name=APPROVERS))

    def wish(self, shape: str = "4x4x8", name: str = "train", **terms: Any) -> Ticket:
        return wish_ticket(
            self.pod, "slice", {"shape": shape, "name": name}, self.ada, Terms(**terms)
        )

    def approved(self, **wish: Any) -> Ticket:
        return life.approve(life.submit(self.wish(**wish), self.ada), self.otto)

    def assertRefused(self, words: str, do: Any, *args: Any, **kwargs: Any) -> None:
        with self.assertRaises(FabricTwinError) as refused:
            do(*args, **kwargs)
        self.assertEqual(str(refused.exception), words)

    def history(self, ticket: Ticket) -> list[tuple[str, str]]:
        return list(ticket.events.order_by("number").values_list("what", "who__username"))
