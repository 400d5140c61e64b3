"""Make tickets, and change them as long as they are drafts.

    proposal -> lock the pod -> Ticket, its stages, slices to be, reservations, history

What is done with a ticket after that is in `lifecycle.py`, a new revision in
`revise.py`. Every function asks what the user may do with this very ticket, works in one
transaction under the lock of the pod, and refuses in words (`FabricTwinError`).
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max, Model
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.proposals.proposal import ProposedChange
from fabric_twin.core.tickets.drains import bears, confirmed
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.words import between
from fabric_twin.models import (
    Cube,
    Finding,
    Multislice,
    OpticalCircuit,
    Pod,
    Slice,
    Substitution,
    Switch,
    Ticket,
    TicketDrain,
    TicketStage,
)
from fabric_twin.operations.audits.finding_life import take
from fabric_twin.operations.slices.make import check_takes_slices, refused_as_slice
from fabric_twin.operations.tickets.changes.accepted_circuits import ACCEPT, AcceptedCircuits
from fabric_twin.operations.tickets.changes.circuits import TicketCircuits, records_of
from fabric_twin.operations.tickets.changes.drains import interrupted_by
from fabric_twin.operations.tickets.changes.effects import KEEP_RINGS, Effects, slots_of
from fabric_twin.operations.tickets.changes.preconditions import fingerprint, present_of
from fabric_twin.operations.tickets.changes.to_core import course_of
from fabric_twin.operations.tickets.drafts.terms import Terms, check_ahead, set_terms
from fabric_twin.operations.tickets.finding_holders import free_of, refuse_held
from fabric_twin.operations.tickets.history import note
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.repositories.change_log import CREATE, record_alone
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.reservations import Places, cubes_at, refuse_in_hand, reserve

#: What a user must be allowed for each effect of a ticket, as for doing it without one.
_NEEDS: Mapping[str, tuple[str, type[Model]]] = {
    "make-slice": ("add", Slice),
    "release-slice": ("delete", Slice),
    "move-slice": ("change", Slice),
    "substitute": ("add", Substitution),
    "accept-circuits": ("change", OpticalCircuit),
    "set-slot-status": ("change", Cube),
    "set-switch-status": ("change", Switch),
    "set-port-status": ("change", Switch),
    KEEP_RINGS: ("view", Multislice),
}


def make_ticket(
    pod: Pod,
    proposal: ProposedChange,
    author: User,
    terms: Terms | None = None,
    *,
    finding: Finding | None = None,
    revises: Ticket | None = None,
    keep: bool = True,
) -> Ticket:
    """Make a draft of a proposal, with all that it holds: ports, cubes and slices to be.

    Refused where another open ticket holds one of its ports, with that ticket's name. A dry run
    (not `keep`) makes it and takes it back.
    """
    with refused_as_slice(f"pod {pod.name}"), transaction.atomic():
        held = hold_pod(pod, author)
        require_kinds(author, "add", [Ticket])
        ticket = _row(held, proposal, author, terms or Terms(), revises)
        if not revises:
            check_ahead(ticket)
        mends = Finding.objects.filter(pk=finding.pk) if finding else Finding.objects.none()
        # A revision is made even if another mends the finding by now, and takes it if none does.
        if not revises:
            refuse_held(mends)
        free = list(free_of(mends).values_list("pk", flat=True))
        ticket.finding = finding
        ticket.validated_save()
        _plan(ticket, proposal, author)
        if not Ticket.objects.restrict(author, "add").filter(pk=ticket.pk).exists():
            raise NotPermitted(
                f"you may not make tickets of pod {held.name}",
                where="ticket",
                remedy="Ask for the permission to add such tickets",
            )
        take(mends.filter(pk__in=free), ticket.name, author)
        what = "revise" if revises else "make"
        note(ticket, what, author, ticket.reason)
        record_alone(ticket, f"{what}: {ticket.reason}".strip(": "), author, CREATE)
        transaction.set_rollback(not keep)
    return ticket


def _row(
    pod: Pod, proposal: ProposedChange, author: User, terms: Terms, revises: Ticket | None
) -> Ticket:
    """The draft without what it holds."""
    if revises:
        number, revision = revises.number, revises.revision + 1
    else:
        last = Ticket.objects.filter(pod=pod).aggregate(last=Max("number"))["last"]
        number, revision = (last or 0) + 1, 1
    facts = {
        "title": proposal.title[:255],
        "risk": proposal.risk.level,
        "risk_reason": proposal.risk.reason[:255],
        "on_failure": proposal.on_failure,
    }
    row = Ticket(
        pod=pod,
        number=number,
        revision=revision,
        revises=revises,
        author=author,
        kind=proposal.kind,
        wish=dict(proposal.wish),
        blast=proposal.blast.as_json(),
        warnings=list(proposal.warnings),
        _custom_field_data=dict(terms.custom_fields),
    )
    set_terms(row, facts | terms.columns)
    return row


def _plan(ticket: Ticket, proposal: ProposedChange, author: User) -> None:
    """Write what is planned, and take what it needs."""
    pod = ticket.pod
    ids = dict(Slice.objects.filter(pod=pod).values_list("name", "pk"))
    plan = proposal.plan_json({name: str(key) for name, key in ids.items()})
    if not (plan["stages"] or plan["effects"] or proposal.plan.passed_on):
        raise NotPossible(
            "it would change nothing", where=f"pod {pod.name}", remedy="Ask for something else"
        )
    effects = Effects(pod, plan["effects"])
    # Before a slice is named that they may not see.
    _require(author, pod, effects)
    refuse_in_hand(pod, effects.of_slices)
    if any(one["do"] == "make-slice" for one in effects.all):
        check_takes_slices(pod)
    effects.prepare()
    _make_rings(ticket, effects)
    made = [one["id"] for one in effects.all if one["do"] == "make-slice"]
    require(author, "add", Slice, made)
    ticket.plan = plan
    course = course_of(ticket)
    plan["records"] = records_of(pod, course, proposal.plan, effects.of_slices, proposal.not_wanted)
    plan["present"] = present_of(pod, course, effects, plan)
    ticket.fingerprint = fingerprint(plan["present"])
    ticket.slice_id = next(iter(effects.of_slices), None)
    ticket.save()
    cubes = cubes_at(pod, slots_of(effects.all))
    ports = TicketCircuits(pod, course, plan["records"]).places | effects.accepted.places
    reserve(ticket, Places(ports, cubes))
    TicketStage.objects.bulk_create(
        TicketStage(
            ticket=ticket,
            number=number,
            removes=len(stage.remove),
            adds=len(stage.add),
            switches=len({circuit.switch for circuit in (*stage.remove, *stage.add)}),
            interrupts=[name for name in noted["interrupts"] if name],
        )
        for number, (stage, noted) in enumerate(zip(course.stages, plan["notes"], strict=True), 1)
    )


def _make_rings(ticket: Ticket, effects: Effects) -> None:
    """Multislices whose rings it makes name it; a later revision is found by its first."""
    made = Multislice.objects.filter(pod=ticket.pod, pk__in=effects.makes_rings_of)
    if made.exists():
        first = Ticket.objects.filter(pod=ticket.pod, number=ticket.number).order_by("revision")
        made.update(ticket=first.first())


def _require(author: User, pod: Pod, effects: Effects) -> None:
    """Who makes a ticket must be allowed what it does."""
    require_kinds(author, "add", [Ticket])
    for one in effects.all:
        action, model = _NEEDS[one["do"]]
        require_kinds(author, action, [model])
        require(author, action, model, _rows_of(one, pod))


def _rows_of(one: Mapping[str, Any], pod: Pod) -> list[Any]:
    """The records that an effect changes."""
    if one["do"] == ACCEPT:
        return [pk for pk, *_ in AcceptedCircuits(pod, [one]).rows.values()]
    if "slot" in one:
        return list(Cube.objects.filter(pod=pod, slot=one["slot"]).values_list("pk", flat=True))
    if one["do"] in {"set-switch-status", "set-port-status"}:
        switches = Switch.objects.filter(pod=pod, device__name=one["switch"])
        return list(switches.values_list("pk", flat=True))
    if one["do"] == KEEP_RINGS:
        return [one["multislice"]]
    return [one["id"]] if "id" in one else []


def edit_ticket(ticket: Ticket, user: User, terms: Terms) -> Ticket:
    """Change what people decide about a draft; what is submitted never changes."""
    with transaction.atomic():
        there = hold_ticket(ticket, user, "change")
        if there.state != State.DRAFT:
            raise NotPossible(
                f"it is {there.state}, and only a draft is changed",
                where=f"ticket {there.name}",
                remedy="Revise it: that makes a new draft",
            )
        before = there.window_end
        set_terms(there, terms.columns)
        if there.window_end != before:
            check_ahead(there)
        there._custom_field_data.update(terms.custom_fields)  # noqa: SLF001 - as Nautobot does
        there.validated_save()
        note(there, "edit", user, _changed(there, terms))
        record_alone(there, f"edit: {_changed(there, terms)}", user)
    return there


def _changed(ticket: Ticket, terms: Terms) -> str:
    """What was decided, by name; of a window also which."""
    columns = [name for name in terms.columns if not name.startswith("window_")]
    if len(columns) < len(terms.columns):
        window = between(ticket.window_start, ticket.window_end) or "none yet"
        columns.append(f"window: {window}")
    return ", ".join(columns)


def confirm_drained(ticket: Ticket, made: Slice, user: User, said: str = "") -> None:
    """Write down that a slice runs nothing, or can bear the ticket; it is not run before."""
    with transaction.atomic():
        there = hold_ticket(ticket, user, "view")
        if not Slice.objects.restrict(user, "change").filter(pk=made.pk).exists():
            raise NotPermitted(
                f"you may not speak for the slice {made.name}",
                where=f"ticket {there.name}",
                remedy="Ask for the permission to change it",
            )
        if made.name not in interrupted_by(there):
            raise NotPossible(
                f"it does not interrupt the slice {made.name}",
                where=f"ticket {there.name}",
                remedy="Name a slice that it interrupts",
            )
        TicketDrain.objects.update_or_create(
            ticket=there,
            slice=made,
            defaults={"confirmed_by": user, "at": timezone.now(), "note": said[:255]},
        )
        words = f"{confirmed(made.name, there.plan)}. {said}".strip()
        note(there, "bears" if bears(made.name, there.plan) else "drained", user, words)
        record_alone(there, words, user)
