"""Who sees to findings, and by when they should be mended."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.moments import moment
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.permissions import require


class Change(TypedDict, total=False):
    """What is written; what is not named stays, and None takes it away."""

    owner: User | None
    due: datetime | None


def assign_findings(findings: Iterable[Finding], user: User, change: Change) -> int:
    """Give all of them an owner, a due time or both, or none of them."""
    keys = [finding.pk for finding in findings]
    require(user, "change", Finding, keys)
    owner, due = change.get("owner"), change.get("due")
    if owner and not owner.is_active:
        raise UnusableInput(
            f"{owner} cannot log in any more", where="owner", remedy="Name somebody who is there"
        )
    with transaction.atomic():
        rows = Finding.objects.filter(pk__in=keys).order_by("pk")
        for finding in rows.select_for_update(no_key=True, of=("self",)):
            if finding.state == FindingStateChoices.MENDED:
                raise NotPossible(
                    "it is mended", where=f"finding {finding}", remedy="Nothing is left to do"
                )
            if due and due != finding.due and due <= timezone.now():
                raise UnusableInput(
                    f"{moment(due)} is over", where="due", remedy="Give a time to come"
                )
            for name, value in change.items():
                setattr(finding, name, value)
            try:
                finding.validated_save()
            except ValidationError as refusal:
                raise UnusableInput(
                    "; ".join(refusal.messages),
                    where=f"finding {finding}",
                    remedy="Say it as this inventory's own rules want it",
                ) from None
            by = f" by {moment(finding.due)}" if finding.due else ""
            record_alone(finding, f"assigned to {finding.owner or 'nobody'}{by}", user)
    return len(keys)
