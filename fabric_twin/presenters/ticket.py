"""A ticket as its page and its documents tell of it: read in a handful of queries, however long."""

from collections.abc import Iterable, Mapping
from datetime import UTC, tzinfo
from typing import Any

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.core.proposals.proposal import ProposedChange
from fabric_twin.core.tickets.called import Called, called
from fabric_twin.documents.tickets.facts import Drained, Said, StageFacts, TicketFacts
from fabric_twin.documents.tickets.ticket_files import FORMS, file_name, ticket_file
from fabric_twin.models import Pod, Ticket, TicketEvent, TicketStage
from fabric_twin.models.ticket import OnFailureChoices, RiskChoices, kind_told
from fabric_twin.operations.tickets.changes.drains import drains_of, interrupted_by

#: Lines of a history that are told; the last ones are what matters.
MOST_LINES = 500
#: Bad circuits of a stage that are told.
MOST_BAD = 50
#: The facts that a ticket's record has.
_AS_RECORDED = (
    *("name", "title", "reason", "risk_reason", "message", "review", "emergency", "most_bad"),
    *("submitted_at", "approved_at", "reviewed_at", "started", "ended", "blast", "plan"),
)


def ticket_facts(ticket: Ticket, page: str = "", zone: tzinfo = UTC) -> TicketFacts:
    """The facts of a ticket; `page` is where it can be seen, `zone` its reader's."""
    ports, cubes = _held(ticket)
    return TicketFacts(
        **{name: getattr(ticket, name) for name in _AS_RECORDED},
        pod=ticket.pod.name,
        design=ticket.pod.design,
        kind=ticket.get_kind_display(),
        state=ticket.get_state_display(),
        author=str(ticket.author),
        risk=ticket.get_risk_display(),
        on_failure=ticket.get_on_failure_display(),
        window=(ticket.window_start, ticket.window_end),
        approved_by=str(ticket.approved_by or ""),
        reviewed_by=str(ticket.reviewed_by or ""),
        contacts=_contacts(ticket),
        revises=ticket.revises.name if ticket.revises else "",
        warnings=tuple(map(str, ticket.warnings)),
        stages=[_stage(row, called(ticket.plan)) for row in ticket.stages.order_by("number")],
        drains=_drains(ticket),
        history=_history(ticket),
        ports_held=ports,
        cubes_held=cubes,
        changed=ticket.last_updated,
        page=page,
        zone=zone,
    )


def proposal_facts(proposal: ProposedChange, author: User, pod: Pod) -> TicketFacts:
    """What a ticket would be, before there is one."""
    on_failure = dict(OnFailureChoices.CHOICES)
    return TicketFacts(
        name=f"{proposal.names.pod}-t?",
        pod=proposal.names.pod,
        design=proposal.design,
        kind=kind_told(proposal.kind, pod),
        title=proposal.title,
        state="Proposed",
        is_made=False,
        author=str(author),
        risk=dict(RiskChoices.CHOICES)[proposal.risk.level],
        risk_reason=proposal.risk.reason,
        on_failure=on_failure[proposal.on_failure],
        blast=proposal.blast.as_json(),
        warnings=proposal.warnings,
        plan=proposal.plan_json(),
        drains=[Drained(name) for name in proposal.interrupted],
    )


def ticket_document_of(ticket: Ticket, form: str, page: str = "") -> tuple[str, str, bytes]:
    """Name, kind and content of a ticket's document."""
    facts = ticket_facts(ticket, page)
    content = ticket_file(facts, form)
    return file_name(facts, form), FORMS[form], content


def ticket_page(ticket: Ticket, request: Any) -> str:
    """Where the page of a ticket is, for the user who asked."""
    url: str = request.build_absolute_uri(reverse("plugins:fabric_twin:ticket", args=[ticket.pk]))
    return url


def _drains(ticket: Ticket) -> list[Drained]:
    rows = drains_of(ticket).select_related("slice", "confirmed_by")
    found = {
        row.slice.name: Drained(row.slice.name, str(row.confirmed_by or ""), row.at, row.note)
        for row in rows.order_by("at")
    }
    names = (*interrupted_by(ticket), *found)
    return [found.get(name, Drained(name)) for name in dict.fromkeys(names)]


def _held(ticket: Ticket) -> tuple[int, int]:
    held = ticket.reservations.order_by()
    cubes = held.filter(cube__isnull=False).count()
    return held.count() - cubes, cubes


def _contacts(ticket: Ticket) -> tuple[str, ...]:
    rows = ticket.associated_contacts.select_related("contact", "team", "role").order_by("created")
    return tuple(f"{row.contact or row.team}{f' ({row.role})' if row.role else ''}" for row in rows)


def _stage(row: TicketStage, words: Called) -> StageFacts:
    return StageFacts(
        row.get_state_display(),
        row.started,
        row.ended,
        row.tries,
        bad=tuple(_told(words, row.report, "bad", "many")),
        worse=tuple(_told(words, row.report, "worse", "many_worse")),
    )


def _told(words: Called, report: Mapping[str, Any], what: str, many: str) -> Iterable[str]:
    """Circuits of a stage that are bad, or worse than before."""
    rows = report.get(what, ())
    for one in rows[:MOST_BAD]:
        yield one if isinstance(one, str) else _in_words(words, one)
    if (more := report.get(many, len(rows)) - len(rows[:MOST_BAD])) > 0:
        yield f"and {more:,} more"


def _in_words(words: Called, told: Mapping[str, Any]) -> str:
    circuit = f"{words.joined(str(told.get('a')), str(told.get('b')))} on {told.get('switch')}"
    if "wanted" not in told:
        return f"{circuit}: {told.get('why', '')}"
    wanted = "should be there" if told["wanted"] else "should be gone"
    return f"{circuit} {wanted}: {told.get('why', '')}"


def _history(ticket: Ticket) -> list[Said]:
    rows = TicketEvent.objects.filter(ticket=ticket).select_related("who").order_by("-number")
    return [
        Said(row.number, row.at, str(row.who or "the worker"), row.what, row.said)
        for row in reversed(rows[:MOST_LINES])
    ]
