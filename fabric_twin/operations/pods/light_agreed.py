"""When light last agreed with the record of each cable: audits write it, pages and REST tell it.

    2 May 02:00  <-- the 13,820 cables that light agreed with then
    1 May 02:00  <-- 4 cables that it agreed with the night before, and not since

Light agrees with nearly all cables, night after night. So the moment of the many moves on, which is
one row; and only cables that join them or are left behind are written.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from nautobot.dcim.models import CableToCableTermination
from nautobot.users.models import User

from fabric_twin.models import AgreedCable, LightAgreement, Pod
from fabric_twin.repositories.pod_record import PodRecord

#: The ports at both ends of a cable, by their numbers.
Ends = tuple[int, int]
#: The agreement that a cable has, and the ends that it is about.
_Known = Mapping[str, tuple[UUID, Ends]]

#: A cable that somebody deletes meanwhile is left out, instead of waited for.
_JOIN = """
INSERT INTO fabric_twin_agreedcable (id, cable_id, agreement_id, a, b)
SELECT gen_random_uuid(), there.id, %s, given.a, given.b
FROM unnest(%s::uuid[], %s::int[], %s::int[]) AS given(cable, a, b)
JOIN dcim_cable AS there ON there.id = given.cable
FOR KEY SHARE OF there SKIP LOCKED
ON CONFLICT (cable_id) DO UPDATE
SET agreement_id = excluded.agreement_id, a = excluded.a, b = excluded.b
"""


def write_agreed(record: PodRecord, agreed: Collection[str], at: datetime) -> None:
    """Write that light agreed with some cables, by name, in the transaction of an audit.

    Others keep their moment, unless they were moved since.
    """
    if not agreed:
        return
    ends, now, names = dict[str, Ends](), dict[str, Ends](), set(agreed)
    for cable in record.cables:
        if isinstance(cable.a, int) and isinstance(cable.b, int):
            # What passes a path through panels passes the cables at both of its ends.
            for pk in filter(None, (cable.pk, cable.last)):
                ends[pk] = cable.a, cable.b
                if cable.name in names:
                    now[pk] = ends[pk]
    known = _known(record.pod)
    moved = {pk for pk, (_, was) in known.items() if pk not in now and ends.get(pk) != was}
    most = _moved_on(record.pod, known, moved, now, at)
    joining = {pk: its for pk, its in now.items() if known.get(pk) != (most, its)}
    _join(most, joining)
    if moved:
        _delete(AgreedCable.objects.filter(pk__in=_free(moved)))
    if joining or moved:
        of_it = AgreedCable.objects.filter(agreement=OuterRef("pk"))
        _delete(LightAgreement.objects.filter(~Exists(of_it), pod=record.pod))


def _known(pod: Pod) -> _Known:
    key = Cast("cable_id", TextField())  # 13,824 UUIDs take longer than the rest
    rows = AgreedCable.objects.filter(agreement__pod=pod).order_by()
    return {
        cable: (agreement, (a, b))
        for cable, agreement, a, b in rows.values_list(key, "agreement_id", "a", "b")
    }


def _moved_on(
    pod: Pod, known: _Known, moved: Collection[str], now: Mapping[str, Ends], at: datetime
) -> UUID:
    """The agreement of this moment: one that moved on, if that writes less than a new one."""
    seen = Counter(agreement for pk, (agreement, _) in known.items() if pk in now)
    left: dict[UUID, list[str]] = {agreement: [] for agreement in seen}
    for pk, (agreement, _) in known.items():
        if pk not in now and pk not in moved and agreement in left:
            left[agreement].append(pk)
    most = max(seen, key=lambda agreement: seen[agreement] - len(left[agreement]), default=None)
    if most is None or seen[most] <= len(left[most]):
        made: UUID = LightAgreement.objects.create(pod=pod, at=at).pk
        return made
    agreement = LightAgreement.objects.filter(pk=most)
    if left[most]:
        then = agreement.values_list("at", flat=True).get()
        before = LightAgreement.objects.create(pod=pod, at=then)
        AgreedCable.objects.filter(pk__in=_free(left[most])).update(agreement=before)
    agreement.update(at=at)
    return most


def _join(agreement: UUID, cables: Mapping[str, Ends]) -> None:
    if cables:
        a, b = zip(*cables.values(), strict=True)
        with connection.cursor() as cursor:
            cursor.execute(_JOIN, [agreement, list(cables), list(a), list(b)])


def _free(cables: Collection[str]) -> list[UUID]:
    """The rows of cables, but of those that somebody deletes at this moment."""
    rows = AgreedCable.objects.filter(cable__in=cables).select_for_update(skip_locked=True)
    return list(rows.values_list("pk", flat=True))


def forget_moved(cables: Iterable[UUID]) -> None:
    """Forget when light agreed with cables whose ends are recorded elsewhere now."""
    ends = CableToCableTermination.objects.filter(
        cable=OuterRef("cable"), interface__fabric_port__pod=OuterRef("agreement__pod")
    )
    is_there = [Exists(ends.filter(interface__fabric_port__number=OuterRef(end))) for end in "ab"]
    _delete(AgreedCable.objects.filter(cable__in=set(cables)).exclude(*is_there))


def _delete(rows: QuerySet[Any]) -> None:
    """Delete rows by one statement, without a signal for each."""
    chosen = rows.model._default_manager.filter(pk__in=rows.order_by().values("pk")).order_by()
    chosen._raw_delete(chosen.db)  # noqa: SLF001


def light_told(
    cables: Collection[UUID], user: User | AnonymousUser | None
) -> dict[UUID, datetime | None]:
    """When light last agreed with cables of the pods that a user may see; None is never."""
    pods = _seen(user)
    ends = CableToCableTermination.objects.filter(
        cable__in=cables, interface__fabric_port__pod__in=pods
    )
    told: dict[UUID, datetime | None] = dict.fromkeys(ends.values_list("cable", flat=True))
    rows = AgreedCable.objects.filter(cable__in=cables, agreement__pod__in=pods)
    return told | dict(rows.order_by().values_list("cable", "agreement__at"))


def never_agreed(user: User | AnonymousUser | None) -> Q:
    """Cables in ports of the pods that a user may see, that light never agreed with there."""
    ends = CableToCableTermination.objects.filter(interface__fabric_port__pod__in=_seen(user))
    known = AgreedCable.objects.order_by().values("cable")
    return Q(pk__in=ends.order_by().values("cable")) & ~Q(pk__in=known)


def agreed_before(at: datetime, user: User | AnonymousUser | None) -> Q:
    """Cables of the pods that a user may see, that light agreed with, and last before a moment."""
    rows = AgreedCable.objects.filter(agreement__at__lt=at, agreement__pod__in=_seen(user))
    return Q(pk__in=rows.order_by().values("cable"))


def _seen(user: User | AnonymousUser | None) -> QuerySet[Any, Any]:
    """The pods that a user may see; all, where nobody asks."""
    pods: QuerySet[Any] = Pod.objects.all()
    if user is not None:
        pods = Pod.objects.restrict(user, "view")
    return pods.order_by().values("pk")
