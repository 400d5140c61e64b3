"""Make work orders, and what people do with a whole one, by the table of `core/orders/life.py`.

    make                            a user who may add it
    assign withdraw close reopen    a user who may change it; take it over: who may do it
    start pause finish              a user who may `do_workorder`

Each works in one transaction, writes a line of the order's history, and answers with the order as
it is then. Reports of single steps are in `reports/take_reports.py`, the fabric's part in
`fabric/`. Refusals are `FabricTwinError`.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.orders.life import NEEDS_REASON, PERMISSION, Act, OrderIs
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.reasons import check_reason
from fabric_twin.models import Finding, Pod, WorkOrder
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits.finding_life import take
from fabric_twin.operations.orders.blocks import plan_block
from fabric_twin.operations.orders.cubes import (
    begin_cubes,
    leave_cubes,
    plan_cubes,
    take_out_cubes,
)
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.propose import OrderWish, propose_order, whole_wish
from fabric_twin.operations.orders.record import core_of, held, held_by, progress_of
from fabric_twin.operations.orders.return_to_service import after_order
from fabric_twin.operations.orders.unfinished import (
    give_again,
    left_in_words,
    release_order_findings,
    take_findings_again,
    use_up,
)
from fabric_twin.operations.orders.write_steps import write_steps
from fabric_twin.repositories.change_log import CREATE, record_alone
from fabric_twin.repositories.permissions import require_kinds
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, cubes_at, place, release_all, reserve
from fabric_twin.repositories.states import save_state
from fabric_twin.repositories.transactions import after_commit


def make_order(pod: Pod, wish: OrderWish, user: User, *, keep: bool = True) -> WorkOrder:
    """Make an order with all that it holds, or refuse it and leave everything as it was.

    A dry run (not `keep`) makes it and takes it back, so it is refused where the making would be.
    """
    with transaction.atomic():
        there = hold_pod(pod, user)
        require_kinds(user, "add", [WorkOrder])
        last = WorkOrder.objects.filter(pod=there).aggregate(last=Max("number"))["last"]
        number = 1 + (last or 0)
        wish = whole_wish(there, wish, user)
        proposed = propose_order(there, wish, f"{there.name}-w{number}")
        core = proposed.order
        facts = core.as_json()
        order = WorkOrder(
            author=user,
            pod=there,
            number=number,
            kind=core.kind,
            title=wish.title or core.title,
            reason=wish.reason,
            wish=wish.as_json(),
            # Steps are rows of their own, and what else is asked often has columns.
            facts={key: value for key, value in facts.items() if key != "steps"},
            measure=dict(proposed.measure),
            crews=core.crews,
            due=wish.due,
            elsewhere=wish.elsewhere,
            _custom_field_data=dict(wish.custom_fields),
        )
        order.validated_save()
        if not WorkOrder.objects.restrict(user, "add").filter(pk=order.pk).exists():
            raise NotPermitted(
                f"you may not make the order {order.name}",
                where=f"pod {there.name}",
                remedy="Ask for the permission to add such work orders",
            )
        if core.kind == Kind.INSTALL and wish.block:
            plan_block(there, wish.block, user)
        elif core.kind == Kind.INSTALL:
            plan_cubes(there, core.slots, user)
        record = PodRecord(there)
        write_steps(order, core, record)
        reserve(order, held_of(core, record))
        _work_on(order, wish)
        record_alone(order, f"make: {core.title}", user, CREATE)
        say(order, "make", core.title, user)
        transaction.set_rollback(not keep)
    return order


def held_of(core: CoreOrder, record: PodRecord) -> Places:
    """What an order holds: the ports of switches that are touched, and the cubes it is about."""
    switches = {name: pk for pk, name, _ in record.switches.values()}
    touched = {port for step in core.steps if step.guarded for port in simplex(step.at)}
    return Places(
        frozenset(place(switches[device], port) for device, port in touched if device in switches),
        cubes_at(record.pod, core.slots),
    )


def _work_on(order: WorkOrder, wish: OrderWish) -> None:
    """The findings that the order mends are being worked on by it."""
    left_out = {left["finding"] for left in order.facts["deferred"]}
    mended = [finding for finding in wish.findings if finding.key not in left_out]
    order.findings.set(mended)
    take(Finding.objects.filter(pk__in=[one.pk for one in mended]), order.name, order.author)


def assign_order(
    order: WorkOrder, user: User, *, assignee: Any = None, team: Any = None, said: str = ""
) -> WorkOrder:
    """Give it to a person or a team, or take it over."""
    if assignee is None and team is None:
        raise UnusableInput(
            "nobody is named", where="assignee", remedy="Name a person, a team, or both"
        )
    mine = assignee is not None and assignee == user and team is None
    with transaction.atomic():
        there = _held_for(Act.ASSIGN, order, user, said, taken_over=mine)
        if assignee is not None:
            there.assignee = assignee
        if team is not None:
            there.team = team
        who = " and ".join(str(one) for one in (assignee, team) if one)
        given = _acted(there, Act.ASSIGN, user, f"to {who}. {said}".strip(" ."), person=who)
        # Only now: a permission may be for the orders that are given to somebody.
        if assignee is not None and not _may_do(assignee, given):
            raise NotPossible(
                f"{assignee} may not do {order}",
                where="assignee",
                remedy="Name somebody else, or ask for the permission to do it",
            )
        return given


def _may_do(user: User, order: WorkOrder) -> bool:
    return bool(WorkOrder.objects.restrict(user, "do").filter(pk=order.pk).exists())


def start_order(order: WorkOrder, user: User) -> WorkOrder:
    """Start or resume work; its time is counted from now."""
    with transaction.atomic():
        there = _held_for(Act.START, order, user)
        begun = _acted(there, Act.START, user)
        begin_cubes(begun)
        if progress_of(begun).awaits_worker:
            dispatch.advance_soon(begun.pk)
        return begun


def act_on(act: Act, order: WorkOrder, user: User, said: str = "") -> WorkOrder:
    """Pause, finish or close an order: nothing follows but what its new state brings."""
    with transaction.atomic():
        return _acted(_held_for(act, order, user, said), act, user, said)


def reopen_order(order: WorkOrder, user: User, said: str = "") -> WorkOrder:
    """Something is not as it should be: it holds its ports again, and tries again what it left."""
    with transaction.atomic():
        there = _held_for(Act.REOPEN, order, user, said)
        opened = _acted(there, Act.REOPEN, user, said)
        give_again(opened)
        hold_again(opened)
        take_findings_again(opened, user)
        return opened


def hold_again(order: WorkOrder) -> None:
    """What an order released is reserved again, but for cubes that have joined the pod."""
    core, record = core_of(order), PodRecord(order.pod)
    gone = set(progress_of(order).qualified()) if order.kind == Kind.INSTALL else set()
    done = {bundle.name for bundle in core.bundles if bundle.slot in gone}
    steps = tuple(step for step in core.steps if step.bundle not in done)
    slots = tuple(slot for slot in core.slots if slot not in gone)
    reserve(order, held_of(replace(core, steps=steps, slots=slots), record))


def withdraw_order(order: WorkOrder, user: User, said: str = "") -> WorkOrder:
    """Withdraw it: nothing is reserved any more, and its findings are released."""
    with transaction.atomic():
        there = _held_for(Act.WITHDRAW, order, user, said)
        left = leave_cubes(there)
        gone = _acted(there, Act.WITHDRAW, user, f"{said}; {left}" if left else said)
        release_order_findings(gone, user)
        return gone


def _held_for(
    act: Act, order: WorkOrder, user: User, said: str = "", *, taken_over: bool = False
) -> WorkOrder:
    """An order that a user may do this to, and says of it what has to be said."""
    there = held_by(order, user, "do" if taken_over else PERMISSION[act])
    check_reason(said, f"work order {there}", needed=act in NEEDS_REASON)
    return there


def _acted(
    order: WorkOrder, act: Act, user: User | None, said: str = "", person: str = ""
) -> WorkOrder:
    """An order after an act, kept: its state, its times, what it holds, and a line of history."""
    now = timezone.now()
    after = progress_of(order).after(act, person).state
    if order.under_way_since and after != OrderIs.UNDER_WAY:
        order.worked += (now - order.under_way_since).total_seconds()
        order.under_way_since = None
    if after == OrderIs.UNDER_WAY and not order.under_way_since:
        order.under_way_since = now
        order.started = order.started or now
    if after == OrderIs.DONE and (left := left_in_words(order)):
        said = f"{said}; {left}" if said else left
    order.ended = now if after in ENDED else None
    order.message = said
    if after in ENDED:
        _count_done(order)
    save_state(order, after)
    record_alone(order, f"{act}: {said}".strip(": "), user)
    if after in ENDED:
        release_all(order)
        after_commit(after_order, order.pk)
        dispatch.advance_soon(order.pk)  # which releases its ports
    if after == OrderIs.DONE:
        release_order_findings(order, user)
        use_up(order)
        take_out_cubes(order)
    say(order, str(act), said, user)
    return order


def _count_done(order: WorkOrder) -> None:
    """What was really done, as often as it was done, beside the estimate."""
    said = order.reports.filter(taken=True, told=Told.DONE).values_list("step", flat=True)
    times = Counter(said)
    if times:
        order.measure = {**order.measure, "done": measure(core_of(order), times).as_json()}


def act_by_itself(order: WorkOrder, act: Act, said: str) -> None:
    """What light or an audit does with an order that is held."""
    acted = _acted(order, act, None, said)
    if act == Act.REOPEN:
        take_findings_again(acted)


def finish_by_itself(order: WorkOrder, progress: Progress) -> bool:
    """Finish it once no manual step is left and every bundle is verified; whether that is so."""
    if progress.all_done and order.state == OrderIs.UNDER_WAY:
        act_by_itself(order, Act.FINISH, "")
    return progress.all_done


def reopen_by_itself(order: WorkOrder, progress: Progress) -> bool:
    """Whether an order that waited for light is open again: a step of it was taken back."""
    again = order.state == OrderIs.AWAITING_LIGHT and bool(progress.left)
    if again:
        act_by_itself(order, Act.REOPEN, f"again: step {progress.left[0].number}")
    return again


def go_on_by_itself(order: WorkOrder) -> None:
    """What follows from reports: all is done, or a step is to be done again."""
    with transaction.atomic():
        there = held(order)
        progress = progress_of(there)
        if not reopen_by_itself(there, progress):
            finish_by_itself(there, progress)
