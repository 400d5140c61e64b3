"""Serials that the fabric tells, of transceivers and switches whose serial nobody wrote down."""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import connection
from nautobot.dcim.models import Device, Module

from fabric_twin.core.diagnosis.modules import differs
from fabric_twin.core.diagnosis.pictures import Shown
from fabric_twin.core.identity import serial_of
from fabric_twin.repositories.device_readings import Asked
from fabric_twin.repositories.pod_record import PodRecord


def learn_serials(
    record: PodRecord,
    shown: Shown,
    cubes: list[Asked],
    switches: list[Asked],
    *,
    follow: bool,
) -> Counter[str]:
    """Write down serials that nobody had, or with `follow` all that are otherwise."""
    modules = {}
    recorded, parts = record.transceivers
    other = [
        number
        for number, (says, serial) in enumerate(zip(shown.cubes.serial, recorded, strict=True))
        if says and says != serial and (follow or not serial)
    ]
    # A part that does not belong there is no part of the record: the audit names it (wrong-part).
    told, ours = shown.cubes.part, record.design.transceiver
    other = [n for n in other if not (told[n] and differs(told[n], parts[n], ours))]
    answered = {f"{record.member_kind}__in": [one.pk for one in cubes if one.answered]}
    of_ports = record.pod.ports.filter(
        number__in=other,
        **answered,
        module_bay__installed_module__isnull=False,
    ).order_by()
    rows = of_ports.values_list(
        "number", "module_bay__installed_module", "module_bay__installed_module__serial"
    )
    for number, pk, serial in rows:
        says = shown.cubes.serial[number]
        if says and says != serial and (follow or not serial):
            modules[pk] = says
    devices = {}
    of_switches = Device.objects.filter(
        fabric_switch__in=[one.pk for one in switches if one.answered]
    )
    for pk, number, serial in of_switches.values_list("pk", "fabric_switch__number", "serial"):
        says = shown.switches.serial[number]
        # Another switch than the recorded one is told nothing and believed nothing: a person says.
        if serial_of(says) and not serial:
            devices[pk] = says
    learned = _write_serials(Module, modules) + _write_serials(Device, devices)
    return Counter({"serials learned": learned})


def _write_serials(model: type[Module] | type[Device], serials: Mapping[UUID, str]) -> int:
    """Set serials, but for those that another row of the model has: the audit says so."""
    many: Counter[str] = Counter(serials.values())
    held = model.objects.filter(serial__in=many).exclude(pk__in=serials)
    taken = set(held.values_list("serial", flat=True))
    good = {pk: s for pk, s in serials.items() if s not in taken and many[s] == 1}
    # Two that were exchanged would stand in each other's way.
    model.objects.filter(pk__in=good, serial__gt="").update(serial=None if _nullable(model) else "")
    if good:
        table = connection.ops.quote_name(model._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET serial = given.serial, last_updated = now() "  # noqa: S608
                "FROM unnest(%s::uuid[], %s::text[]) AS given(id, serial) "
                f"WHERE {table}.id = given.id",
                [list(good), list(good.values())],
            )
    return len(good)


def _nullable(model: type[Any]) -> bool:
    return bool(model._meta.get_field("serial").null)
