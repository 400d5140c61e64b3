"""What pages and paper say of a work order."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, F, Q, Value
from django.db.models.functions import Coalesce, NullIf
from django.urls import reverse
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.orders.in_the_aisle import fabric_does, failed_by, without_key
from fabric_twin.core.orders.life import SETTLED, StepIs
from fabric_twin.core.orders.measure import Measure
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.routes import IN_WORDS
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.orders.steps import BY_LIGHT, BY_NEIGHBOURS, Do, Step
from fabric_twin.documents.formats import MEDIA, make
from fabric_twin.documents.orders.work_order import hours, only_if, order_labels
from fabric_twin.documents.sheet import Table, table
from fabric_twin.models import Block, Pod, StepPhoto, WorkOrder
from fabric_twin.operations.orders.blocks import without_address
from fabric_twin.operations.orders.propose import Proposed
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.reports.offline_steps import faults_in, faults_of
from fabric_twin.operations.orders.unfinished import left_of
from fabric_twin.operations.orders.unmet_needs import CIRCUITS, DRAIN, SUBSTITUTE
from fabric_twin.presenters.moments import local_moment
from fabric_twin.presenters.order_needs import in_words
from fabric_twin.repositories.floor import floor_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.issue import Issued
from fabric_twin.services.orders.render_order import FORMATS, render_order

#: Rows that a page shows of a long list; papers have all.
MOST = 200
#: Papers of an order: the kind of each.
PAPERS = {form: MEDIA[form] for form in ("html", "pdf", "csv", "md", "json")}
PAPERS["labels"] = MEDIA["pdf"]
_SETTLED = [str(state) for state in SETTLED]


def about_order(order: WorkOrder) -> Mapping[str, Any]:
    """What it is, who has it, and how far it is."""
    worked = order.worked
    if order.under_way_since:
        worked += (timezone.now() - order.under_way_since).total_seconds()
    facts = {
        "Title": order.title,
        "Kind": order.get_kind_display(),
        "State": order.get_state_display(),
        "Reason": order.reason,
        "Author": order.author,
        "Assigned to": " and ".join(str(one) for one in (order.assignee, order.team) if one),
        "Crews": order.crews,
        "Route": IN_WORDS.get(order.wish.get("route", ""), ""),
        "Due": local_moment(order.due),
        "External reference": order.elsewhere,
        "Started": local_moment(order.started),
        "Ended": local_moment(order.ended),
        "Worked": f"{worked / 60:,.0f} min" if worked else "",
        "Last word": order.message,
    }
    return {name: value for name, value in facts.items() if value not in ("", None)}


def address_wanted(order: WorkOrder, user: User) -> Mapping[str, Any]:
    """The block that an order brings, where it has no address yet; as far as the user may see."""
    if not order.is_open or order.kind != Kind.INSTALL:
        return {}
    rows = Block.objects.restrict(user, "view").filter(pod=order.pod)
    mute = rows.filter(device__name__in=without_address(order)).order_by("first_port")
    names = ", ".join(mute.values_list("device__name", flat=True))
    said = f"{names} has none: give it one on the page of the block, so that its light is tested"
    return {"Address": said} if names else {}


def cost_of(measure: Mapping[str, Any]) -> Mapping[str, Any]:
    """What it takes, and what it would take to go to one finding after another."""
    takes, naive = measure.get("takes", {}), measure.get("one_by_one", {})
    done = measure.get("done", {})
    words = {
        "Hands-on steps": ("hands_on_steps", "{:,.0f}"),
        "Rack visits": ("rack_visits", "{:,.0f}"),
        "On foot": ("metres", "{:,.0f} m"),
        "Time": ("seconds", "{:,.0f} s"),
    }
    told = {}
    for label, (name, form) in words.items():
        if name in takes:
            said = [
                f"{word}{hours(row[name]) if name == 'seconds' else form.format(row[name])}"
                for word, row in (("", takes), ("done: ", done), ("one by one: ", naive))
                if name in row
            ]
            told[label] = said[0] + (f" ({', '.join(said[1:])})" if said[1:] else "")
    return told


def progress_by(order: WorkOrder, column: str, title: str) -> Table:
    """How far each crew, or each bundle, is; of a repair a bundle is a finding with its steps."""
    # Of a finding's steps only the check names it as its bundle.
    mends = NullIf("finding__key", Value(""))
    what = F("crew") if column == "crew" else Coalesce(mends, NullIf("bundle", Value("")))
    rows = (
        order.steps.exclude(state=StepIs.NOT_DUE)
        .annotate(what=what)
        .exclude(what=None)
        .order_by("what")
        .values("what")
        .annotate(
            steps=Count("pk"),
            settled=Count("pk", filter=Q(state__in=_SETTLED)),
            verified=Count("pk", filter=Q(state=StepIs.VERIFIED)),
            failed=Count("pk", filter=Q(state=StepIs.FAILED)),
            cannot=Count("pk", filter=Q(state=StepIs.CANNOT)),
        )
    )
    shown_rows = list(rows[:MOST])
    # Two findings may be called the same; its key leads to each.
    faults = {} if column == "crew" else faults_of(order, {row["what"] for row in shown_rows})
    shown = [
        (
            f"{faults[row['what']]} ({row['what']})" if row["what"] in faults else row["what"],
            *(row["steps"], row["settled"], row["verified"], row["failed"], row["cannot"]),
        )
        for row in shown_rows
    ]
    return table(title, f"{column},steps,finished,verified,failed,cannot", shown)


def parts_of(facts: Mapping[str, Any]) -> Table:
    """The bill of materials against stock, where somebody counts it."""
    parts = facts.get("materials", ())
    rows = [(part["part"], part["needed"], part.get("perhaps") or "") for part in parts]
    if not any(part["on_hand"] or part["ordered"] for part in parts):
        return table("Parts", "part,needed,may be needed", rows)
    stock = [
        (here := part["on_hand"], more := part["ordered"], max(0, part["needed"] - here - more))
        for part in parts
    ]
    told = [(*row, *there) for row, there in zip(rows, stock, strict=True)]
    return table("Parts", "part,needed,may be needed,on hand,ordered,short", told)


def steps_of(order: WorkOrder) -> Table:
    """The steps that are not settled, as far as a page can show them."""
    unsettled = ~Q(state__in=_SETTLED)
    if order.is_open:
        unsettled |= Q(state=StepIs.NOT_DUE)
    left = order.steps.filter(unsettled).order_by("number")
    shown = [(row, Step.from_json(row.facts)) for row in left[:MOST]]
    faults = faults_of(order, {step.bundle or step.finding for _, step in shown} - {""})
    by = BY_NEIGHBOURS if order.pod.is_cluster else BY_LIGHT
    rows = []
    for row, step in shown:
        fault = faults.get(step.bundle or step.finding)
        words = fabric_does(step, fault) if step.do == Do.CHECK else str(step)
        state = failed_by(fault, by) if row.state == StepIs.FAILED else row.state
        rows.append(
            (
                *(row.number, row.crew, row.facts.get("rack", "")),
                *(only_if(step, words), state, without_key(step.bundle, row.why)),
            )
        )
    more = left.count() - len(rows)
    title = f"Steps ahead{f': the first {MOST}, and {more:,} more' if more > 0 else ''}"
    return table(title, "step,crew,rack,what,state,why", rows)


def undone_of(order: WorkOrder) -> list[dict[str, Any]]:
    """What cannot be done: the step, why, who says so, and the photo's address."""
    photos = StepPhoto.objects.filter(report__order=order, report__told=Told.CANNOT)
    of = dict(photos.order_by("report__received").values_list("report__step", "report"))
    return [
        {
            "number": row.number,
            "rack": row.facts.get("rack", ""),
            "words": str(Step.from_json(row.facts)),
            "why": row.why,
            "by": row.done_by,
            "at": row.done_at,
            "photo": of.get(row.number),
        }
        for row in left_of(order)
    ]


def said_of(order: WorkOrder) -> Table:
    """What people said last."""
    rows = [
        (
            local_moment(row.received, seconds=True),
            str(row.by or ""),
            row.step,
            row.told if row.taken else f"{row.told}, refused",
            row.reason or row.scanned or row.answer.get("why", ""),
        )
        for row in order.reports.select_related("by").order_by("-received")[:MOST]
    ]
    return table("Reports", "at,by,step,report,comment", rows)


def history_of(order: WorkOrder) -> Table:
    """Its history."""
    rows = [
        (local_moment(row.at, seconds=True), str(row.who or "by itself"), row.what, row.said)
        for row in order.events.select_related("who").order_by("-number")[:MOST]
    ]
    return table("History", "at,who,what,comment", rows)


def proposed_tables(proposed: Proposed, pod: Pod) -> list[Table]:
    """What an order would be, before there is one."""
    core = proposed.order
    facts = core.as_json()
    faults = faults_in(pod.pk, {one.finding for one in core.deferred}) if core.deferred else {}
    left_out = [(str(faults.get(one.finding, one.finding)), one.why) for one in core.deferred]
    cost = cost_of(proposed.measure)
    needs = [(in_words(need), *_met_by(need.what)) for need in core.needs]
    visits = [
        (number, visit[0].crew, visit[0].rack, len(visit), str(visit[1]) if len(visit) > 1 else "")
        for number, visit in enumerate(core.visits(), 1)
    ]
    return [
        Table("What it takes", ("item", "value"), tuple(cost.items())),
        parts_of(facts),
        table("Needed first", "need,becomes,waits for it", needs),
        table("Left out", "finding,why", left_out),
        table("Visits", "visit,crew,rack,steps,begins with", visits[:MOST]),
    ]


def lays_cables(order: WorkOrder, user: User) -> bool:  # noqa: ARG001
    """Whether there are cables to label."""
    return bool(order.facts.get("cables"))


def order_page(order: WorkOrder, request: Any) -> str:
    """Where a phone does an order, by the address at which the user reached this site."""
    url: str = request.build_absolute_uri(
        reverse("plugins:fabric_twin:workorder_do", args=[order.pk])
    )
    return url


def order_paper(order: WorkOrder, form: str, page: str = "") -> tuple[str, str, bytes]:
    """Name, kind and content of an order's paper, as `fabric-twin order` makes it.

    Codes on it open `page`, the order's page for a phone; none are drawn where it is not known.
    """
    core = core_of(order)
    if form == "labels":
        if not core.cables:
            raise DocumentRefused(
                "it lays no cables, so there is nothing to label",
                where=f"work order {order.name}",
                remedy="Print the order itself",
            )
        sheet = order_labels(core)
        return f"{order.name}-labels.pdf", PAPERS[form], make(sheet, "pdf", core.pod, None, None)
    assert form in FORMATS  # noqa: S101 - PAPERS has no other
    naive = order.measure.get("one_by_one")
    columns = ("hands_on_steps", "rack_visits", "metres", "seconds")
    alone = Measure(*(naive[name] for name in columns)) if naive else None
    keys = {bundle.finding for bundle in core.bundles} | {left.finding for left in core.deferred}
    faults = faults_of(order, keys - {""})
    issued = Issued(core, floor_of(PodRecord(order.pod)), alone, faults, order.pod.kind.noun)
    made = timezone.now().replace(microsecond=0)
    name, content = next(iter(render_order(issued, form, made=made, page=page)))
    return name, PAPERS[form], content


def _met_by(what: str) -> tuple[str, str]:
    """What meets a need, and what waits for that."""
    return {
        DRAIN: ("a ticket for maintenance of these ports", "the steps at these ports"),
        CIRCUITS: ("a ticket for drift", "the check of its finding"),
        SUBSTITUTE: (
            "a ticket for the spare, once the port is drained",
            "the check of its finding",
        ),
    }.get(what, ("Correct the record, on the order's page", "the end of the order"))
