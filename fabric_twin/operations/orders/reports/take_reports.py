"""Reports of steps are recorded: each once, with its effect, all or nothing.

    report --> core Progress --> steps that changed --> cables, modules    in one transaction
                                                   '--> a worker goes on, an audit looks there

A report that was taken and comes again is answered as before and changes nothing; one that was
refused may be said again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.orders.life import Deed, StepIs, step_after
from fabric_twin.core.orders.progress import TAKES, Progress
from fabric_twin.core.orders.reports import Answer, Report, Told, check_count
from fabric_twin.models import StepPhoto, StepReport, WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.record import held_by, keep_steps, progress_of, require_to
from fabric_twin.operations.orders.reports.live_port_guard import AT_HAND, not_dark
from fabric_twin.operations.orders.reports.photos import KEPT, photos_of
from fabric_twin.operations.orders.reports.step_effects import DoneStep, take_effect
from fabric_twin.repositories.change_log import UPDATE, record_change

#: A clock in the aisle may be wrong: what is said of the future is said now.
_AHEAD = timedelta(minutes=5)
#: What was done longer ago than this, in seconds, a port that is read now cannot show.
_LATE = 60.0


def take_reports(
    order: WorkOrder,
    user: User,
    reports: Sequence[Report],
    photos: Mapping[str, bytes] | None = None,
) -> list[Answer]:
    """Take what somebody did, in the order in which it was done; an answer each, as they came.

    One that is refused does not stop the others. The whole is one transaction: who gets no answer
    sends it again. Photos are unpacked once it is known that they are wanted, and before the order
    is held.
    """
    require_to(order, user, "do")
    check_count(len(reports))
    pictures = photos_of(_new_photos(order, photos or {}))
    lit = not_dark(order, reports)
    with transaction.atomic():
        there = held_by(order, user, "do")
        if photos and order.state not in TAKES and there.state in TAKES:
            raise NotPossible(
                "the order has only just begun to take reports, and its photos were not read",
                where=f"work order {order}",
                remedy="Send them again",
            )
        progress = progress_of(there, [report.id for report in reports])
        return _take(there, progress, user, reports, pictures, lit)


def _new_photos(order: WorkOrder, photos: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those worth unpacking: of an order that takes reports, of those that did not come yet."""
    if order.state not in TAKES:
        return {}
    came = StepReport.objects.filter(order=order, said_id__in=list(photos)).filter(
        Q(taken=True) | Q(photo__isnull=False)
    )
    known = set(came.values_list("said_id", flat=True))
    return {said: photo for said, photo in photos.items() if said not in known}


def _take(
    order: WorkOrder,
    progress: Progress,
    user: User,
    reports: Sequence[Report],
    photos: Mapping[str, bytes],
    lit: Mapping[int, str],
) -> list[Answer]:
    by = getattr(user, "username", "")
    before = progress
    # A report that is sent again, by a relay with another token, is the same report.
    first = {id_: report.by for id_, (report, _) in before.reports.items()}
    # As its row has it, so that the same is known again.
    said = [
        replace(one, by=first.get(one.id, by), at=round(one.at, 3), photo="") for one in reports
    ]
    answers: dict[int, Answer] = {}
    done: list[DoneStep] = []
    taken: list[tuple[Report, Answer]] = []
    for place in sorted(range(len(said)), key=lambda place: said[place].at):
        report = said[place]
        try:
            was = _state(progress, report)
            progress, answer = _take_guarded(progress, report, lit)
        except FabricTwinError as refusal:
            answer = Answer(False, was or StepIs.WAITING, str(refusal))
        answers[place] = answer
        if answer.again:
            continue
        taken.append((report, answer))
        if answer.taken and was != answer.state:
            step = progress.step(report.step)
            if report.told == Told.DONE or (report.told == Told.UNDONE and was != StepIs.CANNOT):
                done.append(DoneStep(step, report.told == Told.UNDONE, report.scanned))
    late = {report.step: _moment(report) for report, answer in taken if answer.taken}
    why = {r.step: r.reason for r, a in taken if a.taken and r.told == Told.CANNOT}
    why |= {r.step: a.why for r, a in taken if r.step in lit and not a.taken}
    changed = keep_steps(order, before, progress, who=user, at=late, why=why)
    take_effect(order, done)
    _keep_reports(order, user, taken, photos)
    _tell(order, user, [r for r, answer in taken if answer.taken], lit, changed=bool(changed))
    if changed and progress.awaits_worker:
        dispatch.advance_soon(order.pk)
    return [answers[place] for place in range(len(said))]


def _take_guarded(
    progress: Progress, report: Report, lit: Mapping[int, str]
) -> tuple[Progress, Answer]:
    """Take a report, unless somebody is at a port that is not dark now."""
    why = lit.get(report.step, "")
    known = report.id in progress.reports or report.told != Told.DONE
    if not why or known or _is_late(report):
        return progress.take(report)
    state = progress.steps[report.step - 1]
    if state not in AT_HAND:
        return progress.take(report)
    if state == StepIs.WAITING:
        progress = progress.but(report.step, step_after(state, Deed.LOCK))
    remedy = "Do not touch it; ask what comes next, and report it when the port is dark"
    said = f"step {report.step}: {why}. {remedy}."
    return progress, Answer(False, progress.steps[report.step - 1], said)


def _is_late(report: Report) -> bool:
    """Whether it tells what was done some time ago, by its own clock."""
    return bool(report.at) and timezone.now().timestamp() - report.at > _LATE


def _state(progress: Progress, report: Report) -> StepIs | None:
    there = 1 <= report.step <= len(progress.steps)
    return progress.steps[report.step - 1] if there else None


def _moment(report: Report) -> datetime:
    """When it was, by the reporter's clock, but not in the future."""
    now = timezone.now()
    try:
        told = datetime.fromtimestamp(report.at, UTC) if report.at else now
    except (OverflowError, ValueError, OSError):
        return now
    return told if told < now + _AHEAD else now


def _keep_reports(
    order: WorkOrder,
    user: User,
    taken: Sequence[tuple[Report, Answer]],
    photos: Mapping[str, bytes],
) -> None:
    """A row each; what was refused and is said again is written over."""
    rows = [
        StepReport(
            order=order,
            said_id=report.id,
            step=report.step,
            told=str(report.told),
            by=user,
            at=_kept_moment(report),
            received=timezone.now(),
            scanned=report.scanned,
            reason=report.reason,
            taken=answer.taken,
            answer={"state": str(answer.state), "why": answer.why},
        )
        for report, answer in {report.id: (report, answer) for report, answer in taken}.values()
    ]
    StepReport.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["order", "said_id"],
        update_fields=[
            *("step", "told", "by", "at", "received", "scanned", "reason", "taken", "answer")
        ],
    )
    if photos:
        keys = dict(
            StepReport.objects.filter(order=order, said_id__in=photos).values_list("said_id", "pk")
        )
        StepPhoto.objects.bulk_create(
            [
                StepPhoto(report_id=keys[said], image=photo, kind=KEPT)
                for said, photo in photos.items()
                if said in keys
            ],
            ignore_conflicts=True,
        )


def _kept_moment(report: Report) -> datetime:
    """What was told, to the millisecond: a doubled report is compared with it."""
    try:
        return datetime.fromtimestamp(report.at, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _tell(
    order: WorkOrder, user: User, taken: Sequence[Report], lit: Mapping[int, str], *, changed: bool
) -> None:
    """Lines of history; one line of the change log, and one webhook, for what came together."""
    by_word: dict[str, list[int]] = {}
    for report in taken:
        by_word.setdefault(str(report.told), []).append(report.step)
        if report.told == Told.DONE and report.step in lit:
            say(order, "unguarded", f"step {report.step}, reported late: {lit[report.step]}", user)
        elif report.told == Told.CANNOT and changed:
            say(order, "cannot", f"step {report.step}: {report.reason}", user)
    if by_word and changed:
        words = "; ".join(f"{word}: steps {_numbers(steps)}" for word, steps in by_word.items())
        record_change(order, UPDATE, f"{order}: {words}", user)


def _numbers(rows: Iterable[int]) -> str:
    """Numbers of steps in words."""
    found = list(rows)
    return ", ".join(map(str, found[:5])) + (" ..." if len(found) > 5 else "")
