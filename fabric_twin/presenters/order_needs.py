"""What an order needs before hands may work: each need with its ticket, and who acts next."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.contenttypes.models import ContentType
from django.utils.timezone import get_current_timezone
from nautobot.extras.models import ApprovalWorkflowStage, ContactAssociation
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.impact import BEAR, INTERRUPT, UNSEEN, Hit, Impact, where_it_goes
from fabric_twin.core.orders.order import Need
from fabric_twin.core.proposals.proposal import RETURN
from fabric_twin.core.slots import format_slots
from fabric_twin.core.tickets.drains import by_name
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.words import between
from fabric_twin.documents.orders.work_order import hours
from fabric_twin.documents.sheet import Table, table
from fabric_twin.models import Finding, Pod, Slice, Ticket, WorkOrder
from fabric_twin.operations.orders.drain_impact import names_seen
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.request_tickets import impact_before_asking, tickets_for
from fabric_twin.operations.orders.return_to_service import still_out
from fabric_twin.operations.orders.unmet_needs import (
    CIRCUITS,
    DRAIN,
    RECORD,
    SUBSTITUTE,
    by_silence,
    waits,
)
from fabric_twin.operations.tickets.approval import waiting_stages
from fabric_twin.operations.tickets.changes.drains import not_drained_each

#: Ports, or circuits, that a cell names.
MOST = 8
#: What is said of a dead switch where light has nothing to say.
SILENCE = "no circuit is there: only the silence of its controller says that it is dead"


@dataclass(frozen=True)
class NeedRow:
    """One line of the table."""

    what: str
    state: str
    #: Nautobot's colour of it.
    colour: str = "secondary"
    ticket: Ticket | None = None
    #: Whether the user may see the ticket's page.
    is_seen: bool = False
    waits_for: str = ""
    who: str = ""
    #: The findings that it is for.
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Note:
    """A sentence beside a table, and Nautobot's colour of it."""

    text: str
    level: str = "info"


def needs_of(order: WorkOrder, user: User) -> list[NeedRow]:
    """What must be so before some steps or checks, how far it is, and who acts next."""
    core = core_of(order)
    left = waits(order, core.needs, user) if order.is_open and core.needs else {}
    tickets = tickets_for(order, core.needs)
    seen = _seen({ticket.pk for ticket in tickets.values()}, user)
    keys = {key for need in core.needs for key in need.findings}
    keys |= {one.finding for one in core.deferred}
    found = Finding.objects.restrict(user, "view").filter(pod=order.pod_id, key__in=keys)
    findings = {finding.key: finding for finding in found} if keys else {}
    next_of = _next_of_each(tickets.values(), seen) if order.is_open else {}
    silent = by_silence(order, core.needs) if order.is_open else ()
    rows = []
    for need in core.needs:
        ticket = tickets.get(need.name)
        mended = tuple(findings[key] for key in need.findings if key in findings)
        facts: dict[str, Any] = {"ticket": ticket, "findings": mended}
        facts["is_seen"] = bool(ticket and ticket.pk in seen)
        if not order.is_open:
            rows.append(NeedRow(in_words(need), "", **facts))
        elif need.name not in left:
            words = f"{in_words(need)}; {SILENCE}" if need.name in silent else in_words(need)
            rows.append(NeedRow(words, "met", "success", **facts))
        else:
            why, who = left[need.name], _nobody_asked(need)
            if ticket and ticket.is_open:
                more, who = next_of[ticket.pk]
                why = f"{why}; {more}" if more else why
            rows.append(
                NeedRow(in_words(need), "not yet", "warning", waits_for=why, who=who, **facts)
            )
    for one in core.deferred:
        there = findings.get(one.finding)
        words = f"finding {there.code if there else one.finding}"
        named = (there,) if there else ()
        rows.append(NeedRow(words, "left out", waits_for=one.why, findings=named))
    return rows + list(_still_out(order, user))


def _still_out(order: WorkOrder, user: User) -> Iterable[NeedRow]:
    """The ports that are out of service for the order, and what brings them back."""
    out = still_out(order)
    if not out:
        return
    back = order.tickets.filter(kind=RETURN).order_by("-number", "-revision").first()
    is_seen = bool(back and _seen({back.pk}, user))
    more, who = ("", "")
    if back and back.is_open:
        more, who = _next_of_each([back], {back.pk} if is_seen else set())[back.pk]
    yield NeedRow(
        f"back in service: {_ports(out)}",
        "out of service",
        "warning",
        back,
        is_seen,
        "the end of the order" if order.is_open else more or "its ticket",
        who or ("the order asks by itself" if order.is_open else ""),
    )


def in_words(need: Need) -> str:
    """A need as an operator would say it."""
    match need.what:
        case str(what) if what == DRAIN:
            once = f", needed only if {need.ports[0][0]} runs again" if need.dead else ""
            return f"no circuit on {_ports(need.ports)}{once}"
        case str(what) if what == SUBSTITUTE:
            return f"spare {need.spare} in place of {_ports(need.ports)}"
        case str(what) if what == CIRCUITS:
            return "circuits: " + "; ".join(map(_move, need.moves[:MOST]))
        case _:
            return "record: " + "; ".join(map(_move, need.moves[:MOST]))


def _nobody_asked(need: Need) -> str:
    if need.what == RECORD:
        return "anyone who may change it: Correct the record"
    return "anyone who may change the order: Tickets for its needs"


def _next_of_each(tickets: Iterable[Ticket], seen: Collection[UUID]) -> dict[UUID, tuple[str, str]]:
    """What each open ticket waits for, and who does that; its state alone where it is not seen."""
    found = {
        one.pk: (f"a ticket that you may not see is {one.get_state_display().lower()}", "")
        for one in tickets
        if one.is_open and one.pk not in seen
    }
    shown = {one.pk: one for one in tickets if one.is_open and one.pk in seen}.values()
    stages = waiting_stages([one for one in shown if one.state == State.SUBMITTED])
    before = [one for one in shown if one.state in (State.APPROVED, State.SCHEDULED)]
    drains = not_drained_each(before)
    for one in shown:
        found[one.pk] = _next_of(one, stages.get(one.pk), drains.get(one.pk, []))
    return found


def _next_of(
    ticket: Ticket, stage: ApprovalWorkflowStage | None, drains: list[str]
) -> tuple[str, str]:
    match State(ticket.state):
        case State.DRAFT:
            return (
                "the draft is not submitted",
                f"{ticket.author}, or anyone who may change it: Submit",
            )
        case State.SUBMITTED:
            definition = stage.approval_workflow_stage_definition if stage else None
            group = definition.approver_group if definition else None
            return "approval", f"{group or 'an approver'}, but not {ticket.author}"
        case State.APPROVED | State.SCHEDULED as state:
            return _before_its_run(ticket, state, drains)
        case State.RUNNING:
            return "its run", "nobody: a worker carries it out"
    return ticket.message or "it is held", "anyone who may run tickets: Resume or Undo"


def _before_its_run(ticket: Ticket, state: State, drains: list[str]) -> tuple[str, str]:
    waits_for = f"confirmation that {by_name(drains, ticket.plan)}" if drains else ""
    if state is State.SCHEDULED:
        window = between(ticket.window_start, ticket.window_end, get_current_timezone())
        who = "anyone who may change them: Confirm drained" if drains else "it begins by itself"
        return waits_for or window or "a worker", who
    confirm = "anyone who may change them: Confirm drained; then " if drains else ""
    return waits_for or "a start", f"{confirm}anyone who may run tickets: Start now"


def impact_table(pod: Pod, impact: Impact, user: User, *, interrupt: bool) -> Table:
    """Who is interrupted and for how long, before anything is asked."""
    names = [hit.name for hit in impact.hits]
    rows = Slice.objects.restrict(user, "view").filter(pod=pod, name__in=names)
    keys = dict(rows.values_list("name", "pk")) if names else {}
    owners = _owners(keys)
    hits = [
        (
            *(hit.name if hit.name in keys else UNSEEN, hit.shape),
            *(f"{len(set(hit.slots)):,}: {format_slots(sorted(set(hit.slots)))}", hit.circuits),
            *(owners.get(hit.name, "not known"), _what_happens(hit, interrupt=interrupt)),
            _how_long(hit, interrupt=interrupt),
        )
        for hit in impact.hits
    ]
    hits += [
        ("no slice", "", "", 1, "made by hand", _of_hand(str(one), interrupt=interrupt), "")
        for one in impact.by_hand[:MOST]
    ]
    columns = "slice,shape,cubes,circuits removed,owner,what happens,for about"
    return table("Who is interrupted", columns, hits)


#: What is said of an order where there are no slices: of a network, and of a cluster.
_NO_SLICES = (
    "The ticket says what each pair keeps, and waits until its links are drained.",
    "No ticket is needed. What runs over a cable stops while it is unplugged.",
)


def impact_note(pod: Pod, impact: Impact, user: User, *, interrupt: bool) -> Note:
    """What the choice to interrupt means here, or why tickets would be refused."""
    if not pod.can(Verb.SLICE):
        return Note(_NO_SLICES[pod.is_cluster])
    seen = names_seen(pod, impact, user)
    try:
        impact.check("", interrupt=True, seen=seen)
    except FabricTwinError as refusal:
        return Note(str(refusal), "warning")
    if impact.takes_nothing:
        why = ": no light passes a dead switch" if impact.hits else ""
        return Note(f"No slice is interrupted{why}.")
    if not impact.needs_interrupt:
        finds = "finds other cubes"
        if any(hit.bears for hit in impact.hits):
            finds += " or bears it"
        return Note(f"Interrupt is not needed: every slice in the way {finds}.")
    instead = f" {BEAR}." if impact.bearing_suffices else ""
    if interrupt:
        return Note(
            "Interrupt is chosen. What cannot move loses its circuits on these ports once somebody "
            "has confirmed that the slice runs nothing, and gets them back when the order has "
            f"ended.{instead}"
        )
    return Note(
        f"Without interrupt tickets are refused: {impact.why_stuck(seen)}. {INTERRUPT}.{instead}",
        "warning",
    )


def shown_before_asking(
    order: WorkOrder, user: User, *, interrupt: bool, bear: bool = False
) -> dict[str, Any]:
    """For a page that asks for tickets: whom they would interrupt, or why they are refused."""
    try:
        impact = impact_before_asking(order, bear=bear)
    except FabricTwinError as refusal:
        return {"note": Note(str(refusal), "warning")}
    return {
        "impact": impact_table(order.pod, impact, user, interrupt=interrupt),
        "note": impact_note(order.pod, impact, user, interrupt=interrupt),
    }


def _what_happens(hit: Hit, *, interrupt: bool) -> str:
    if hit.moves or hit.bears:
        said = where_it_goes(hit)
    elif interrupt:
        said = f"interrupted, as it cannot move: {hit.why}"
    else:
        said = f"cannot move: {hit.why}"
    return f"{said}; {hit.offer}" if hit.offer else said


def _how_long(hit: Hit, *, interrupt: bool) -> str:
    if hit.moves:
        return f"{hours(hit.seconds)}, while it moves"
    if hit.already:
        return "until the switch is back"
    back = f"{hours(hit.seconds)} of work, and until its ports are given back by ticket"
    if hit.bears:
        return f"slower for {back}"
    if interrupt:
        return back
    return "not interrupted: these ports stay in use"


def _of_hand(circuit: str, *, interrupt: bool) -> str:
    return f"{circuit} is removed" if interrupt else f"{circuit} stays: its port stays in use"


def _owners(keys: Mapping[str, Any]) -> dict[str, str]:
    """Contacts of slices, by the name of the slice."""
    if not keys:
        return {}
    names = {pk: name for name, pk in keys.items()}
    rows = ContactAssociation.objects.filter(
        associated_object_type=ContentType.objects.get_for_model(Slice),
        associated_object_id__in=names,
    ).select_related("contact", "team", "role")
    found: dict[str, list[str]] = {}
    for row in rows.order_by("created"):
        said = f"{row.contact or row.team}{f' ({row.role})' if row.role else ''}"
        found.setdefault(names[row.associated_object_id], []).append(said)
    return {name: ", ".join(said) for name, said in found.items()}


def _seen(keys: set[Any], user: User) -> set[Any]:
    rows = Ticket.objects.restrict(user, "view").filter(pk__in=keys)
    return set(rows.values_list("pk", flat=True)) if keys else set()


def _ports(ports: Iterable[tuple[str, str]]) -> str:
    listed = [" ".join(port) for port in ports]
    more = f" and {len(listed) - MOST:,} more" if len(listed) > MOST else ""
    return ", ".join(listed[:MOST]) + more


def _move(move: Mapping[str, Any]) -> str:
    """A circuit to add or to remove, a record to correct, or links to spread."""
    if "object" in move:
        return f"{move['object']}: {move['field']} {move['from']} -> {move['to']}"
    if "switch" in move:
        return f"{move['do']} {move['switch']} {move['a']} {move['b']}"
    return " ".join(map(str, move.values()))
