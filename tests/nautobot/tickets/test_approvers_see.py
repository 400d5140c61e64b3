"""Who approves sees what a ticket is about, and changes none of it."""

from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ApprovalWorkflowDefinition
from nautobot.users.models import ObjectPermission

from fabric_twin.core.orders.order import Kind
from fabric_twin.first_records import APPROVERS, make_first_records
from fabric_twin.models import OpticalCircuit, Slice
from fabric_twin.operations.orders.actions import ORDER_DEEDS
from fabric_twin.operations.orders.finding_acts import possible_acts
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.small_tickets import write_ticket


class ApproversSeeTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        _as_new()
        lead = get_user_model().objects.create_superuser("lead")
        cls.pod = pod_with_findings("s", 1)
        cls.finding = cls.pod.findings.get()
        cls.order = make_order(cls.pod, OrderWish(kind=Kind.REPAIR, findings=(cls.finding,)), lead)
        made = Slice.objects.create(
            pod=cls.pod, name="train-1", shape="4x4x4", status=status_of(Slice)
        )
        switch = cls.pod.switches.first()
        circuit = OpticalCircuit.objects.create(switch=switch, a=1, b=2, slice=made, wanted=True)
        cls.about: list[Any] = [
            *(cls.pod, cls.pod.cubes.first(), switch, cls.pod.ports.first(), circuit, made),
            *(cls.finding, cls.order, cls.pod.audit_runs.get()),
            write_ticket(cls.pod, lead, slice=made, finding=cls.finding),
        ]

    def setUp(self) -> None:
        super().setUp()
        self.user.groups.add(Group.objects.get(name=APPROVERS))

    def test_every_page_of_what_a_ticket_names_is_there(self) -> None:
        for record in self.about:
            with self.subTest(str(record)):
                self.assertHttpStatus(self.client.get(record.get_absolute_url()), 200)

    def test_nothing_of_it_is_theirs_to_change(self) -> None:
        self.assertEqual(possible_acts(self.finding, self.user), frozenset())
        self.assertEqual(ORDER_DEEDS.possible(self.order, self.user), [])
        may = {
            (action, model.model)
            for permission in ObjectPermission.objects.filter(groups__name=APPROVERS)
            for action in permission.actions
            for model in permission.object_types.all()
            if action != "view"
        }
        self.assertEqual(may, {("change", "ticket"), ("change", "approvalworkflowstage")})


def _as_new() -> None:
    """The App's own approvers, as a new installation has them."""
    ApprovalWorkflowDefinition.objects.all().delete()
    ObjectPermission.objects.filter(name__startswith=APPROVERS).delete()
    Group.objects.filter(name=APPROVERS).delete()
    make_first_records(None, apps=apps)
