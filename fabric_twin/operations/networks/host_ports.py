"""Ports of hosts into the network: an interface `dcn` on each tray, cabled to a block of its pod.

    v4a-c001-t03  dcn ---- v4a-c001-t03  dc1-ab01        trays take the blocks of their pod in turn

What is there stays: a tray that has its cable keeps it, wherever that goes.
"""

from dataclasses import dataclass
from itertools import cycle
from uuid import UUID

from nautobot.dcim.choices import CableTypeChoices
from nautobot.dcim.models import Cable, CableToCableTermination, Interface
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
from fabric_twin.repositories.pod_lock import hold_pod, pods_locked
from fabric_twin.repositories.ports import DCN, trays_of

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
    with pods_locked(keep=not dry_run):
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
        names: dict[UUID, str] = dict(trays_of(held).order_by("name").values_list("pk", "name"))
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
        sockets = _sockets(
            [(block, names[tray]) for (tray, _), block in zip(ends, cycle(blocks), strict=False)],
            writer,
        )
        _write_cables([(port, f"{names[device]}:{DCN}") for device, port in ends], sockets, writer)
        written = HostPorts(held.name, len(new), len(ends), dry_run)
        if ends or new:
            record_alone(held, str(written), user)
    return written


def _sockets(wanted: list[tuple[UUID, str]], writer: Writer) -> list[UUID]:
    """A socket of this name at each block: one that has lost its cable is used again."""
    there = Interface.objects.filter(device__in={block for block, _ in wanted})
    named = there.filter(name__in={name for _, name in wanted})
    known = {
        (block, name): (key, cable)
        for block, name, key, cable in named.values_list(
            "device", "name", "pk", "cable_termination"
        )
    }
    if taken := next((at for at in wanted if at in known and known[at][1]), None):
        raise NotPossible(
            f"port {taken[1]} of a block has another cable",
            where=f"tray {taken[1]}",
            remedy="Take that cable out, or join it to the tray",
        )
    new = [at for at in wanted if at not in known]
    written = writer.insert(
        Interface(type="other", status=status(Interface, "Active")),
        device_id=[block for block, _ in new],
        name=[name for _, name in new],
    )
    keys = dict(zip(new, written, strict=True))
    return [known[at][0] if at in known else keys[at] for at in wanted]


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
