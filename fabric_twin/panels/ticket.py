"""What the page of a ticket shows: the words of its documents, its steps, and its change drawn."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone
from nautobot.apps.ui import DistinctViewTab, Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.extras.models.approvals import ApprovalWorkflow
from nautobot.users.models import User

from fabric_twin.core.tickets.called import called
from fabric_twin.core.tickets.how_far import Stage, how_far
from fabric_twin.core.tickets.life import State
from fabric_twin.documents import embed
from fabric_twin.documents.tickets import ticket as told
from fabric_twin.documents.tickets.facts import TicketFacts
from fabric_twin.models import Finding, Pod, Slice, Ticket
from fabric_twin.models.ticket import DirectionChoices, TicketStateChoices
from fabric_twin.models.ticket_course import StageStateChoices
from fabric_twin.operations.tickets.changes.link_drains import DRAINS
from fabric_twin.panels.concerning import ConcerningPanel
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link, links
from fabric_twin.panels.once import once
from fabric_twin.panels.seeing import sight_of
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.ticket import ticket_facts
from fabric_twin.presenters.visible_pod import page
from fabric_twin.tables.columns import badge

#: The way of a ticket that goes well, and where others leave it.
WAY = (State.DRAFT, State.SUBMITTED, State.APPROVED, State.SCHEDULED, State.RUNNING, State.DONE)
#: Running, the other way.
BACK = "back"
#: States in which the page asks again by itself, and how often.
LIVE = State.SUBMITTED, State.APPROVED, State.SCHEDULED, State.RUNNING, State.FAILED
EVERY = "2s"


def facts_of(ticket: Ticket) -> TicketFacts:
    """The facts of a ticket."""
    return once(ticket_facts, ticket, "", get_current_timezone())


#: The tables of a ticket's page in which something is named.
NAMING = (told.drained, told.records, told.stages, told.bad, told.worse, told.history)


def links_of(ticket: Ticket, user: User) -> NameLinks:
    """The pages of all that the page of a ticket names, read at once."""
    facts = facts_of(ticket)
    texts = [cell for of in NAMING for row in of(facts).rows for cell in row]
    texts += [facts.title, *told.about(facts).values(), *told.concerns(facts).values()]
    return NameLinks(user, ticket.pod, texts)


def tell_about(ticket: Ticket, user: User) -> Mapping[str, Any]:
    """What it is, who answers for it, when it is done, and what it is for."""
    named = once(links_of, ticket, user)
    title = format_html('<span class="text-break">{}</span>', named.linked(ticket.title))
    about = named.facts(told.about(facts_of(ticket)))
    if Pod.objects.restrict(user, "view").filter(pk=ticket.pod_id).exists():
        of = facts_of(ticket).called.pod.capitalize()
        about[of] = link(page("pod", ticket.pod_id), about[of])
    return {**about, "Title": title, **_made_for(ticket, user)}


def _made_for(ticket: Ticket, user: User) -> Mapping[str, Any]:
    """The finding that it mends, the slice that it makes or releases, and orders that need it."""
    found: dict[str, Any] = {
        "Finding": Finding.objects.filter(pk=ticket.finding_id),
        called(ticket.plan).slice.capitalize(): Slice.objects.filter(pk=ticket.slice_id),
        "Work orders": ticket.work_orders.select_related("pod").defer("facts").order_by("number"),
    }
    rows = {name: found[name].restrict(user, "view") for name in found}
    linked = {
        name: links((page(one._meta.model_name, one.pk), one) for one in of)
        for name, of in rows.items()
    }
    return {name: shown for name, shown in linked.items() if shown}


def tell_concerns(ticket: Ticket, user: User) -> Mapping[str, Any]:
    """What is lost with it, and what is left for others."""
    return once(links_of, ticket, user).facts(told.concerns(facts_of(ticket)))


def draw_change(ticket: Ticket, user: User) -> Drawn | None:
    """The change port by port, each switch with a way to its page."""
    facts = facts_of(ticket)
    if not facts.circuits:
        return None
    switches = sight_of(ticket.pod, user).switches.values()
    links = {name: page("switch", pk) for pk, name, _ in switches}
    return Drawn(told.drawn(facts), facts.pod, links)


class ProgressPanel(Panel):
    """The states as a line of steps, and how far each stage is; it looks again by itself."""

    body_content_template_path = "fabric_twin/panels/ticket_progress.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps."""
        return {**super().get_extra_context(context), **progress_of(get_obj_from_context(context))}


def seen_of(ticket: Ticket) -> str:
    """What a page that stays open has to be new for: its state, and what is to be confirmed."""
    waits = f"-{ticket.direction}-{ticket.stage}" if ticket.message.startswith(DRAINS) else ""
    return f"{ticket.state}{waits}"


def progress_of(ticket: Ticket) -> dict[str, Any]:
    """Steps and stages of a ticket, for the page and its refresh."""
    stages = list(ticket.stages.order_by("number"))
    is_back = ticket.direction == DirectionChoices.BACK
    end = StageStateChoices.UNDONE if is_back else StageStateChoices.DONE
    far = how_far(
        (
            # The way there does not tell how long the way back takes, nor a stage that stopped.
            Stage(
                one.removes + one.adds,
                one.state == end,
                None if is_back or one.tries > 1 else one.started,
                one.ended,
            )
            for one in stages
            if not is_back or one.started
        ),
        timezone.now(),
    )
    return {
        "ticket": ticket,
        "seen": seen_of(ticket),
        "steps": list(steps_of(ticket)),
        "stages": stages,
        "far": far,
        "is_running": ticket.state == State.RUNNING,
        "back": is_back,
        "is_live": ticket.state in LIVE,
        "called": called(ticket.plan),
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


def is_draft(ticket: Ticket, user: User) -> bool:  # noqa: ARG001
    """Whether people still decide about it: what is submitted never changes."""
    return ticket.state == State.DRAFT


def has_window(ticket: Ticket, user: User) -> bool:  # noqa: ARG001
    """Whether a calendar has anything to show."""
    return ticket.window_start is not None


class WorkflowPanel(Panel):
    """Nautobot's approval workflow of a ticket: its stages, and who answered what."""

    body_content_template_path = "fabric_twin/panels/workflow.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The workflow with its stages and answers."""
        workflow: Any = once(workflow_of, get_obj_from_context(context))  # else there is no tab
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
    found = ApprovalWorkflow.objects.filter(object_under_review_object_id=ticket.pk)
    found = found.select_related("approval_workflow_definition")
    newest: ApprovalWorkflow | None = found.order_by("-created").first()
    return newest


class WorkflowTab(DistinctViewTab):
    """The tab of the workflow, where there is one."""

    def should_render(self, context: Any) -> bool:
        """Whether there is a workflow."""
        workflow = once(workflow_of, get_obj_from_context(context))
        return super().should_render(context) and workflow is not None


class TicketsPanel(ConcerningPanel):
    """Tickets that concern the record of the page, what is open first."""

    heads = ("Ticket", "What", "Kind", "State", "Risk", "Author")
    #: The tickets of a record.
    among: Callable[[Any], Any] | None = None

    def rows(self, record: Any, user: User) -> Any:
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
        return {"drawing": SafeString(""), "nothing": SafeString(told.no_change(facts.called))}
    drawing, style = embed.svg(told.drawn(facts), facts.pod, {}), embed.style()
    # Our own templates escape every name: see documents/environment.py.
    return {"drawing": mark_safe(drawing), "style": mark_safe(style)}  # noqa: S308
