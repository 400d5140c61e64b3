"""Tickets decided on Nautobot's own pages and over its own API: four eyes hold by every way."""

from typing import Any

from django.contrib.auth.models import Group
from django.urls import reverse
from nautobot.extras.models import (
    ApprovalWorkflow,
    ApprovalWorkflowDefinition,
    ApprovalWorkflowStage,
    ApprovalWorkflowStageDefinition,
)
from nautobot.users.models import Token
from rest_framework.test import APIClient

from fabric_twin.first_records import APPROVERS
from fabric_twin.models import Slice, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.approval import waiting_stage
from tests.nautobot.bases.tickets.ticket_case import TicketCase
from tests.nautobot.bases.users import allow

OWN = "it is of ada, and nobody decides about their own ticket"


class DecidedByNautobotTest(TicketCase):
    """Ada wrote the ticket, and is an approver as Otto is."""

    def setUp(self) -> None:
        super().setUp()
        self.ada.groups.add(Group.objects.get(name=APPROVERS))
        allow(self.ada, ["view", "change"], Slice)
        self.ticket = life.submit(self.wish(), self.ada)
        stage = waiting_stage(self.ticket)
        assert stage
        self.stage: ApprovalWorkflowStage = stage

    def page(self, who: Any, deed: str, **given: str) -> Any:
        """What Nautobot's page answers, asked or sent."""
        self.client.force_login(who)
        url = reverse(f"extras:approvalworkflowstage_{deed}", args=[self.stage.pk])
        return self.client.post(url, given) if given else self.client.get(url)

    def rest(self, who: Any, path: str, method: str = "post", **given: Any) -> Any:
        token, _ = Token.objects.get_or_create(user=who)
        client = APIClient(HTTP_AUTHORIZATION=f"Token {token.key}")
        url = f"/api/extras/{path}/"
        return getattr(client, method)(url, given, format="json")

    def of_stage(self, deed: str = "") -> str:
        return f"approval-workflow-stages/{self.stage.pk}/{deed}".rstrip("/")

    def assertIs(self, state: str, *history: tuple[str, str, str]) -> None:  # type: ignore[override]
        """The ticket's state, and its history since it was submitted."""
        self.ticket.refresh_from_db()
        self.assertEqual(self.ticket.state, state)
        lines = self.ticket.events.order_by("number").values_list("what", "who__username", "said")
        self.assertEqual(list(lines)[2:], list(history))

    def test_an_approver_sees_the_change_and_approves_on_nautobots_page(self) -> None:
        seen = self.page(self.otto, "approve").content.decode()
        self.assertIn("Change, port by port", seen)
        self.assertIn('<svg class="drawing"', seen)
        answer = self.page(self.otto, "approve", comments="free cubes only")
        self.assertEqual(answer.status_code, 302)
        self.assertIs("approved", ("approve", "otto", "free cubes only"))
        self.assertEqual(self.ticket.approved_by, self.otto)

    def test_an_approver_denies_on_nautobots_page(self) -> None:
        self.assertEqual(self.page(self.otto, "deny").status_code, 200)
        self.page(self.otto, "deny", comments="not this week")
        self.assertIs("withdrawn", ("deny", "otto", "not this week"))
        self.assertEqual(self.ticket.revised_by.author, self.ada)

    def test_an_approver_approves_over_nautobots_api(self) -> None:
        answer = self.rest(self.otto, self.of_stage("approve"), comments="free cubes only")
        self.assertEqual(answer.status_code, 200, answer.content)
        self.assertIs("approved", ("approve", "otto", "free cubes only"))

    def test_an_approver_denies_over_nautobots_api(self) -> None:
        answer = self.rest(self.otto, self.of_stage("deny"), comments="not this week")
        self.assertEqual(answer.status_code, 200, answer.content)
        self.assertIs("withdrawn", ("deny", "otto", "not this week"))

    def test_nobody_decides_about_their_own(self) -> None:
        for deed in ("approve", "deny"):
            with self.subTest(deed):
                answer = self.page(self.ada, deed, comments="mine")
                self.assertEqual(answer.status_code, 403)
                told = self.rest(self.ada, self.of_stage(deed), comments="mine")
                self.assertEqual(told.status_code, 403)
                self.assertIn(OWN, told.content.decode())
                self.assertIs("submitted")

    def test_nobody_writes_that_it_is_approved(self) -> None:
        root = self.root
        allow(self.ada, ["view", "change"], ApprovalWorkflow)
        workflow = f"approval-workflows/{self.stage.approval_workflow_id}"
        for who in (self.ada, self.otto, root):
            for path, column in ((self.of_stage(), "state"), (workflow, "current_state")):
                for state in ("Approved", "Denied"):
                    with self.subTest(who=who, path=path, state=state):
                        self.rest(who, path, "patch", **{column: state})
                        self.assertIs("submitted")
                        self.stage.refresh_from_db()
                        self.assertEqual(self.stage.state, "Pending")
                        self.assertEqual(self.stage.approval_workflow.current_state, "Pending")
        self.rest(self.otto, self.of_stage("approve"), comments="seen")
        self.assertIs("approved", ("approve", "otto", "seen"))

    def test_answers_about_one_ticket_count_for_no_other(self) -> None:
        allow(self.ada, ["view", "change"], ApprovalWorkflow)
        self.rest(self.otto, self.of_stage("approve"), comments="seen")
        self.assertIs("approved", ("approve", "otto", "seen"))
        approved = self.stage
        definition = approved.approval_workflow.approval_workflow_definition
        other = ApprovalWorkflowDefinition.objects.create(
            name="Others decide", model_content_type=definition.model_content_type, weight=900
        )
        ApprovalWorkflowStageDefinition.objects.create(
            approval_workflow_definition=other,
            sequence=1,
            name="Others",
            min_approvers=1,
            approver_group=Group.objects.create(name="Others"),
        )
        self.ticket = life.submit(self.wish(name="other"), self.ada)
        own = waiting_stage(self.ticket)
        assert own
        mine, theirs = own.approval_workflow, approved.approval_workflow
        for path, given in (
            (self.of_stage(), {"approval_workflow": str(mine.pk)}),
            (f"approval-workflow-stages/{own.pk}", {"approval_workflow": str(theirs.pk)}),
            (f"approval-workflows/{mine.pk}", {"custom_fields": {}}),
        ):
            with self.subTest(path=path, given=given):
                self.rest(self.ada, path, "patch", **given)
                self.assertIs("submitted")
        stages = ApprovalWorkflowStage.objects.filter(pk__in=[approved.pk, own.pk])
        self.assertEqual(
            set(stages.values_list("pk", "approval_workflow")),
            {(approved.pk, theirs.pk), (own.pk, mine.pk)},
        )

    def test_a_comment_is_in_the_history_of_the_ticket(self) -> None:
        self.page(self.otto, "comment", comments="why so many?")
        self.rest(self.ada, self.of_stage("comment"), comments="the job is large")
        said = (("comment", "otto", "why so many?"), ("comment", "ada", "the job is large"))
        self.assertIs("submitted", *said)
        self.page(self.otto, "approve", comments="then go")
        self.assertIs("approved", *said, ("approve", "otto", "then go"))

    def test_of_two_who_must_approve_both_are_in_the_history(self) -> None:
        definition = self.stage.approval_workflow_stage_definition
        definition.min_approvers = 2
        definition.save()
        self.page(self.otto, "approve", comments="one")
        self.assertIs("submitted", ("agree", "otto", "one"))
        self.rest(self.ada, self.of_stage("approve"), comments="two")
        self.assertIs("submitted", ("agree", "otto", "one"))
        self.page(self.root, "approve", comments="two")
        self.assertIs("approved", ("agree", "otto", "one"), ("approve", "root", "two"))

    def test_an_emergency_asks_nobody_and_is_reviewed_by_another(self) -> None:
        ticket = self.wish(shape="4x4x4", name="lost")
        with self.assertRaisesMessage(Exception, "you may not approve it in an emergency"):
            life.hasten(ticket, self.otto, "the hall floods")
        ticket = life.hasten(ticket, self.root, "the hall floods")
        self.assertIsNone(waiting_stage(ticket))
        owed = Ticket.objects.filter(emergency=True, reviewed_at=None)
        self.assertEqual([one.name for one in owed], ["v4-t2"])
        life.withdraw(ticket, self.root, "it is dry")
        for who in (self.ada, self.root):
            with self.assertRaisesMessage(Exception, "nobody reviews their own ticket"):
                life.review(ticket, who, "well done")
        life.review(ticket, self.otto, "it was one")
        self.assertEqual(owed.all().count(), 0)
