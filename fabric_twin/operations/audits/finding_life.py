"""What becomes of findings, by the table of `core/findings/life.py`; one function asks it.

acknowledge reopen     a person, one record after the other, as their forms would be saved
take release_findings  a ticket or an order; as a set, with a line of the change log for each,
                       and where they are very many with the holder's own line for all
mend come_back         a run, of thousands at once: the run's line tells of all of them
join part              a run, with a line of the change log for each
"""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.findings.life import BY_ACT, FindingAct, FindingIs, Forgotten, after
from fabric_twin.core.reasons import check_reason
from fabric_twin.models import Finding
from fabric_twin.repositories.change_log import record_alone, record_changes
from fabric_twin.repositories.permissions import require
from fabric_twin.repositories.states import save_state, update_state

_FORGETS: dict[Forgotten, dict[str, Any]] = {
    Forgotten.ACKNOWLEDGEMENT: {
        "acknowledged_by": None,
        "acknowledged_at": None,
        "acknowledged_why": "",
    },
    Forgotten.HOLDER: {"worked_on": ""},
    Forgotten.OWNER: {"owner": None, "due": None},
}
#: Characters of a reason, as the record has room for.
_MOST = 255
#: Findings that have a line each when they are taken or released: each is written out whole.
_MOST_LINES = 200


def acknowledge(finding: Finding, user: User, why: str) -> Finding:
    """Somebody knows of it, and says what comes of it."""
    why = why.strip()
    require(user, "change", Finding, [finding.pk])
    check_reason(why, "why", needed=True, longest=_MOST)
    now = timezone.now()
    facts = {"acknowledged_by": user, "acknowledged_at": now, "acknowledged_why": why}
    _by_person(FindingAct.ACKNOWLEDGE, finding, user, f"acknowledged: {why}", facts)
    return _again(finding)


def reopen(finding: Finding, user: User | None = None) -> Finding:
    """Nobody cares for it any more, or it was not mended: the next audit looks for itself."""
    require(user, "change", Finding, [finding.pk])
    _by_person(FindingAct.REOPEN, finding, user, "opened again", {})
    return _again(finding)


def take(findings: QuerySet[Finding], holder: str, user: User | None = None) -> int:
    """A ticket or an order begins to mend these rows; none that another one mends."""
    return _by_holder(FindingAct.TAKE, findings, holder, user, f"taken by {holder}")


def release_findings(findings: QuerySet[Finding], holder: str, user: User | None = None) -> int:
    """A ticket or an order mends them no more: of some rows those that it held are as before.

    The pod may be called otherwise by now: what follows its name is the holder's alone.
    """
    number = holder[holder.rindex("-") :]
    come_from = BY_ACT[FindingAct.RELEASE].come_from
    held = findings.filter(worked_on__endswith=number, state__in=come_from)
    return _by_holder(FindingAct.RELEASE, held, "", user, f"released by {holder}")


def mend(findings: QuerySet[Finding], at: datetime) -> int:
    """A run looked for these rows, and they are gone."""
    move = BY_ACT[FindingAct.MEND]
    rows = findings.filter(state__in=move.come_from)
    return update_state(rows, move.to, joined_with=None, mended_at=at, last_updated=at)


def join(findings: QuerySet[Finding], teller: Finding) -> None:
    """A run found that another one tells of the fault of these rows; they keep what they had."""
    move = BY_ACT[FindingAct.JOIN]
    rows = findings.filter(state__in=move.come_from).exclude(joined_with=teller)
    _by_run(FindingAct.JOIN, rows, f"joined with {teller}", joined_with=teller)


def part(findings: QuerySet[Finding]) -> None:
    """A run saw these rows by themselves again, or has them to be seen: they are as before."""
    rows = findings.filter(state__in=BY_ACT[FindingAct.PART].come_from)
    _by_run(FindingAct.PART, rows, "joined with none any more", joined_with=None)


def come_back(findings: QuerySet[Finding], at: datetime) -> None:
    """A run found these rows again. What was said of them before is of another time."""
    move = BY_ACT[FindingAct.COME_BACK]
    rows = findings.filter(state__in=move.come_from)
    facts = _left(move.act) | _opened_again(at, F("reopened"))
    update_state(rows, move.to, last_updated=at, **facts)


def holder_of(finding: Finding) -> str:
    """The ticket or the order that mends a finding; empty where none does."""
    holds = finding.state in BY_ACT[FindingAct.RELEASE].come_from
    return finding.worked_on if holds else ""


def _by_person(
    act: FindingAct,
    finding: Finding,
    user: User | None,
    said: str,
    facts: dict[str, Any],
) -> None:
    """Do one thing with a finding; an operator's own rules are asked."""
    now = timezone.now()
    with transaction.atomic():
        for one in _held(Finding.objects.filter(pk=finding.pk)):
            mended = one.state == FindingIs.MENDED
            again = _opened_again(now, one.reopened) if mended else {}
            state = _after(one, act)
            for name, value in (_left(act) | again | facts).items():
                setattr(one, name, value)
            try:
                save_state(one, state)
            except ValidationError as refusal:
                raise UnusableInput(
                    "; ".join(refusal.messages),
                    where=f"finding {one}",
                    remedy="Say it as this inventory's own rules want it",
                ) from None
            record_alone(one, said, user)


def _by_holder(
    act: FindingAct, rows: QuerySet[Finding], holder: str, user: User | None, said: str
) -> int:
    """Do one thing with all of some rows, or with none; those that are not theirs any more stay."""
    with transaction.atomic():
        return _of_rows(act, rows, user, said, _left(act) | {"worked_on": holder})


def _by_run(act: FindingAct, rows: QuerySet[Finding], said: str, **facts: Any) -> None:
    """Do one thing with all of some rows; the caller holds a transaction."""
    _of_rows(act, rows, None, said, facts)


def _of_rows(
    act: FindingAct, rows: QuerySet[Finding], user: User | None, said: str, facts: dict[str, Any]
) -> int:
    ends = {one.pk: _after(one, act) for one in _held(rows)}
    for end in sorted(set(ends.values())):
        there = [pk for pk, its in ends.items() if its is end]
        facts |= {"last_updated": timezone.now()}
        update_state(Finding.objects.filter(pk__in=there), end, **facts)
    if len(ends) <= _MOST_LINES:
        rows = Finding.objects.filter(pk__in=ends).select_related("pod", "acknowledged_by")
        record_changes(rows.order_by("pk"), said, user)
    return len(ends)


def _held(rows: QuerySet[Finding]) -> list[Finding]:
    """Rows as they stand now, held until the transaction ends.

    In one order, so that two who want the same wait and do not lock each other out; and asked for
    by what they are, so that one that an audit mends meanwhile is not among them.
    """
    return list(rows.order_by("pk").select_for_update(no_key=True, of=("self",)))


def _after(finding: Finding, act: FindingAct) -> FindingIs:
    if act is FindingAct.TAKE and (holder := holder_of(finding)):
        raise NotPossible(
            f"it is being worked on by {holder}",
            where=f"finding {finding}",
            remedy=f"Let {holder} end, or withdraw or undo it, first",
        )
    known = finding.acknowledged_at is not None
    held = bool(finding.worked_on)
    return after(str(finding), FindingIs(finding.state), act, acknowledged=known, held=held)


def _left(act: FindingAct) -> dict[str, Any]:
    """What is written where the table says that something is forgotten."""
    return {
        name: value
        for forgotten in BY_ACT[act].forgets
        for name, value in _FORGETS[forgotten].items()
    }


def _opened_again(at: datetime, often: Any) -> dict[str, Any]:
    """What is written of one that was mended, and is not; `often` it came back before."""
    return {"opened": at, "mended_at": None, "reopened": often + 1}


def _again(finding: Finding) -> Finding:
    finding.refresh_from_db()
    return finding
