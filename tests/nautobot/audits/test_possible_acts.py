"""Only what can be done with a finding now is offered: by its state, and to who may do it."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding, Pod, Silence, Ticket, WorkOrder
from fabric_twin.operations.audits.finding_life import acknowledge
from fabric_twin.operations.orders.finding_acts import possible_acts
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.users import allow

ALWAYS = {"assign", "silence"}
#: What each button of a finding's page says.
BUTTONS = {
    "Acknowledge": "acknowledge",
    "Assign": "assign",
    "Repair order": "repair",
    "Silence": "silence",
    "Ticket": "ticket",
    "Reopen": "reopen",
}


class PossibleActsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("lead")
        cls.pod: Pod = pod_with_findings("s", 1)
        cls.finding: Finding = cls.pod.findings.get()

    def possible(self, user: Any) -> set[str]:
        """What is possible; the page of the finding has a button for each, and no other."""
        self.finding.refresh_from_db()
        user = get_user_model().objects.get(pk=user.pk)  # a user remembers what they may do
        acts = set(possible_acts(self.finding, user))
        self.client.force_login(user)
        page = self.client.get(self.finding.get_absolute_url()).content.decode()
        words = re.findall(r"</span>\s*([A-Z][a-z]+(?: [a-z]+)?)\s*</(?:a|button)>", page)
        self.assertEqual({BUTTONS[one] for one in words if one in BUTTONS}, acts)
        return acts

    def test_each_state_has_its_own(self) -> None:
        self.assertEqual(self.possible(self.admin), ALWAYS | {"acknowledge", "repair", "ticket"})
        acknowledge(self.finding, self.admin, "parts come on Monday")
        self.assertEqual(self.possible(self.admin), ALWAYS | {"repair", "ticket", "reopen"})
        make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(self.finding,)), self.admin)
        self.assertEqual(self.possible(self.admin), ALWAYS | {"reopen"})
        rows = Finding.objects.filter(pk=self.finding.pk)
        update_state(rows, "joined")
        self.assertEqual(self.possible(self.admin), ALWAYS)
        update_state(rows, "mended", mended_at=self.finding.opened)
        self.assertEqual(self.possible(self.admin), {"reopen"})

    def test_what_hands_cannot_mend_has_no_order(self) -> None:
        Finding.objects.update(remedy=[])
        self.assertEqual(self.possible(self.admin), ALWAYS | {"acknowledge", "ticket"})

    def test_each_takes_its_permission(self) -> None:
        allow(self.user, ["view"], Finding, Pod)
        self.assertEqual(self.possible(self.user), set())
        allow(self.user, ["change"], Finding)
        self.assertEqual(self.possible(self.user), {"acknowledge", "assign"})
        allow(self.user, ["add"], Silence, Ticket, WorkOrder)
        self.assertEqual(self.possible(self.user), ALWAYS | {"acknowledge", "repair", "ticket"})
