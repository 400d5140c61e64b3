"""Ports of hosts into a network, and the sockets that they have at blocks."""

from typing import Any

from django.db.models import Q
from nautobot.dcim.models import Device, Interface

from fabric_twin.models import Block, Pod

#: What the port of a tray is called.
DCN = "dcn"


def host_ports_of(pod: Pod) -> Any:
    """The ports of a pod's hosts and their sockets at blocks; of a network, the sockets alone."""
    sockets = Interface.objects.filter(fabric_port=None)
    if pod.is_network:
        hosts = Interface.objects.filter(name=DCN).values("device__name")
        at_blocks = pod.blocks.values("device")
        return sockets.filter(device__in=at_blocks, name__in=hosts).order_by()
    trays = trays_of(pod)
    at_blocks = Block.objects.values("device")
    mine = Q(device__in=trays.values("pk"), name=DCN)
    return sockets.filter(mine | Q(device__in=at_blocks, name__in=trays.values("name"))).order_by()


def trays_of(pod: Pod) -> Any:
    """The trays of a pod of cubes."""
    return Device.objects.filter(interfaces__fabric_port__cube__pod=pod).distinct()
