"""A shift hands over: from then on the next one's page begins."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.models import HandOver
from fabric_twin.repositories.permissions import require, require_kinds

LONGEST_NOTE = 4000
#: A second one so soon is the same click twice.
TWICE = timedelta(minutes=1)
#: What a shift page shows where nobody ever handed over.
FIRST = timedelta(hours=12)


def hand_over(user: User, note: str) -> HandOver:
    """End a shift now, with a note to the next one."""
    require_kinds(user, "add", [HandOver])
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        raise UnusableInput(
            f"it has {len(note):,} characters",
            where="note",
            remedy=f"Say it in at most {LONGEST_NOTE:,}",
        )
    now = timezone.now()
    with transaction.atomic():
        if HandOver.objects.filter(by=user, at__gt=now - TWICE).exists():
            raise NotPossible(
                "you handed over within this minute",
                where="shift",
                remedy="Wait a minute, if there is more to say",
            )
        made: HandOver = HandOver.objects.create(at=now, by=user, note=note)
        require(user, "add", HandOver, [made.pk])
    return made


def hand_overs(user: User, most: int) -> list[HandOver]:
    """The last ones that a user may see, the latest first."""
    rows = HandOver.objects.restrict(user, "view").select_related("by")
    return list(rows.order_by("-at")[:most])


def began(last: HandOver | None) -> datetime:
    """When this shift began."""
    return last.at if last else timezone.now() - FIRST
