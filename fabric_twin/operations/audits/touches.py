"""What changed is gathered, and audited together a moment later.

    saved in Nautobot --+
    told by a switch  --+--> touches, one a place --> one audit of just these places
    loaded, released  --+

Touches are rows: a worker that dies leaves them, and `call_forgotten` calls another one. A place of
which a device did not answer stays touched: it is looked at again, each time after longer.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from fabric_twin.models import AuditRun, Block, Cube, Pod, Port, Switch, Touch
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.transactions import after_commit

#: Seconds in which changes are gathered before they are audited.
GATHERED = 2
#: Seconds after which an audit that was called for and did not come is called for again, and the
#: longest pause between two calls: each is as long as the first place waited already.
FORGOTTEN, LONGEST = 60, 3600
#: Places from which on the whole pod is audited.
MANY = 2000
_KINDS: dict[str, Any] = {"port": Port, "switch": Switch, "cube": Cube, "block": Block}
#: What is asked, and where its name is.
_DEVICES = {"switch": "device__name", "cube": "rack__name", "block": "device__name"}


def touch(pods: Iterable[UUID], **places: Collection[UUID]) -> None:
    """Note that places changed (`port`, `switch`, `cube`, `block`; none is the whole pod), and
    have them audited, once the transaction is over: what is rolled back touches nothing."""
    for pod in pods:
        after_commit(note_touched, pod, **places)


def note_touched(pod: UUID, **places: Collection[UUID]) -> None:
    """Note now that places of a pod changed, and call for an audit."""
    now = timezone.now()
    if not Pod.objects.filter(pk=pod).exists():
        return  # it went with what was touched
    rows = _add(pod, now, now, places)
    if rows:  # what changes now waits for nothing that is silent for long
        cache.delete(_pausing(pod))
    # The first change calls for an audit; later ones join it.
    if rows and cache.add(_called(pod), True, FORGOTTEN):
        dispatch.audit_soon(pod, countdown=GATHERED)


def _add(pod: UUID, since: datetime, last: datetime, places: Mapping[str, Collection[UUID]]) -> int:
    """Add touches, one a place, or of the whole pod where none is named; say how many."""
    rows = [
        Touch(pod_id=pod, since=since, last=last, **{f"{kind}_id": key})
        for kind, keys in places.items()
        for key in _KINDS[kind].objects.filter(pk__in=keys).values_list("pk", flat=True)
    ]
    if not places:
        rows = [Touch(pod_id=pod, since=since, last=last)]
    Touch.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["pod", *_KINDS],
        update_fields=["last"],
    )
    return len(rows)


def call_forgotten() -> int:
    """Call again for pods whose touches wait: the call, or the run, was lost with its worker.

    Not while a run is at work, which may be theirs. A run that is done and left them looked
    elsewhere; one that failed may have met a database that was away for a moment.
    """
    working = Q(state__in=RunStateChoices.LIVE, lease_until__gt=Now())
    since = AuditRun.objects.filter(pod=OuterRef("pod"), created__gte=OuterRef("last"))
    long_ago = Now() - timedelta(seconds=FORGOTTEN)
    wait = Touch.objects.filter(~Exists(since.filter(working)), last__lte=long_ago)
    first = wait.order_by().values_list("pod").annotate(since=Min("since"))
    called = 0
    for pod, since in first:
        waited = (timezone.now() - since).total_seconds()
        pause = int(min(max(waited, FORGOTTEN), LONGEST))
        # A key of its own: a run that leaves places touched ends no pause, and what is touched
        # anew calls at once.
        if cache.add(_pausing(pod), True, pause) and cache.add(_called(pod), True, FORGOTTEN):
            dispatch.audit_soon(pod, countdown=GATHERED, expires=pause)
            called += 1
    return called


def call_now(pod: Pod) -> None:
    """Have what waits audited now, and not when its pause is over."""
    cache.set(_called(pod.pk), True, FORGOTTEN)
    dispatch.audit_soon(pod.pk)


def answer_call(pod: UUID) -> None:
    """An audit begins: what changes from now on has to call again."""
    cache.delete(_called(pod))


def _called(pod: UUID) -> str:
    return f"fabric_twin:touched:{pod}"


def _pausing(pod: UUID) -> str:
    return f"fabric_twin:touched again:{pod}"


def touched(record: PodRecord) -> tuple[Scope | None, datetime]:
    """What an audit has to look at, and up to when; nothing where nothing was touched."""
    rows = list(
        Touch.objects.filter(pod=record.pod).values_list(
            "port__number", "switch__number", "cube__slot", "block", "last"
        )
    )
    until = max((row[-1] for row in rows), default=timezone.now())
    if not rows:
        return None, until
    ports, switches, slots = (
        frozenset(row[kind] for row in rows if row[kind] is not None) for kind in range(3)
    )
    if blocks := {row[3] for row in rows} - {None}:
        slots |= {slot for (pk, _, _), places in record.blocks if pk in blocks for slot in places}
    if len(ports) > MANY or any(set(row[:-1]) == {None} for row in rows):
        return WHOLE_POD, until
    return Scope(switches=switches, slots=slots, ports=ports), until


def forget(pod: Pod, until: datetime, silent: Collection[str] = ()) -> None:
    """What was touched up to then has been looked at, but for what did not answer."""
    looked_at = Touch.objects.filter(pod=pod, last__lte=until)
    if not silent:
        looked_at.delete()
        return
    with transaction.atomic():
        _keep_silent(pod, looked_at, _places_of(pod, silent))


def _keep_silent(pod: Pod, looked_at: Any, places: Mapping[str, Collection[UUID]]) -> None:
    whole = looked_at.filter(**dict.fromkeys(_KINDS)).first()
    kept = Q()
    for kind, keys in places.items():
        kept |= Q(**{f"{kind}__in": keys}) | Q(**{f"port__{kind}__in": keys})
    looked_at.exclude(pk__in=looked_at.filter(kept).values("pk")).delete()
    if whole:
        _add(pod.pk, whole.since, whole.last, places)


def _places_of(pod: Pod, names: Collection[str]) -> dict[str, list[UUID]]:
    """The switches, cubes and blocks of some devices, as audits name these."""
    return {
        kind: list(
            _KINDS[kind]
            .objects.filter(pod=pod, **{f"{its_name}__in": names})
            .values_list("pk", flat=True)
        )
        for kind, its_name in _DEVICES.items()
        if kind in ("switch", pod.member_kind)
    }
