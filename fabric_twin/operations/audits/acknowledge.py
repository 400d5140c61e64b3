"""What people do to a finding; each leaves its line in the change log, by Nautobot's own way."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices

OPEN, ACKNOWLEDGED = FindingStateChoices.OPEN, FindingStateChoices.ACKNOWLEDGED
WORKING, MENDED = FindingStateChoices.WORKING, FindingStateChoices.MENDED


def acknowledge_all(findings: Iterable[Finding], user: User, why: str) -> int:
    """Somebody knows of all of them; one that is not open, and none is acknowledged."""
    with transaction.atomic():
        # In one order, so that two who acknowledge at once wait and do not lock each other out.
        return len([acknowledge(one, user, why) for one in sorted(findings, key=lambda f: f.pk)])


def acknowledge(finding: Finding, user: User, why: str) -> Finding:
    """Somebody knows of it, and says what comes of it."""
    with transaction.atomic():
        there = _held(finding)
        if there.state != OPEN:
            raise _is_already(there, "Only an open finding is acknowledged")
        there.state, there.acknowledged_by = ACKNOWLEDGED, user
        there.acknowledged_at, there.acknowledged_why = timezone.now(), why
        there.validated_save()
    return there


def work_on(finding: Finding, reference: str) -> Finding:
    """A ticket or a work order has begun to mend it."""
    with transaction.atomic():
        there = _held(finding)
        if there.state == MENDED:
            raise _is_already(there, "Nothing is left to do")
        there.state, there.worked_on = WORKING, reference
        there.validated_save()
    return there


def reopen(finding: Finding) -> Finding:
    """Nobody cares for it any more, or it was not mended: the next audit looks for itself."""
    with transaction.atomic():
        there = _held(finding)
        if there.state == OPEN:
            raise _is_already(there, "Nothing is left to do")
        if there.state == MENDED:
            there.mended_at, there.opened = None, timezone.now()
            there.reopened += 1
        there.state, there.worked_on = OPEN, ""
        there.acknowledged_by = there.acknowledged_at = None
        there.acknowledged_why = ""
        there.validated_save()
    return there


def _held(finding: Finding) -> Finding:
    """The finding as it stands now; no run changes it meanwhile."""
    found: Finding = Finding.objects.select_for_update(of=("self",)).get(pk=finding.pk)
    return found


def _is_already(finding: Finding, remedy: str) -> NotPossible:
    return NotPossible(
        f"it is {finding.get_state_display().lower()}", where=f"finding {finding}", remedy=remedy
    )
