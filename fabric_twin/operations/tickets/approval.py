"""Approval of tickets by Nautobot's workflows, and what they do not ask: another person.

    submit -> ApprovalWorkflow -> each stage is answered, on Nautobot's pages or by its API
                                  '-> approved, denied or canceled -> the ticket

Who answers needs to be in the stage's group, may see the ticket, and did not write it. The last
is asked before an answer is written, wherever it comes from; the database asks again. A stage or a
workflow that somebody would write as decided, without answers, is refused.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db import transaction
from nautobot.extras.choices import ApprovalWorkflowStateChoices
from nautobot.extras.models import (
    ApprovalWorkflow,
    ApprovalWorkflowDefinition,
    ApprovalWorkflowStage,
    ApprovalWorkflowStageDefinition,
    ApprovalWorkflowStageResponse,
)
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.tickets.life import Action, State, check_another, moved
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.history import authors_of, note, who_asked

APPROVED, DENIED = ApprovalWorkflowStateChoices.APPROVED, ApprovalWorkflowStateChoices.DENIED
PENDING = ApprovalWorkflowStateChoices.PENDING
COMMENT = ApprovalWorkflowStateChoices.COMMENT
#: What Nautobot keeps of what is said to a stage.
LONGEST_ANSWER = 255
_ACTIONS = {APPROVED: Action.APPROVE, DENIED: Action.DENY}


def begin_workflow(ticket: Ticket) -> ApprovalWorkflow:
    """Begin the workflow that is defined for a ticket, or say that there is none."""
    workflow: ApprovalWorkflow | None = ticket.begin_approval_workflow()
    if workflow is None or not workflow.approval_workflow_stages.exists():
        raise NotPossible(
            "nobody is defined who would approve it",
            where=f"ticket {ticket.name}",
            remedy="Define an approval workflow for tickets with a stage, under Approvals; an "
            "upgrade (`nautobot-server post_upgrade`) makes the first one again",
        )
    return workflow


def begin_again(ticket: Ticket, user: User) -> None:
    """Ask for approval once more, as the definition is now; the history has the first answers."""
    ticket.associated_approval_workflows.exclude(current_state=PENDING).delete()
    workflow = begin_workflow(ticket)
    ApprovalWorkflow.objects.filter(pk=workflow.pk).update(user=user, user_name=user.username)


def cancel_workflow(ticket: Ticket, user: User | None, said: str) -> None:
    """Nobody has to decide any more."""
    for workflow in ticket.associated_approval_workflows.filter(current_state=PENDING):
        if user and workflow.approval_workflow_definition and workflow.active_stage:
            workflow.cancel(user, said[:255])
        else:  # the world moved, or its definition is gone
            canceled = {"state": ApprovalWorkflowStateChoices.CANCELED}
            workflow.approval_workflow_stages.filter(state=PENDING).update(**canceled)
            rows = ApprovalWorkflow.objects.filter(pk=workflow.pk)
            rows.update(current_state=ApprovalWorkflowStateChoices.CANCELED)


def answer(ticket: Ticket, user: User, action: Action, said: str) -> None:
    """Answer the stage that waits, as its page would."""
    stage = waiting_stage(ticket)
    if stage is None:
        moved(ticket.name, State(ticket.state), action)  # says what it waits for instead
        raise NotPossible(
            "none of its stages waits for an answer",
            where=f"ticket {ticket.name}",
            remedy="Ask for its undo first"
            if State(ticket.state) is State.DONE
            else "Withdraw it, and revise it",
        )
    state = APPROVED if action is Action.APPROVE else DENIED
    check_answer(stage, ticket, user, action)
    if len(said) > LONGEST_ANSWER:
        raise UnusableInput(
            f"an answer has at most {LONGEST_ANSWER} characters, and this has {len(said)}",
            where=f"ticket {ticket.name}",
            remedy="Say it shorter; a note on the ticket may be longer",
        )
    response, _ = ApprovalWorkflowStageResponse.objects.get_or_create(
        approval_workflow_stage=stage, user=user
    )
    response.comments, response.state = said, state
    response.save()


def waiting_stage(ticket: Ticket) -> ApprovalWorkflowStage | None:
    """The stage that is to be answered now."""
    workflow = ticket.associated_approval_workflows.filter(current_state=PENDING).first()
    stage: ApprovalWorkflowStage | None = workflow.active_stage if workflow else None
    return stage


def waiting_stages(tickets: Collection[Ticket]) -> dict[UUID, ApprovalWorkflowStage]:
    """The same of several tickets, by their keys, with its group: read at once."""
    if not tickets:
        return {}
    rows = ApprovalWorkflowStage.objects.filter(
        approval_workflow__object_under_review_content_type=ContentType.objects.get_for_model(
            Ticket
        ),
        approval_workflow__object_under_review_object_id__in=[one.pk for one in tickets],
        approval_workflow__current_state=PENDING,
    ).exclude(state=APPROVED)
    rows = rows.select_related(
        "approval_workflow", "approval_workflow_stage_definition__approver_group"
    )
    found: dict[UUID, ApprovalWorkflowStage] = {}
    for stage in rows.order_by("approval_workflow_stage_definition__sequence"):
        found.setdefault(stage.approval_workflow.object_under_review_object_id, stage)
    return found


def check_answer(stage: ApprovalWorkflowStage, ticket: Ticket, user: User, action: Action) -> None:
    """Refuse an answer of somebody who may not give it, or about what is decided already."""
    moved(ticket.name, State(ticket.state), action)
    authors = who_asked(ticket) if State(ticket.state) is State.DONE else authors_of(ticket)
    check_another(ticket.name, user.username, authors, action)
    definition = stage.approval_workflow_stage_definition
    group = definition.approver_group if definition else None
    is_approver = user.is_superuser or (group and group.user_set.filter(pk=user.pk).exists())
    if not (is_approver and Ticket.objects.restrict(user, "view").filter(pk=ticket.pk).exists()):
        raise NotPermitted(
            f"{user} may not {action} it",
            where=f"ticket {ticket.name}",
            remedy=f"Ask somebody of the group {group} who may see the ticket"
            if group
            else "Ask somebody who may approve",
        )


def is_approver(user: User) -> bool:
    """Whether this user is asked to decide about tickets at all."""
    asked = ApprovalWorkflowStageDefinition.objects.filter(
        approval_workflow_definition__model_content_type=ContentType.objects.get_for_model(Ticket),
        approver_group__user=user,
    )
    return bool(user.is_superuser) or asked.exists()


def check_response(response: ApprovalWorkflowStageResponse) -> None:
    """Check an answer to a ticket before it is written, wherever it comes from."""
    action = _ACTIONS.get(response.state)
    if action is None:
        return
    stage = response.approval_workflow_stage
    if not _is_of_ticket(stage.approval_workflow):
        return
    ticket = stage.approval_workflow.object_under_review
    if not isinstance(ticket, Ticket):
        return
    try:
        check_answer(stage, ticket, response.user, action)
    except FabricTwinError as refusal:
        # Nautobot's pages and its API know this one, and none of ours.
        raise PermissionDenied(str(refusal)) from None


def _is_of_ticket(workflow: ApprovalWorkflow) -> bool:
    tickets = ContentType.objects.get_for_model(Ticket)
    return bool(workflow.object_under_review_content_type_id == tickets.pk)


def check_stage(stage: ApprovalWorkflowStage) -> None:
    """A stage is decided by its answers, and not by a user who may write it."""
    _refuse_to_move(stage, stage.approval_workflow)
    if stage.state not in _ACTIONS or not _is_of_ticket(stage.approval_workflow):
        return
    answers = stage.approval_workflow_stage_responses.filter(state=stage.state).count()
    if answers < (_approvers_of(stage) if stage.state == APPROVED else 1):
        _refuse_to_write(stage, stage.state)


def check_workflow(workflow: ApprovalWorkflow) -> None:
    """A workflow is decided by its stages."""
    state = workflow.current_state
    _refuse_to_move(workflow, workflow)
    if state not in _ACTIONS or not _is_of_ticket(workflow):
        return
    states = set(workflow.approval_workflow_stages.values_list("state", flat=True))
    if not (states == {APPROVED} if state == APPROVED else DENIED in states):
        _refuse_to_write(workflow, state)


#: What of an approval stays: answers about one ticket count for no other, and its stages ask whom
#: their definition names.
_STAYS: Mapping[type, tuple[str, ...]] = {
    ApprovalWorkflowStage: ("approval_workflow_id", "approval_workflow_stage_definition_id"),
    ApprovalWorkflow: (
        "approval_workflow_definition_id",
        "object_under_review_content_type_id",
        "object_under_review_object_id",
    ),
}


def _refuse_to_move(
    written: ApprovalWorkflow | ApprovalWorkflowStage, workflow: ApprovalWorkflow
) -> None:
    """Refuse to write an approval of a ticket as that of another, or as one of another kind."""
    columns = _STAYS[type(written)]
    there = type(written).objects.filter(pk=written.pk).first()
    if there is None:
        ticket = workflow.object_under_review if _is_of_ticket(workflow) else None
        is_other = ticket and workflow.approval_workflow_definition != (
            ApprovalWorkflowDefinition.objects.find_for_model(ticket)
        )
    else:
        before = there if isinstance(there, ApprovalWorkflow) else there.approval_workflow
        is_other = (_is_of_ticket(before) or _is_of_ticket(workflow)) and any(
            getattr(there, column) != getattr(written, column) for column in columns
        )
    if is_other:
        raise PermissionDenied("the approval of a ticket stays as its definition began it")


def _refuse_to_write(decided: ApprovalWorkflow | ApprovalWorkflowStage, state: str) -> None:
    column = "current_state" if isinstance(decided, ApprovalWorkflow) else "state"
    if not type(decided).objects.filter(pk=decided.pk, **{column: state}).exists():
        raise PermissionDenied(
            f"a ticket is {state.lower()} by the answers of its approvers, and nobody writes it"
        )


def _approvers_of(stage: ApprovalWorkflowStage) -> int:
    definition = stage.approval_workflow_stage_definition
    return max(1, definition.min_approvers) if definition else 1


def note_response(response: ApprovalWorkflowStageResponse) -> None:
    """The ticket's history has every comment, and every yes that is not the last one."""
    if response.state not in (COMMENT, APPROVED):
        return
    stage = response.approval_workflow_stage
    workflow = stage.approval_workflow
    if not _is_of_ticket(workflow):
        return
    if response.state == APPROVED:
        given = stage.approval_workflow_stage_responses.filter(state=APPROVED).count()
        others = workflow.approval_workflow_stages.exclude(pk=stage.pk)
        if given >= _approvers_of(stage) and not others.exclude(state=APPROVED).exists():
            return
    with transaction.atomic():
        rows = Ticket.objects.select_for_update(of=("self",), no_key=True)
        ticket = rows.filter(pk=workflow.object_under_review_object_id).first()
        if ticket:
            what = "comment" if response.state == COMMENT else "agree"
            note(ticket, what, response.user, response.comments)


def outcome_of(workflow: ApprovalWorkflow) -> tuple[Action, User | None, str]:
    """How a workflow ended, and who answered last with what words."""
    action = _ACTIONS.get(workflow.current_state, Action.WITHDRAW)
    responses = ApprovalWorkflowStageResponse.objects.filter(
        approval_workflow_stage__approval_workflow=workflow, state=workflow.current_state
    )
    last = responses.order_by("-last_updated").first()
    return action, last.user if last else None, last.comments if last else ""
