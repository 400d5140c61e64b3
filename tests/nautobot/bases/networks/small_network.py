"""Networks of a few blocks: those that are only listed, and one with its ports and cables."""

import json
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from nautobot.dcim.models import Location

from fabric_twin.models import Block, Demand, Multislice, Pod
from fabric_twin.operations.networks.load import load_network
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_devices, make_location, status_of

FIRST_DAY = date(2026, 11, 1)


def make_network(name: str, many: int = 2, *, location: Location | None = None) -> Pod:
    """A network over two switches: blocks of 12 strands one after the other, and no ports."""
    location = location or make_location(f"Hall of {name}")
    status = status_of(Pod)
    pod = Pod.objects.create(name=name, design="network-2", location=location, status=status)
    names = [f"ab{number:02}" for number in range(1, many + 1)]
    devices = make_devices(pod, [f"{name}-{block}" for block in names])
    active = status_of(Block)
    Block.objects.bulk_create(
        Block(
            pod=pod,
            name=block,
            device=device,
            first_port=1 + 3 * number,
            strands=12,
            rate_gbps=400,
            status=active,
        )
        for number, (block, device) in enumerate(zip(names, devices, strict=True))
    )
    return pod


def add_demand(pod: Pod, rows: Iterable[tuple[str, str, float]], day: int = 0) -> Demand:
    """The demand of a day, counted from the first."""
    return Demand.objects.create(pod=pod, day=FIRST_DAY + timedelta(day), gbps=[*map(list, rows)])


def add_multislice(pod: Pod, name: str, **facts: Any) -> Multislice:
    """A job of a network, without pods."""
    author, _ = get_user_model().objects.get_or_create(username="ada")
    facts = {"shape": "4x4x4", "author": author, **facts}
    return Multislice.objects.create(pod=pod, name=name, **facts)


def load_small_network(name: str = "dc1", many: int = 2) -> Pod:
    """The same with switches, ports and cables, as loading writes them."""
    blocks = [
        {"name": f"ab{n:02}", "strands": 12, "rate_gbps": 400, "first_port": 3 * n - 2}
        for n in range(1, many + 1)
    ]
    load_network(name, json.dumps({"version": 1, "switches": 2, "blocks": blocks}).encode(), hall())
    return Pod.objects.get(name=name)
