"""Everything that is timed: kind, name, and path or query."""

from collections.abc import Iterator
from typing import Any

from ten_pods import POD, ensure_strangers

#: Kind, name, and path or query.
Asked = tuple[str, str, str]

APP, REST = "/plugins/fabric-twin/", "/api/plugins/fabric-twin/"
SIX_FACES = "&".join(f"face={axis}{sign}" for axis in "XYZ" for sign in ("%2B", "-"))


def wanted() -> Iterator[Asked]:
    """All of it."""
    records = _records()
    yield from _floor()
    yield from _pages(records)
    yield from _lists(records)
    yield from _rest(records)
    yield from _graphql()


def _records() -> dict[str, Any]:
    """One of each kind."""
    from fabric_twin.models import OpticalCircuit, Pod, Port, WrittenEnd

    pod = Pod.objects.get(name=POD)
    switch, made = pod.switches.get(number=9), pod.slices.get()
    ports = Port.objects.filter(pod=pod).select_related("interface__device")
    return {
        "pod": pod,
        "cube": pod.cubes.get(slot=7),
        "switch": switch,
        "slice": made,
        "part": made.parts.first(),
        "port of a cube": ports.filter(cube__slot=7)[0],
        "port of a switch": ports.filter(switch=switch)[0],
        "circuit": OpticalCircuit.objects.filter(switch=switch)[0],
        "written end": WrittenEnd.objects.filter(pod=pod)[0],
    }


def _floor() -> Iterator[Asked]:
    """Nautobot alone."""
    from nautobot.dcim.models import Manufacturer

    yield "floor", "Manufacturer", Manufacturer.objects.all()[0].get_absolute_url()
    yield "floor", "list of Manufacturers", "/dcim/manufacturers/"
    yield "floor", "REST list of Manufacturers", "/api/dcim/manufacturers/"
    yield "floor", "GraphQL of Manufacturers", "{ manufacturers { name } }"
    for name, record in ensure_strangers().items():
        yield "floor", f"{name} of no pod", record.get_absolute_url()
    for path in ("racks", "devices", "interfaces", "cables"):
        yield "floor", f"list of {path}", f"/dcim/{path}/"


def _pages(records: dict[str, Any]) -> Iterator[Asked]:
    for name in ("pod", "cube", "switch", "slice", "circuit"):
        url = records[name].get_absolute_url()
        yield "page", name, url
        yield "page", f"{name}, change log", f"{url}changelog/"
    for name in ("port of a cube", "port of a switch"):
        yield "page", name, records[name].get_absolute_url()
    switch, interface = records["switch"].device, records["port of a cube"].interface
    for name, record in (
        ("Rack, a cube's", records["cube"].rack),
        ("Rack, of switches", switch.rack),
        ("Device, a tray", interface.device),
        ("Device, a switch", switch),
        ("Interface, a port of a cube", interface),
        ("Interface, a port of a switch", records["port of a switch"].interface),
        ("Cable", interface.cable),
        ("Location", records["pod"].location),
    ):
        yield "page", name, record.get_absolute_url()
    tray = interface.device.get_absolute_url()
    yield "page", "Device, a tray, its interfaces", f"{tray}interfaces/"
    yield "page", "Device, a tray, its module bays", f"{tray}module-bays/"
    yield "page", "Device, a switch, its interfaces", f"{switch.get_absolute_url()}interfaces/"
    yield "page", "Interface, light path", f"{APP}interfaces/{interface.pk}/light-path/"
    yield "page", "Cable, light path", f"{APP}cables/{interface.cable.pk}/light-path/"
    yield "page", "home", "/"
    yield "page", "make a slice", f"{APP}slices/add/"
    yield "page", "search, all kinds", f"/search/?q={POD}-ocs-x-1-1"


def _lists(records: dict[str, Any]) -> Iterator[Asked]:
    made = records["slice"].pk
    for kind in ("pods", "cubes", "switches", "ports", "slices", "circuits"):
        yield "page", f"list of {kind}", f"{APP}{kind}/"
        if kind != "pods":
            yield "page", f"list of {kind} of a pod", f"{APP}{kind}/?pod={POD}"
        yield "page", f"list of {kind}, searched", f"{APP}{kind}/?q={POD}-ocs-x-1"
    for query in (
        f"ports/?q={POD}-c007:4.3.2/X%2B",
        "ports/?q=nothing-of-the-kind",
        f"ports/?pod={POD}&is_connected=False&{SIX_FACES}",
        "ports/?axis=x",
        "ports/?slots=1-9",
        "ports/?is_connected=False",
        "ports/?sort=-device",
        f"ports/?pod={POD}&page=500",
        "circuits/?drift=true&axis=x",
        f"circuits/?slice={made}&wanted=True",
        "circuits/?port=7A",
        "circuits/?sort=-slice",
        "cubes/?has_slice=false",
    ):
        yield "page", query.replace(str(made), "ID"), f"{APP}{query}"


def _rest(records: dict[str, Any]) -> Iterator[Asked]:
    for kind, name in (
        ("pods", "pod"),
        ("cubes", "cube"),
        ("switches", "switch"),
        ("ports", "port of a cube"),
        ("slices", "slice"),
        ("slice-parts", "part"),
        ("written-ends", "written end"),
        ("optical-circuits", "circuit"),
    ):
        yield "REST", kind, f"{REST}{kind}/"
        yield "REST", f"{kind}, deep", f"{REST}{kind}/?depth=1"
        if kind != "pods":
            yield "REST", f"{kind} of a pod", f"{REST}{kind}/?pod={POD}"
        yield "REST", f"one of {kind}", f"{REST}{kind}/{records[name].pk}/"
    pod, switch, cube = (records[name].pk for name in ("pod", "switch", "cube"))
    for name, path in (
        ("utilisation", f"pods/{pod}/utilisation/"),
        ("cut sheet of 13,824 cables", f"pods/{pod}/cut-sheet/"),
        ("circuits of a slice, all 6,912", f"slices/{records['slice'].pk}/circuits/"),
        ("drift along x", f"optical-circuits/?pod={POD}&drift=true&axis=x"),
        ("ports searched", f"ports/?q={POD}-ocs-x-1-1"),
        ("last page of ports", f"ports/?pod={POD}&offset=27600"),
        ("CSV of a switch's circuits", f"optical-circuits/?switch={switch}&format=csv&limit=0"),
        ("CSV of a cube's ports", f"ports/?cube={cube}&format=csv&limit=0"),
    ):
        yield "REST", name, REST + path


def _graphql() -> Iterator[Asked]:
    slices = "slices { name parts { place cube { slot rack { name } } } }"
    circuits = "device { name } circuits { a b wanted slice { name } }"
    for name, query in (
        ("slices and their racks", f'pods(name: "{POD}") {{ {slices} }}'),
        ("a switch and its circuits", f'switches(device: "{POD}-ocs-x-3-2") {{ {circuits} }}'),
        ("ports of a face", f'ports(cube: "{POD}-c007", face: "X+") {{ interface {{ name }} }}'),
    ):
        yield "GraphQL", name, f"{{ {query} }}"
