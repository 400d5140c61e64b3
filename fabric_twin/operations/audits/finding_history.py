"""The history of a finding, from the change log, its runs, and how it is now.

Who may see a finding sees its history: of the lines of Nautobot's change log, which have a
permission of their own, only what the page of the finding said at the time is told. Runs are named
to who may see them, and so are other findings.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from nautobot.extras.models import ObjectChange
from nautobot.users.models import User

from fabric_twin.core.findings.history import (
    ASSIGNED,
    OPENED_AGAIN,
    Acknowledged,
    Event,
    Kept,
    Run,
    history,
)
from fabric_twin.models import AuditRun, Finding
from fabric_twin.repositories.change_log import NOBODY

#: Lines of the change log, and runs, that are read: the last ones.
_MOST_LINES, _MOST_RUNS = 200, 200
#: What is read of each line; no finding is read whole, nor what it was known by.
_COLUMNS = (
    *("opened", "mended_at", "acknowledged_at", "acknowledged_by", "acknowledged_why"),
    *("owner", "due", "joined_with"),
)
_GONE = "a deleted user"
#: The change log keeps moments cut to this.
_PRECISION = timedelta(milliseconds=1)
#: A line of a page or of REST has the address that was asked, and no words.
_ADDRESS = re.compile(r".*:finding[-_](?:bulk_)?(reopen|assign)")
_ASKED = {"reopen": OPENED_AGAIN, "assign": ASSIGNED}


def history_of(finding: Finding, user: User) -> list[Event]:
    """What became of a finding, as this user may read it; the newest first."""
    lines = _lines(finding)
    names = _names(lines, finding)
    seen = _seen(lines, user)
    kept, now = [_kept(line, names, seen) for line in lines], _now(finding)
    runs = _runs(finding, user, [*kept, now])
    zone = timezone.get_current_timezone()
    return history(_cut(finding.first_seen), kept, now, runs, zone)[::-1]


def _lines(finding: Finding) -> list[dict[str, Any]]:
    """The lines of the change log, the oldest first."""
    rows = ObjectChange.objects.filter(
        changed_object_type=ContentType.objects.get_for_model(Finding),
        changed_object_id=finding.pk,
    )
    columns = [f"object_data__{name}" for name in _COLUMNS]
    found = rows.order_by("-time").values("time", "user_name", "change_context_detail", *columns)[
        :_MOST_LINES
    ]
    return [{key.removeprefix("object_data__"): line[key] for key in line} for line in found][::-1]


def _names(lines: Iterable[Mapping[str, Any]], finding: Finding) -> dict[str, str]:
    """The names of people by their keys."""
    keys = {line[name] for line in lines for name in ("acknowledged_by", "owner")} - {None}
    known = {str(one.pk): str(one) for one in (finding.acknowledged_by, finding.owner) if one}
    if left := keys - known.keys():
        known |= {str(one.pk): str(one) for one in User.objects.filter(pk__in=left)}
    return known


def _seen(lines: Iterable[Mapping[str, Any]], user: User) -> set[str]:
    """Of the findings that this one was joined with, those that the user may see."""
    keys = {line["joined_with"] for line in lines} - {None}
    rows = Finding.objects.restrict(user, "view").filter(pk__in=keys)
    return {str(pk) for pk in rows.values_list("pk", flat=True)} if keys else set()


def _kept(line: Mapping[str, Any], names: Mapping[str, str], seen: set[str]) -> Kept:
    said = line["change_context_detail"]
    if asked := _ADDRESS.fullmatch(said):
        said = _ASKED[asked.group(1)]
    if line["joined_with"] and line["joined_with"] not in seen and said.startswith("joined with"):
        said = "joined with another finding"
    acknowledged_at, owner = _moment(line["acknowledged_at"]), line["owner"]
    return Kept(
        at=line["time"],
        who="" if line["user_name"] == NOBODY else line["user_name"],
        said=said,
        opened=_moment(line["opened"]),
        mended=_moment(line["mended_at"]),
        acknowledged=Acknowledged(
            acknowledged_at,
            names.get(line["acknowledged_by"], _GONE),
            line["acknowledged_why"] or "",
        )
        if acknowledged_at
        else None,
        owner=names.get(owner, _GONE) if owner else "",
        due=_moment(line["due"]),
    )


def _now(finding: Finding) -> Kept:
    """The record itself: what it says stays, also where the change log is kept for a while only."""
    acknowledged = None
    if finding.acknowledged_at:
        who = str(finding.acknowledged_by or _GONE)
        at = _cut(finding.acknowledged_at)
        acknowledged = Acknowledged(at, who, finding.acknowledged_why)
    return Kept(
        at=finding.last_updated or finding.last_seen,
        opened=_cut(finding.opened),
        mended=_cut(finding.mended_at) if finding.mended_at else None,
        acknowledged=acknowledged,
        owner=str(finding.owner or ""),
        due=finding.due,
    )


def _runs(finding: Finding, user: User, kept: Iterable[Kept]) -> list[Run]:
    """Runs that looked when something became of it; and where it came back, all that saw that."""
    moments = {_cut(finding.first_seen)} | {
        at for one in kept for at in (one.opened, one.mended) if at
    }
    asked = Q()
    for at in moments:
        asked |= Q(started__lt=at + _PRECISION, ended__gte=at)
    if finding.reopened:
        changed = Q(new__gt=0) | Q(gone__gt=0)
        names = Q(keys__new__contains=[finding.key]) | Q(keys__gone__contains=[finding.key])
        asked |= changed & names
    rows = AuditRun.objects.restrict(user, "view").filter(asked, pod=finding.pod_id)
    rows = rows.filter(started__isnull=False, ended__isnull=False)
    columns = "number", "started", "ended", "keys__new", "keys__gone"
    return [
        Run(
            name=f"{finding.pod.name} audit {number}",
            started=_cut(started),
            ended=ended,
            opened=finding.key in (new or ()),
            mended=finding.key in (gone or ()),
        )
        for number, started, ended, new, gone in rows.order_by("-number").values_list(*columns)[
            :_MOST_RUNS
        ]
    ]


def _cut(at: datetime) -> datetime:
    """As the change log has it, so that the same moment is the same."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def _moment(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
