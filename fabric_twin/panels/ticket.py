"""What the page of a ticket shows: the words of its documents, its steps, and its change drawn."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from nautobot.apps.ui import Button, DistinctViewTab, Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.extras.models.approvals import ApprovalWorkflow

from fabric_twin.core.tickets.lifecycle import State
from fabric_twin.documents import in_page
from fabric_twin.documents import ticket as told
from fabric_twin.documents.sheet import Table
from fabric_twin.documents.ticket import TicketFacts
from fabric_twin.models import Ticket
from fabric_twin.models.ticket import DirectionChoices, TicketStateChoices
from fabric_twin.panels.concerning import ConcerningPanel
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.seeing import sight_of
from fabric_twin.repositories.sight import page
from fabric_twin.repositories.ticket_actions import possible
from fabric_twin.repositories.ticket_facts import ticket_facts
from fabric_twin.tables.audit_run import badge

#: The way of a ticket that goes well, and where others leave it.
WAY = (State.DRAFT, State.SUBMITTED, State.APPROVED, State.SCHEDULED, State.RUNNING, State.DONE)
#: Running, the other way.
BACK = "back"
#: States in which the page asks again by itself, and how often.
LIVE, EVERY = (State.SCHEDULED, State.RUNNING), "2s"


def facts_of(ticket: Ticket) -> TicketFacts:
    """What is told of a ticket; the record keeps it for as long as the page is made."""
    kept = ticket.__dict__
    if "_fabric_twin_facts" not in kept:
        kept["_fabric_twin_facts"] = ticket_facts(ticket)
    found: TicketFacts = kept["_fabric_twin_facts"]
    return found


def tell_about(ticket: Ticket, user: Any) -> Mapping[str, Any]:  # noqa: ARG001
    """What it is, who answers for it, and when it is done."""
    title = format_html('<span class="text-break">{}</span>', ticket.title)
    return told.about(facts_of(ticket)) | {"Title": title}


def tell_concerns(ticket: Ticket, user: Any) -> Mapping[str, Any]:  # noqa: ARG001
    """Whom it takes along, and what is left for others."""
    return told.concerns(facts_of(ticket))


def draw_change(ticket: Ticket, user: Any) -> Drawn | None:
    """The change port by port, each switch with a way to its page."""
    facts = facts_of(ticket)
    if not facts.circuits:
        return None
    switches = sight_of(ticket.pod, user).switches.values()
    links = {name: page("switch", pk) for pk, name, _ in switches}
    return Drawn(told.drawn(facts), facts.pod, links)


class SheetPanel(Panel):
    """A table of the ticket's documents, as they have it."""

    of: Callable[[TicketFacts], Table] | None = None
    body_content_template_path = "fabric_twin/panels/sheet.html"

    def table(self, context: Any) -> Table:
        """The rows."""
        assert self.of  # noqa: S101 - every panel says which table
        return self.of(facts_of(get_obj_from_context(context)))

    def should_render(self, context: Any) -> bool:
        """Show it where there is a row."""
        return super().should_render(context) and bool(self.table(context).rows)

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The table."""
        return {**super().get_extra_context(context), "table": self.table(context)}


class ProgressPanel(Panel):
    """The states as a line of steps, and how far each stage is; it looks again by itself."""

    body_content_template_path = "fabric_twin/panels/ticket_progress.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps."""
        return {**super().get_extra_context(context), **progress_of(get_obj_from_context(context))}


def progress_of(ticket: Ticket) -> dict[str, Any]:
    """Steps and stages of a ticket, for the page and for whoever asks again."""
    stages = list(ticket.stages.order_by("number"))
    done = sum(stage.state in {"done", "undone"} for stage in stages)
    return {
        "ticket": ticket,
        "steps": list(steps_of(ticket)),
        "stages": stages,
        "share": round(100 * done / len(stages)) if stages else 0,
        "back": ticket.direction == "back",
        "is_live": ticket.state in LIVE,
        "every": EVERY,
    }


def steps_of(ticket: Ticket) -> list[dict[str, Any]]:
    """The line of steps: what is behind, where it stands, and what is ahead."""
    names = {**dict(TicketStateChoices.CHOICES), BACK: "Running back"}
    way, at = _way_of(ticket)
    return [
        {
            "label": names[one],
            "look": "now" if place == at else "past" if place < at else "ahead",
            "color": TicketStateChoices.CSS_CLASSES[State.RUNNING if one == BACK else one],
        }
        for place, one in enumerate(way)
    ]


def _way_of(ticket: Ticket) -> tuple[list[str], int]:
    """The steps that a ticket takes, and on which of them it is."""
    state, way = State(ticket.state), list(map(str, WAY))
    if state is State.WITHDRAWN:
        way = [*way[: way.index(_last_before(ticket)) + 1], state]
    elif state is State.UNDONE or ticket.direction == DirectionChoices.BACK:
        behind = way if _was_done(ticket) else way[:-1]
        if state is State.RUNNING:
            return [*behind, BACK, State.UNDONE], len(behind)
        way = [*behind, *[BACK] * (state is State.FAILED), state]
    elif state is State.FAILED:
        way = [*way[:-1], state]
    else:
        return way, way.index(state)
    return way, len(way) - 1


def _last_before(ticket: Ticket) -> str:
    """How far a ticket was that was withdrawn."""
    if ticket.approved_at:
        return str(State.APPROVED)
    return str(State.SUBMITTED if ticket.submitted_at else State.DRAFT)


def _was_done(ticket: Ticket) -> bool:
    return bool(ticket.events.filter(what__in=("finish", "done")).exists())


class DeedButton(Button):
    """One action on a ticket; shown only where this user can do it now."""

    deed = ""
    link_name = "plugins:fabric_twin:ticket_act"

    def should_render(self, context: Any) -> bool:
        """Whether it can be done now, by this user."""
        ticket, user = get_obj_from_context(context), context["request"].user
        kept = ticket.__dict__.setdefault("_fabric_twin_deeds", {})
        if user.pk not in kept:
            kept[user.pk] = {deed.name for deed in possible(ticket, user)}
        return self.deed in kept[user.pk]

    def get_link(self, context: Any) -> str:
        """The page that asks for a word, and for sure."""
        return f"{super().get_link(context)}?do={self.deed}"


class EditDraftButton(Button):
    """Leads to what people decide about a draft; what is submitted never changes."""

    def should_render(self, context: Any) -> bool:
        """Only for drafts."""
        is_draft = get_obj_from_context(context).state == State.DRAFT
        return is_draft and super().should_render(context)


class TicketFileButton(Button):
    """Leads to a ticket's document in one form."""

    form = "html"
    link_name = "plugins:fabric_twin:ticket_document"

    def should_render(self, context: Any) -> bool:
        """A calendar needs a window."""
        has_window = get_obj_from_context(context).window_start is not None
        return super().should_render(context) and (self.form != "ics" or has_window)

    def get_link(self, context: Any) -> str:
        """The document's address."""
        return f"{super().get_link(context)}?form={self.form}"


class WorkflowPanel(Panel):
    """Nautobot's approval workflow of a ticket: its stages, and who answered what."""

    body_content_template_path = "fabric_twin/panels/workflow.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The workflow with its stages and answers."""
        workflow: Any = workflow_of(get_obj_from_context(context))  # else there is no tab
        rows = workflow.approval_workflow_stages.select_related(
            "approval_workflow_stage_definition__approver_group"
        ).prefetch_related("approval_workflow_stage_responses__user")
        return {
            **super().get_extra_context(context),
            "workflow": workflow,
            "workflow_stages": rows.order_by("approval_workflow_stage_definition__sequence"),
        }


def workflow_of(ticket: Ticket) -> ApprovalWorkflow | None:
    """The workflow that decided, or decides, about a ticket."""
    kept = ticket.__dict__
    if "_fabric_twin_workflow" not in kept:
        found = ApprovalWorkflow.objects.filter(object_under_review_object_id=ticket.pk)
        found = found.select_related("approval_workflow_definition")
        kept["_fabric_twin_workflow"] = found.order_by("-created").first()
    return kept["_fabric_twin_workflow"]


class WorkflowTab(DistinctViewTab):
    """The tab of the workflow, where there is one."""

    def should_render(self, context: Any) -> bool:
        """Whether there is a workflow."""
        return super().should_render(context) and bool(workflow_of(get_obj_from_context(context)))


class TicketsPanel(ConcerningPanel):
    """Tickets that concern the record of the page, what is open first."""

    heads = ("Ticket", "What", "Kind", "State", "Risk", "Author")
    #: The tickets of a record.
    among: Callable[[Any], Any] | None = None

    def rows(self, record: Any, user: Any) -> Any:
        """The newest of them."""
        assert self.among  # noqa: S101 - every panel says which tickets
        return self.among(record).restrict(user, "view").select_related("pod", "author")

    def more(self, row: Any) -> Iterable[Any]:
        """How much is at stake, and whose it is."""
        return badge(row.get_risk_class(), row.get_risk_display()), row.author


class TicketsTab(DistinctViewTab):
    """A tab with the tickets of a record."""

    required_permissions = ("fabric_twin.view_ticket",)

    def __init__(self, model: str, among: Callable[[Any], Any]) -> None:
        panel = TicketsPanel(weight=100, label="Tickets", among=among)
        super().__init__(
            weight=900,
            tab_id="tickets",
            label="Tickets",
            url_name=f"plugins:fabric_twin:{model}_tickets",
            panels=[panel],
        )


def drawn_in_page(facts: TicketFacts) -> dict[str, SafeString]:
    """The change of a ticket for a page that is not made of panels."""
    if not facts.circuits:
        return {"drawing": SafeString(""), "nothing": SafeString(told.NO_CIRCUIT)}
    drawing, style = in_page.svg(told.drawn(facts), facts.pod, {}), in_page.style()
    # Our own templates escape every name: see documents/environment.py.
    return {"drawing": mark_safe(drawing), "style": mark_safe(style)}  # noqa: S308
