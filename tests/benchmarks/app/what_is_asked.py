"""Everything that is timed, and which of Nautobot's own it is held against."""

from collections.abc import Iterator
from typing import Any

from ten_pods import POD, ensure_strangers

#: Kind, name, path or query, and the name of Nautobot's own of that kind; "" where it has none.
Asked = tuple[str, str, str, str]

APP, REST = "/plugins/fabric-twin/", "/api/plugins/fabric-twin/"
#: Of a day's work.
OF_WORK = ("finding", "ticket", "work order", "audit run")
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
        "ticket": pod.tickets.first(),
        "work order": pod.work_orders.first(),
        "finding": pod.findings.first(),
        "audit run": pod.audit_runs.first(),
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

    own = {
        "Manufacturer": Manufacturer.objects.all()[0].get_absolute_url(),
        "list of Manufacturers": "/dcim/manufacturers/",
        "REST list of Manufacturers": "/api/dcim/manufacturers/",
        "GraphQL of Manufacturers": "{ manufacturers { name } }",
        "GraphQL of devices": "{ devices(limit: 50) { name rack { name } } }",
        "form of a device": "/dcim/devices/add/",
    }
    for name, record in ensure_strangers().items():
        own[f"{name} of no pod"] = record.get_absolute_url()
        own[f"{name} of no pod, change log"] = f"{record.get_absolute_url()}changelog/"
    for path in ("racks", "devices", "interfaces", "cables"):
        own[f"list of {path}"] = f"/dcim/{path}/"
        own[f"list of {path}, searched"] = f"/dcim/{path}/?q={POD}-"
        own[f"REST list of {path}"] = f"/api/dcim/{path}/"
        own[f"REST list of {path}, deep"] = f"/api/dcim/{path}/?depth=1"
    device = ensure_strangers()["Device"]
    own["REST one device"] = f"/api/dcim/devices/{device.pk}/"
    for name, path in own.items():
        yield "floor", name, path, ""


def _pages(records: dict[str, Any]) -> Iterator[Asked]:
    for name in ("pod", "cube", "switch", "slice", "circuit", *OF_WORK):
        url = records[name].get_absolute_url()
        yield "page", name, url, "Device of no pod"
        yield "page", f"{name}, change log", f"{url}changelog/", "Device of no pod, change log"
    for name in ("port of a cube", "port of a switch"):
        yield "page", name, records[name].get_absolute_url(), "Interface of no pod"
    switch, interface = records["switch"].device, records["port of a cube"].interface
    for name, record, peer in (
        ("Rack, a cube's", records["cube"].rack, "Rack"),
        ("Rack, of switches", switch.rack, "Rack"),
        ("Device, a tray", interface.device, "Device"),
        ("Device, a switch", switch, "Device"),
        ("Interface, a port of a cube", interface, "Interface"),
        ("Interface, a port of a switch", records["port of a switch"].interface, "Interface"),
        ("Cable", interface.cable, "Cable"),
    ):
        yield "page", name, record.get_absolute_url(), f"{peer} of no pod"
    yield "page", "Location", records["pod"].location.get_absolute_url(), ""
    # Nautobot's own pages of our records: the App adds nothing to them.
    tray = interface.device.get_absolute_url()
    yield "page", "Device, a tray, its interfaces", f"{tray}interfaces/", ""
    yield "page", "Device, a tray, its module bays", f"{tray}module-bays/", ""
    yield "page", "Device, a switch, its interfaces", f"{switch.get_absolute_url()}interfaces/", ""
    path = f"{APP}interfaces/{interface.pk}/light-path/"
    yield "page", "Interface, light path", path, "Interface of no pod"
    path = f"{APP}cables/{interface.cable.pk}/light-path/"
    yield "page", "Cable, light path", path, "Cable of no pod"
    yield "page", "home", "/", ""
    yield "page", "shift", f"{APP}shift/", "Device of no pod"
    yield "page", "my orders", f"{APP}work-orders/mine/", "Device of no pod"
    for kind in ("slices", "tickets", "work-orders"):
        yield "page", f"form of {kind}", f"{APP}{kind}/add/", "form of a device"
    yield "page", "search, all kinds", f"/search/?q={POD}-ocs-x-1-1", ""


def _lists(records: dict[str, Any]) -> Iterator[Asked]:
    made, peers = records["slice"].pk, {"ports": "interfaces", "circuits": "cables"}
    of_work = ("findings", "tickets", "work-orders", "audit-runs", "stock")
    for kind in ("pods", "cubes", "switches", "ports", "slices", "circuits", *of_work):
        peer = f"list of {peers.get(kind, 'devices')}"
        yield "page", f"list of {kind}", f"{APP}{kind}/", peer
        if kind not in ("pods", "stock"):
            yield "page", f"list of {kind} of a pod", f"{APP}{kind}/?pod={POD}", peer
        yield "page", f"list of {kind}, searched", f"{APP}{kind}/?q={POD}", f"{peer}, searched"
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
        "findings/?sort=-severity",
    ):
        peer = f"list of {peers.get(query.partition('/')[0], 'devices')}, searched"
        yield "page", query.replace(str(made), "ID"), f"{APP}{query}", peer


def _rest(records: dict[str, Any]) -> Iterator[Asked]:
    peers = {"ports": "interfaces", "optical-circuits": "cables", "written-ends": "cables"}
    for kind, name in (
        ("pods", "pod"),
        ("cubes", "cube"),
        ("switches", "switch"),
        ("ports", "port of a cube"),
        ("slices", "slice"),
        ("slice-parts", "part"),
        ("written-ends", "written end"),
        ("optical-circuits", "circuit"),
        ("findings", "finding"),
        ("tickets", "ticket"),
        ("work-orders", "work order"),
        ("audit-runs", "audit run"),
    ):
        peer = f"REST list of {peers.get(kind, 'devices')}"
        yield "REST", kind, f"{REST}{kind}/", peer
        yield "REST", f"{kind}, deep", f"{REST}{kind}/?depth=1", f"{peer}, deep"
        if kind != "pods":
            yield "REST", f"{kind} of a pod", f"{REST}{kind}/?pod={POD}", peer
        yield "REST", f"one of {kind}", f"{REST}{kind}/{records[name].pk}/", "REST one device"
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
        yield "REST", name, REST + path, ""


def _graphql() -> Iterator[Asked]:
    slices = "slices { name parts { place cube { slot rack { name } } } }"
    circuits = "device { name } circuits { a b wanted slice { name } }"
    for name, query in (
        ("slices and their racks", f'pods(name: "{POD}") {{ {slices} }}'),
        ("a switch and its circuits", f'switches(device: "{POD}-ocs-x-3-2") {{ {circuits} }}'),
        ("ports of a face", f'ports(cube: "{POD}-c007", face: "X+") {{ interface {{ name }} }}'),
    ):
        yield "GraphQL", name, f"{{ {query} }}", "GraphQL of devices"
