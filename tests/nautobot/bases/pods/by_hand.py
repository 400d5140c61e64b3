"""A small pod saved row by row, as whoever has no loader would; and rows without their keys."""

import re
from typing import Any

from django.db.models import Model
from nautobot.dcim.models import (
    Cable,
    CablePath,
    CableToCableTermination,
    CableType,
    Device,
    DeviceType,
    Interface,
    Location,
    Manufacturer,
    Module,
    ModuleBay,
    ModuleFamily,
    ModuleType,
    Rack,
)
from nautobot.extras.models import Role, Status

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.models import Cube, Pod, Port, Switch, WrittenEnd
from tests.nautobot.bases.pods.small import SMALL

MODELS = (
    Manufacturer, DeviceType, ModuleFamily, ModuleType, CableType, Pod, Rack, Device, Cube, Switch,
    Interface, ModuleBay, Module, Port, Cable, CableToCableTermination, CablePath, WrittenEnd,
)  # fmt: skip


def rows_by_name() -> dict[str, list[str]]:
    """Every row of what a loading writes, with names in place of keys."""
    names = {
        **{record.pk: str(record) for record in Status.objects.all()},
        **{record.pk: str(record) for record in Role.objects.all()},
        **{record.pk: str(record) for record in Location.objects.all()},
    }
    for model in MODELS:
        for record in model.objects.all():
            names[record.pk] = f"{model.__name__} {record}"
    for port in Interface.objects.select_related("device"):
        names[port.pk] = f"{port.device} {port.name}"
    for module in Module.objects.select_related("parent_module_bay__parent_device"):
        names[module.pk] = f"Module in {module.parent_module_bay}"
    of_path = {p.pk: f"path from {names[p.origin_id]}" for p in CablePath.objects.all()}
    of_end = {e.pk: f"{e.cable} {e.cable_end}" for e in CableToCableTermination.objects.all()}
    names |= of_path | of_end
    return {model.__name__: _rows(model, names) for model in MODELS}


def _rows(model: type[Model], names: dict[Any, str]) -> list[str]:
    by_text = {str(key): name for key, name in names.items()}

    def named(value: Any) -> Any:
        if isinstance(value, (list, dict)):
            return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", lambda key: by_text[key[0]], str(value))
        return names.get(value, value)

    rows = model.objects.order_by().values()
    return sorted(
        str(
            {
                column: named(value)
                for column, value in row.items()
                if column not in {"created", "last_updated"}
            }
        )
        for row in rows
    )


def _saved(model: type[Model], /, **facts: Any) -> Any:
    record = model(**facts)
    record.validated_save()
    return record


def _status(model: type[Model], name: str = "Active") -> Status:
    return Status.objects.get_for_model(model).get(name=name)


def save_by_hand(place: Location, lengths: dict[str, int]) -> None:
    """The pod `s` of the small design, whole."""
    intended = intended_plant(SMALL, "s")
    layout, names = SMALL.layout, intended.names
    maker = _saved(Manufacturer, name="Generic")
    family = _saved(ModuleFamily, name="Optical transceiver")
    ocs = _saved(DeviceType, manufacturer=maker, model="small optical circuit switch", u_height=6)
    tray_type = _saved(DeviceType, manufacturer=maker, model="small tray", u_height=2)
    optics = _saved(
        ModuleType, manufacturer=maker, model="Optical transceiver", module_family=family
    )
    fibre = _saved(CableType, name="Fibre")
    facts = {"design": "small", "layout": SMALL.digest}
    pod = _saved(Pod, name="s", location=place, status=_status(Pod), **facts)
    about = {"location": place, "status": _status(Rack), "u_height": 48}
    roles = {role.name: role for role in Role.objects.all()}
    interfaces: dict[tuple[str, str], Interface] = {}

    def device(rack: Rack, name: str, kind: DeviceType, role: str, position: int) -> Device:
        return _saved(
            Device, name=name, device_type=kind, role=roles[role], status=_status(Device),
            location=place, rack=rack, position=position, face="front",
        )  # fmt: skip

    def port(number: int, of: dict[str, Any], parent: Device, bay: Any = None) -> None:
        name = names.port(number)[1]
        interface = _saved(
            Interface, device=parent, name=name, type="other", status=_status(Interface),
            role=roles["Optical port"],
        )  # fmt: skip
        interfaces[names.port(number)] = interface
        _saved(Port, pod=pod, number=number, interface=interface, module_bay=bay, **of)

    for number, name in enumerate(names.switches):
        if number % 8 == 0:
            label = f"s-ocs-r{number // 8 + 1:02d}"
            rack = _saved(Rack, name=label, role=roles["Switch rack"], **about)
        at = device(rack, name, ocs, "Optical circuit switch", 1 + number % 8 * 6)
        switch = _saved(Switch, pod=pod, number=number, device=at, status=_status(Switch))
        first = layout.cube_ports + number * layout.ports_per_switch
        for on_switch in range(first, first + layout.ports_per_switch):
            port(on_switch, {"switch": switch}, at)
    for slot in range(1, 4):
        rack = _saved(Rack, name=names.cube(slot), role=roles["Cube"], **about)
        cube = _saved(Cube, pod=pod, slot=slot, rack=rack, status=_status(Cube))
        trays = [
            device(rack, f"s-c{slot:03d}-t{tray:02d}", tray_type, "Tray", 2 * tray - 1)
            for tray in (1, 2)
        ]
        for number in range((slot - 1) * 24, slot * 24):
            tray = trays[int(layout.device[number]) % 2]
            bay = _saved(
                ModuleBay, parent_device=tray, name=names.port(number)[1], module_family=family
            )
            _saved(Module, module_type=optics, parent_module_bay=bay, status=_status(Module))
            port(number, {"cube": cube}, tray, bay)
    for a, b in zip(intended.a.tolist(), intended.b.tolist(), strict=True):
        label = names.cable(a)
        length = lengths.get(label)
        _saved(
            Cable, label=label, status=_status(Cable, "Connected"), cable_type=fibre,
            type="smf-os2", length=length, length_unit="cm" if length else "",
            termination_a=interfaces[names.port(a)], termination_b=interfaces[names.port(b)],
        )  # fmt: skip
