"""What people do with findings, one or several: acknowledge, assign, silence, reopen."""

from dataclasses import dataclass, field
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.findings.life import BY_ACT, THERE, FindingAct, FindingIs
from fabric_twin.core.moments import moment
from fabric_twin.core.reasons import check_reason
from fabric_twin.models import Finding, Silence
from fabric_twin.operations.acts import Deed, Deeds, Given
from fabric_twin.operations.audits.assign_findings import Change, assign_findings
from fabric_twin.operations.audits.finding_life import acknowledge, reopen
from fabric_twin.repositories.permissions import require

ACKNOWLEDGE, ASSIGN, SILENCE, REOPEN = "acknowledge", "assign", "silence", "reopen"
ADD_SILENCE = "fabric_twin.add_silence"
#: Findings that are dealt with in one go.
MANY = 500
#: Characters of a silence's reason, as the record has room for.
_LONGEST_REASON = 255


@dataclass(frozen=True, kw_only=True)
class FindingGiven(Given):
    """What is given with an act on a finding; what is said is its reason."""

    #: Who sees to it and by when.
    change: Change = field(default_factory=Change)
    #: How long it is silenced.
    until: datetime | None = None


def may_silence(user: User) -> bool:
    """Whether this user may add silences."""
    return bool(user.has_perm(ADD_SILENCE))


def silence_finding(finding: Finding, user: User, until: datetime | None, reason: str) -> Silence:
    """Keep one finding quiet until then, as its own form would."""
    where = f"finding {finding}"
    if not may_silence(user):
        raise NotPermitted(
            f"{user} may add no silences",
            where=where,
            remedy=f"Ask for the permission {ADD_SILENCE}",
        )
    check_reason(reason.strip(), "reason", needed=True, longest=_LONGEST_REASON)
    if until is None or until <= timezone.now():
        raise UnusableInput(
            f"{moment(until)} is over" if until else "no end is given",
            where="until",
            remedy="Give a time to come",
        )
    with transaction.atomic():
        there = Finding.objects.select_for_update(no_key=True, of=("self",)).get(pk=finding.pk)
        if there.state == FindingIs.MENDED:
            raise NotPossible("it is mended", where=where, remedy="Nothing is left to silence")
        made = Silence(
            pod_id=there.pod_id, finding=there, until=until, reason=reason.strip(), user=user
        )
        try:
            made.validated_save()
        except ValidationError as refusal:
            raise UnusableInput(
                "; ".join(refusal.messages),
                where=where,
                remedy="Say it as this inventory's own rules want it",
            ) from None
        require(user, "add", Silence, [made.pk])  # as its permission is bound
    return made


def _acknowledged(finding: Finding, user: User, given: FindingGiven) -> Finding:
    return acknowledge(finding, user, given.said)


def _assigned(finding: Finding, user: User, given: FindingGiven) -> Finding:
    assign_findings([finding], user, given.change)
    return finding


def _silenced(finding: Finding, user: User, given: FindingGiven) -> Finding:
    silence_finding(finding, user, given.until, given.said)
    return finding


FINDING_DEEDS: Deeds[Finding, FindingGiven] = Deeds(
    Finding,
    FindingGiven,
    Deed(
        ACKNOWLEDGE,
        "change",
        _acknowledged,
        BY_ACT[FindingAct.ACKNOWLEDGE].come_from,
        needs_reason=True,
        most=MANY,
    ),
    Deed(ASSIGN, "change", _assigned, (*THERE, FindingIs.JOINED), most=MANY),
    Deed(
        SILENCE,
        "view",
        _silenced,
        (*THERE, FindingIs.JOINED),
        lambda _finding, user: may_silence(user),
        needs_reason=True,
        most=MANY,
        if_user=may_silence,
    ),
    Deed(
        REOPEN,
        "change",
        lambda finding, user, _given: reopen(finding, user),
        BY_ACT[FindingAct.REOPEN].come_from,
        most=MANY,
    ),
)
