"""What a pod is built of: makes and models of racks, trays, switches, transceivers, cables.

They are made when the first pod needs them, and found by name from then on: an operator who knows
the real part numbers writes them there.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from nautobot.dcim.models import (
    CableType,
    DeviceType,
    Manufacturer,
    Module,
    ModuleFamily,
    ModuleType,
)
from nautobot.extras.models import Role, Status

from fabric_twin.core.cabling.cable_kinds import CableKind
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.kinds import Kind
from fabric_twin.core.rule import Plant
from fabric_twin.models import Pod
from fabric_twin.repositories.bulk_insert import Writer

MAKER = "Generic"
#: The sources give no heights: these fill a rack well.
RACK_UNITS = 48
SWITCH_UNITS = 6
SWITCHES_A_RACK = RACK_UNITS // SWITCH_UNITS
TRANSCEIVER = "Optical transceiver"


@dataclass(frozen=True)
class Parts:
    """The records that the rows of one pod point to."""

    tray: DeviceType
    switch: DeviceType | None
    #: None where nobody says what a port has: those of clusters.
    bay: ModuleFamily | None
    transceiver: ModuleType | None
    #: None where nobody says what cables are made of.
    cable: CableType | None
    #: A pair whose strands are exchanged.
    crossed: CableType | None
    #: What joins neighbours, where some cables of the design are copper.
    copper: CableType | None = None

    def cable_type(self, kind: CableKind | None, *, crossed: bool) -> CableType | None:
        """The record of a cable: its strands, or what it is made of."""
        copper = self.copper if kind is CableKind.COPPER else None
        return (self.crossed if crossed else None) or copper or self.cable


def find_parts(design: Design, writer: Writer) -> Parts:
    """Find the parts of a design, or make those that are not there."""
    maker = _found(writer, Manufacturer, name=MAKER)
    if design.medium is Medium.PACKET:
        return _of_cluster(design, maker, writer)
    family = _found(writer, ModuleFamily, name=TRANSCEIVER)
    switch = None
    if design.layout.switches:
        switch = _found(
            writer,
            DeviceType,
            {"u_height": SWITCH_UNITS},
            manufacturer=maker,
            model=f"{design.name} optical circuit switch",
        )
    paired = design.layout.plant is Plant.PAIRED
    strands = {"strands_per_lane": 2 if paired else 1}
    return Parts(
        tray=_found(
            writer,
            DeviceType,
            {"u_height": tray_units(design)},
            manufacturer=maker,
            model="Aggregation block" if design.kind is Kind.NETWORK else f"{design.name} tray",
        ),
        switch=switch,
        bay=family,
        transceiver=_found(
            writer,
            ModuleType,
            {"module_family": family},
            manufacturer=maker,
            model=design.transceiver or TRANSCEIVER,
        ),
        cable=_found(writer, CableType, strands, name="Fibre pair" if paired else "Fibre"),
        crossed=_found(
            writer,
            CableType,
            strands | {"is_shuffle": True, "polarity_method": "pair-reversed"},
            name="Fibre pair, strands exchanged",
        )
        if paired
        else None,
        copper=_found(writer, CableType, strands, name="Copper") if design.optical_wraps else None,
    )


def _of_cluster(design: Design, maker: Manufacturer, writer: Writer) -> Parts:
    """Groups and packet switches; the sources say neither optics nor cables of them."""
    group, switch = (
        _found(writer, DeviceType, {"u_height": units}, manufacturer=maker, model=model)
        for model, units in (
            (f"{design.name} group", tray_units(design)),
            (f"{design.name} packet switch", SWITCH_UNITS),
        )
    )
    return Parts(tray=group, switch=switch, bay=None, transceiver=None, cable=None, crossed=None)


def modules_in(pod: Pod, device: str, port: str) -> Any:
    """What is recorded in the cage of a port of a pod."""
    return Module.objects.filter(
        parent_module_bay__parent_device__name=device,
        parent_module_bay__name=port,
        parent_module_bay__fabric_ports__pod=pod,
    )


def tray_units(design: Design) -> int:
    """How high a tray is, so that all of a cube's are in one rack."""
    return max(1, min(2, RACK_UNITS // design.cube.trays))


def status(model: type[Model], name: str) -> Status:
    """The status of this name, or a refusal that says which the model may have."""
    statuses: dict[str, Status] = {
        record.name.lower(): record for record in Status.objects.get_for_model(model)
    }
    if name.lower() not in statuses:
        raise UnusableInput(
            f"{model._meta.verbose_name_plural} have no status {name[:40]!r}",
            where="status",
            remedy=f"Use one of {', '.join(sorted(s.name for s in statuses.values()))}",
        )
    return statuses[name.lower()]


def role(model: type[Model], name: str) -> Role:
    """The role of this name, which the App made when its database was."""
    found: Role | None = Role.objects.get_for_model(model).filter(name=name).first()
    if found is None:
        raise UnusableInput(
            f"{model._meta.verbose_name_plural} have no role {name!r}",
            where="roles",
            remedy="Make it, or run `nautobot-server post_upgrade`, which does",
        )
    return found


def _found(
    writer: Writer, model: type[Model], facts: dict[str, Any] | None = None, /, **known: Any
) -> Any:
    record = model._default_manager.filter(**known).first()
    return record or writer.made(model(**known, **(facts or {})))
