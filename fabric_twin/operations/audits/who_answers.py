"""Whose address a record may get, and who says that the recorded device answers there.

address given   by who may connect it       nothing but who it is is asked of it
confirmed       by its load, a person,      as long as it says that it is the same, it is
                an order, a test circuit    spoken to
"""

from django.db import transaction
from django.utils import timezone
from nautobot.dcim.models import Device
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.identity import Answering, ConfirmedBy, Told, short_name
from fabric_twin.models import Cube, Reading, Switch
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.change_log import UPDATE, record_change
from fabric_twin.repositories.permissions import require

Reached = Switch | Cube


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


def _reading(record: Reached) -> Reading | None:
    found: Reading | None = Reading.objects.filter(**{_kind(record): record}).first()
    return found


def _kind(record: Reached) -> str:
    return "switch" if isinstance(record, Switch) else "cube"


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
        now = told_by(there)
        if told != now:
            raise NotPossible(
                f"another one answers by now ({now})",
                where=str(there),
                remedy="Look who it is, and confirm that",
            )
        if not reason.strip():
            raise NotPossible(
                "nobody says why it is the right one",
                where=str(there),
                remedy="Say how you know: a delivery note, its label, who replaced it",
            )
        said = [f"{there}: {told} is confirmed ({reason.strip()})"]
        if told.serial and isinstance(there, Switch):
            said += _write_serial(there.device, told.serial, user)
        name = told.name.strip()
        there.called = name if short_name(name) != short_name(str(there)) else ""
        there.confirmed_by, there.confirmed_at = by, timezone.now()
        there.save()
        record_change(there, UPDATE, "; ".join(said), user)
        touch([there.pod_id], **{_kind(there): [there.pk]})
    return there


def _write_serial(device: Device, serial: str, user: User | None) -> list[str]:
    """Write the serial of the device that answers; what was recorded stays in the change log."""
    was = device.serial or ""
    if was == serial:
        return []
    if other := Device.objects.filter(serial=serial).exclude(pk=device.pk).first():
        raise NotPossible(
            f"serial {serial} is recorded for {other.name}",
            where=str(device.name),
            remedy="Correct that record first, or check the address",
        )
    device.serial = serial
    device.validated_save()
    words = f"{device.name}: serial {was or 'nothing'} -> {serial}"
    record_change(device, UPDATE, words, user)
    return [words]
