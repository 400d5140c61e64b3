"""Cables written at once, with the paths that Nautobot's trace would find."""

from collections.abc import Collection, Sequence
from uuid import UUID, uuid4

from django.contrib.contenttypes.models import ContentType
from nautobot.core.utils.data import to_meters
from nautobot.dcim.choices import CableTypeChoices
from nautobot.dcim.models import Cable, CablePath, CableToCableTermination, Interface
from nautobot.extras.models import Status

from fabric_twin.core.cabling.cable_kinds import CableKind, cable_kind
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.pods.names import Names
from fabric_twin.first_records import PRINTED_LABEL
from fabric_twin.inventory.cutsheet import CONNECTED
from fabric_twin.models import Pod, WrittenEnd
from fabric_twin.operations.pods.wanted_cables import WantedCable
from fabric_twin.repositories.bulk_delete import remove
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.cable_lengths import kept
from fabric_twin.repositories.cable_reading import End, as_text
from fabric_twin.repositories.hardware_types import Parts, status

#: What Nautobot calls the medium of a cable, by its kind.
MEDIA = {
    None: CableTypeChoices.TYPE_SMF_OS2,
    CableKind.OPTICAL: CableTypeChoices.TYPE_AOC,
    CableKind.COPPER: CableTypeChoices.TYPE_DAC_PASSIVE,
}
#: A cable, one of its ends, the port that takes it.
Plugged = tuple[UUID, str, UUID]


def write_cables(
    pod: Pod,
    names: Names,
    wanted: Sequence[WantedCable],
    interfaces: dict[int, UUID],
    parts: Parts,
    writer: Writer,
) -> None:
    """Write cables; `interfaces` has the ports that are free, and those taken leave it."""
    # What is connected goes first: of two cables on a port the planned one is not in it yet.
    wanted = sorted(wanted, key=lambda cable: cable.status != CONNECTED)
    statuses = {name: status(Cable, name) for name in {cable.status for cable in wanted}}
    keys = [uuid4() for _ in wanted]
    _write_rows(pod.to_core(), wanted, keys, statuses, parts, writer)
    # Asked once: Nautobot asks the database each time.
    connected = Cable.STATUS_CONNECTED
    lit = {
        key for key, cable in zip(keys, wanted, strict=True) if statuses[cable.status] == connected
    }
    ends = [
        (key, letter, end)
        for key, cable in zip(keys, wanted, strict=True)
        for letter, end in (("A", cable.a), ("B", cable.b))
    ]
    write_ends(pod, names, ends, interfaces, lit, writer)


def rows_of_cables(wanted: Collection[WantedCable]) -> int:
    """How many rows some cables are, where each port that they name is free."""
    ports = {end for cable in wanted for end in (cable.a, cable.b) if isinstance(end, int)}
    # A row each, and one an end; an end in a port has the path from there too.
    return 3 * len(wanted) + len(ports)


def write_ends(
    pod: Pod,
    names: Names,
    ends: Sequence[tuple[UUID, str, End]],
    interfaces: dict[int, UUID],
    lit: Collection[UUID],
    writer: Writer,
) -> None:
    """Plug ends of cables into the ports that are free, and write down where the others are.

    `lit` are the cables that are connected: their paths are active.
    """
    plugged: list[Plugged] = []
    written: list[tuple[UUID, str, str, str]] = []
    for key, letter, end in ends:
        interface = interfaces.pop(end, None) if isinstance(end, int) else None
        if interface:
            plugged.append((key, letter, interface))
        else:
            written.append((key, letter, *as_text(names, end)))
    writer.insert(
        CableToCableTermination(),
        cable_id=[key for key, _, _ in plugged],
        cable_end=[letter for _, letter, _ in plugged],
        interface_id=[interface for _, _, interface in plugged],
    )
    write_paths(plugged, lit, writer)
    writer.insert(
        WrittenEnd(pod=pod),
        cable_id=[row[0] for row in written],
        cable_end=[row[1] for row in written],
        device=[row[2] for row in written],
        port=[row[3] for row in written],
    )


def take_ends_off(cables: Sequence[UUID]) -> None:
    """Cables that end nowhere, for now: neither in ports, nor as written, nor on paths."""
    ends = CableToCableTermination.objects.filter(cable__in=cables)
    interfaces = list(ends.filter(interface__isnull=False).values_list("interface", flat=True))
    kind = ContentType.objects.get_for_model(Interface)
    paths = CablePath.objects.filter(origin_type=kind, origin_id__in=interfaces)
    for rows in (paths, ends, WrittenEnd.objects.filter(cable__in=cables)):
        remove(rows.order_by())


def _write_rows(
    design: Design,
    wanted: Sequence[WantedCable],
    keys: Sequence[UUID],
    statuses: dict[str, Status],
    parts: Parts,
    writer: Writer,
) -> None:
    lengths = [kept(cable.length) for cable in wanted]
    kinds = [
        cable_kind(design, *(end for end in (cable.a, cable.b) if isinstance(end, int)))
        for cable in wanted
    ]
    types = [
        parts.cable_type(kind, crossed=cable.crossed)
        for cable, kind in zip(wanted, kinds, strict=True)
    ]
    writer.insert(
        Cable(),
        id=keys,
        type=["" if design.medium is Medium.PACKET else MEDIA[kind] for kind in kinds],
        label=[cable.name for cable in wanted],
        status_id=[statuses[cable.status].pk for cable in wanted],
        cable_type_id=[one and one.pk for one in types],
        length=[length for length, _ in lengths],
        length_unit=[unit for _, unit in lengths],
        _abs_length=[None if many is None else to_meters(many, unit) for many, unit in lengths],
        _custom_field_data=[
            {PRINTED_LABEL: cable.printed} if cable.printed else {} for cable in wanted
        ],
    )


def write_paths(plugged: Sequence[Plugged], lit: Collection[UUID], writer: Writer) -> None:
    """The path from each end: over the cable, to the port at its other end if it is in one."""
    cable = ContentType.objects.get_for_model(Cable).pk
    interface = ContentType.objects.get_for_model(Interface)
    other = {(key, "A" if letter == "B" else "B"): port for key, letter, port in plugged}
    far = [other.get((key, letter)) for key, letter, _ in plugged]
    writer.insert(
        CablePath(origin_type=interface),
        clean=False,
        origin_id=[port for _, _, port in plugged],
        destination_type_id=[port and interface.pk for port in far],
        destination_id=far,
        path=[[f"{cable}:{key}"] for key, _, _ in plugged],
        is_active=[
            bool(port) and key in lit for (key, _, _), port in zip(plugged, far, strict=True)
        ],
    )
