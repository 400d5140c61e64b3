"""Whose address a record may get, and who says that the recorded device answers there.

address given   by who may connect it       nothing but who it is is asked of it
confirmed       by its load, a person,      as long as it says that it is the same, it is
                an order, a test circuit    spoken to
"""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from nautobot.dcim.models import Device
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.identity import Answering, ConfirmedBy, Told, is_same_name, name_of, serial_of
from fabric_twin.models import Block, Cube, Reading, Switch
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.change_log import UPDATE, record_change
from fabric_twin.repositories.permissions import require

Reached = Switch | Cube | Block
_NAMED: tuple[tuple[type[Reached], str], ...] = (
    (Switch, "device__name"),
    (Cube, "rack__name"),
    (Block, "device__name"),
)
#: Letters of a name that are kept.
LONGEST = 64


def told_by(record: Reached) -> Told:
    """What answered at its address the last time says of itself."""
    reading = _reading(record)
    return Told(reading.told_name, reading.told_serial) if reading else Told()


def answering_at(record: Reached) -> Answering | None:
    """Who answered at its address the last time; nothing where nobody did yet."""
    reading = _reading(record)
    if reading is None:
        return None
    if reading.answering:
        return Answering(reading.answering)
    return None if reading.silence else Answering.RIGHT


def is_confirmed_since(record: Reached) -> bool:
    """Whether somebody confirmed it after it was last asked: what it said then is of before."""
    reading, at = _reading(record), record.confirmed_at
    return bool(reading and at and reading.asked < at)


def answered_at(record: Reached) -> datetime | None:
    """When it last answered."""
    reading = _reading(record)
    return reading.answered if reading else None


def _reading(record: Reached) -> Reading | None:
    found: Reading | None = getattr(record, "reading", None)
    return found


def _kind(record: Reached) -> str:
    return str(record._meta.model_name)


def confirm(
    record: Reached,
    user: User | None,
    told: Told,
    reason: str,
    by: ConfirmedBy = ConfirmedBy.PERSON,
) -> Reached:
    """Say that the device that answers is the recorded one: its serial and name are written down.

    `told` is what was shown to who says so: when another one answers meanwhile, it is refused.
    """
    require(user, "connect", type(record), [record.pk])
    with transaction.atomic():
        there: Reached = type(record).objects.select_for_update(of=("self",)).get(pk=record.pk)
        if not there.address:
            raise NotPossible(
                "it has no address", where=str(there), remedy="Give it one, and look who answers"
            )
        now = _to_confirm(there)
        if (name_of(told.name), serial_of(told.serial)) != (
            name_of(now.name),
            serial_of(now.serial),
        ):
            raise NotPossible(
                f"another device answers now ({now})",
                where=str(there),
                remedy="Look who it is, and confirm that",
            )
        _check_no_others(there, now)
        if not reason.strip():
            raise NotPossible(
                "no reason is given why it is the right one",
                where=str(there),
                remedy="Say how you know: a delivery note, its label, who replaced it",
            )
        said = [f"{there}: {told} is confirmed ({reason.strip()})"]
        if serial_of(now.serial) and isinstance(there, Switch):
            said += _write_serial(there.device, now.serial, user)
        # A name that is longer than is kept is told by its first part.
        there.called = (
            now.name if len(now.name) <= LONGEST else now.name.partition(".")[0][:LONGEST]
        )
        there.confirmed_by, there.confirmed_at = by, timezone.now()
        there.save()
        record_change(there, UPDATE, "; ".join(said), user)
        touch([there.pod_id], **{_kind(there): [there.pk]})
    return there


def _to_confirm(record: Reached) -> Told:
    """Who answered at its address as it is now, and is not known to be the recorded device."""
    reading = _reading(record)
    ask = "Discover the cables of its cluster" if record.pod.is_cluster else "Sync it"
    # What was asked before the record changed may have been another address's.
    if reading is None or reading.asked < (record.last_updated or reading.asked):
        raise NotPossible(
            "nobody has asked who answers there since the record was changed",
            where=str(record),
            remedy=f"{ask}, look who answers, and confirm that",
        )
    if not reading.answering:
        raise NotPossible(
            f"it does not answer ({reading.silence})" if reading.silence else "it is known already",
            where=str(record),
            remedy="See on its page who answers",
        )
    return Told(reading.told_name, reading.told_serial)


def _check_no_others(record: Reached, told: Told) -> None:
    """Refuse a device that is another record's, by the name that it tells."""
    if not name_of(told.name):
        return
    short = name_of(told.name).partition(".")[0]
    for model, its_name in _NAMED:
        others = model.objects.exclude(pk=record.pk).filter(
            Q(called__istartswith=short)
            | Q(target__istartswith=short)
            | Q(**{f"{its_name}__istartswith": short})
        )
        for name, called, target, pod in others.values_list(
            its_name, "called", "target", "pod__name"
        ):
            if any(is_same_name(told.name, one or "") for one in (name, called, target)):
                raise NotPossible(
                    f"it has the same name as {name} of pod {pod}",
                    where=str(record),
                    remedy="Check its address and target; a device is one record's",
                )


def _write_serial(device: Device, serial: str, user: User | None) -> list[str]:
    """Write the serial of the device that answers; what was recorded stays in the change log."""
    was = device.serial or ""
    if was == serial:
        return []
    if other := Device.objects.filter(serial__iexact=serial).exclude(pk=device.pk).first():
        raise NotPossible(
            f"serial {serial} is recorded for {other.name}",
            where=str(device.name),
            remedy="Correct that record first, or check the address",
        )
    device.serial = serial
    try:
        device.validated_save()
    except ValidationError as error:
        raise NotPossible(
            f"the record of {device.name} cannot be written ({'; '.join(error.messages)[:200]})",
            where=str(device.name),
            remedy="Mend that record first",
        ) from None
    words = f"{device.name}: serial {was or 'nothing'} -> {serial}"
    record_change(device, UPDATE, words, user)
    return [words]
