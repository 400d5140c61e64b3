"""Ports of hosts into the network: an interface `dcn` on each tray, cabled to a block of its pod.

    v4a-c001-t03  dcn ---- v4a-c001-t03  dc1-ab01        trays take the blocks of their pod in turn

What is there stays: a tray that has its cable keeps it, wherever that goes.
"""

from dataclasses import dataclass
from itertools import cycle
from uuid import UUID

from django.db import transaction
from nautobot.dcim.choices import CableTypeChoices
from nautobot.dcim.models import Cable, CableToCableTermination, Device, Interface
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.core.superpods.chips import rates_of
from fabric_twin.models import Pod
from fabric_twin.operations.pods.write_cables import write_paths
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.hardware_types import status
from fabric_twin.repositories.permissions import require_kinds
from fabric_twin.repositories.pod_lock import hold_pod

#: What the port of a tray is called.
DCN = "dcn"
#: Chips behind it.
CHIPS_A_TRAY = 4


@dataclass(frozen=True)
class HostPorts:
    """What was written, or would be."""

    pod: str
    ports: int
    cables: int
    dry_run: bool

    def __str__(self) -> str:
        """The whole in a sentence."""
        would = "would write" if self.dry_run else "wrote"
        ports, cables = counted(self.ports, "port"), counted(self.cables, "cable")
        return f"Pod {self.pod}: {would} {ports} of hosts and {cables} to blocks."


def write_host_ports(pod: Pod, *, user: User | None = None, dry_run: bool = False) -> HostPorts:
    """Give each tray of a pod its port, and a cable to a block that serves the pod."""
    with transaction.atomic():
        held = hold_pod(pod, user)
        held.to_core().check_can(Verb.SLICE, NotPossible)
        require_kinds(user, "add", [Interface, Cable])
        blocks = list(
            held.own_blocks.order_by("pod", "first_port").values_list("device", flat=True)
        )
        if not blocks:
            raise NotPossible(
                "no block serves it",
                where=f"pod {held.name}",
                remedy="Say on the page of a block of a network that it serves this pod",
            )
        trays = Device.objects.filter(interfaces__fabric_port__cube__pod=held).distinct()
        names = dict(trays.order_by("name").values_list("pk", "name"))
        writer = Writer()
        has_port = set(
            Interface.objects.filter(name=DCN, device__in=names).values_list("device", flat=True)
        )
        new = [pk for pk in names if pk not in has_port]
        rates = rates_of(held.design)
        writer.insert(
            Interface(
                type="other",
                status=status(Interface, "Active"),
                speed=int(CHIPS_A_TRAY * rates.dcn_bytes_s * 8 / 1000) if rates else None,
            ),
            device_id=new,
            name=[DCN] * len(new),
        )
        free = Interface.objects.filter(name=DCN, device__in=names, cable_termination=None)
        ends = sorted(free.values_list("device", "pk"), key=lambda row: names[row[0]])
        sockets = writer.insert(
            Interface(type="other", status=status(Interface, "Active")),
            device_id=[block for _, block in zip(ends, cycle(blocks), strict=False)],
            name=[names[device] for device, _ in ends],
        )
        _write_cables([(port, f"{names[device]}:{DCN}") for device, port in ends], sockets, writer)
        written = HostPorts(held.name, len(new), len(ends), dry_run)
        if ends or new:
            record_alone(held, str(written), user)
        transaction.set_rollback(dry_run)
    return written


def _write_cables(ends: list[tuple[UUID, str]], sockets: list[UUID], writer: Writer) -> None:
    """A cable from each port of a host to its socket at a block."""
    cables = writer.insert(
        Cable(type=CableTypeChoices.TYPE_SMF_OS2, status=status(Cable, "Connected")),
        label=[label for _, label in ends],
    )
    plugged = [
        (cable, letter, port)
        for cable, (host, _), socket in zip(cables, ends, sockets, strict=True)
        for letter, port in (("A", host), ("B", socket))
    ]
    writer.insert(
        CableToCableTermination(),
        cable_id=[key for key, _, _ in plugged],
        cable_end=[letter for _, letter, _ in plugged],
        interface_id=[port for _, _, port in plugged],
    )
    write_paths(plugged, set(cables), writer)
