"""Who sees to findings, and by when they should be mended."""

from collections.abc import Iterable
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.permissions import require


def assign_findings(
    findings: Iterable[Finding], user: User, owner: User | None, due: datetime | None
) -> int:
    """Give all of them an owner and a due time, or none of them; without both they are freed."""
    keys = [finding.pk for finding in findings]
    require(user, "change", Finding, keys)
    if owner and not owner.is_active:
        raise UnusableInput(
            f"{owner} cannot log in any more", where="owner", remedy="Name somebody who is there"
        )
    if due and due <= timezone.now():
        raise UnusableInput(
            f"{due:%Y-%m-%d %H:%M} UTC is over", where="due", remedy="Give a time to come"
        )
    by = f" by {due:%Y-%m-%d %H:%M} UTC" if due else ""
    said = f"assigned to {owner or 'nobody'}{by}"
    with transaction.atomic():
        rows = Finding.objects.filter(pk__in=keys).order_by("pk")
        for finding in rows.select_for_update(no_key=True, of=("self",)):
            if finding.state == FindingStateChoices.MENDED:
                raise NotPossible(
                    "it is mended", where=f"finding {finding}", remedy="Nothing is left to do"
                )
            finding.owner, finding.due = owner, due
            try:
                finding.validated_save()
            except ValidationError as refusal:
                raise UnusableInput(
                    "; ".join(refusal.messages),
                    where=f"finding {finding}",
                    remedy="Say it as this inventory's own rules want it",
                ) from None
            record_alone(finding, said, user)
    return len(keys)
