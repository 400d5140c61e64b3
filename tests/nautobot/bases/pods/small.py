"""Pods small enough to save row by row, and where they stand."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from django.contrib.contenttypes.models import ContentType
from nautobot.dcim.models import Device, Location, LocationType, Module, Rack
from nautobot.extras.models import Status

from fabric_twin.core import designs
from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.designs.ironwood import rule
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.rule import CubePorts, Plant, SwitchPorts


def _paired(port: CubePorts) -> SwitchPorts:
    """`+` of slot k on duplex port k, `-` on 3+k; a switch for each lane."""
    split = rule(port)
    return SwitchPorts(split.axis, split.number, split.side * 0, port.slot + 3 * port.sign)


_BOX = Cube(chips=(2, 2, 2), tray=(2, 2, 1))
#: Three cubes of two trays, twelve switches of four ports a side: 72 cables.
SMALL = Design(name="small", title="Small", slots=3, cube=_BOX, radix=4, spares=(4,), rule=rule)
#: The same of fibre pairs.
SMALL_PAIRED = Design(
    name="small-paired",
    title="Small, of pairs",
    slots=3,
    cube=_BOX,
    plant=Plant.PAIRED,
    radix=7,
    spares=(7,),
    rule=_paired,
)
#: Four groups of 4x4 over 48 tier-0 and 48 tier-1 switches: 192 cables of groups, 96 uplinks.
CLUSTER = groups_design(
    "small-cluster", "Small cluster", Cluster(Group.of(4, lanes=3), 2, 2, Joined.TWO)
)
#: Twelve chains of five on four switches that have a cable to each other.
CHAINS = groups_design(
    "small-chains", "Chains", Cluster(Group.of(5, lanes=1, chain=True), 4, 3, Joined.EACH_OTHER)
)


def install_designs() -> None:
    """Let the designs be found by name, as one of the package's own is."""
    for design in (SMALL, SMALL_PAIRED, CLUSTER, CHAINS):
        name = f"{designs.__name__}.{design.name.replace('-', '_')}"
        module = ModuleType(name)
        module.__spec__ = ModuleSpec(name, loader=None)
        module.DESIGN = design  # type: ignore[attr-defined]
        sys.modules[name] = module


def hall(name: str = "Hall 1") -> Location:
    """A place that takes racks and devices."""
    kind, made = LocationType.objects.get_or_create(name="Hall")
    if made:
        kind.content_types.set(ContentType.objects.get_for_models(Rack, Device, Module).values())
    active = Status.objects.get_for_model(Location).get(name="Active")
    return Location.objects.create(name=name, location_type=kind, status=active)


install_designs()
