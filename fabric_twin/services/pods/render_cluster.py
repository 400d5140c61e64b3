"""Render documents of a cluster of groups, as its rule has it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.topology.wiring import OF_CLUSTER
from fabric_twin.services.pods.render import Rendering, render_devices
from fabric_twin.services.pods.which import Which, check_only, device_of


def render_cluster(
    intended: Intended, kind: str, form: str, which: Which, made: datetime | None = None
) -> Rendering:
    """Maps of one group or switch, or all; cut list and labels, whole or device by device."""
    if kind in {"group-map", "switch-map"}:
        check_only(kind, which, OF_CLUSTER[kind])
    group, switch = _whole(intended, which.group), _whole(intended, which.switch)
    device = device_of(kind, replace(which, group=group, switch=switch), intended.names)
    return render_devices(intended, kind, form, device, made, every=which.every)


def refuse_files(given: Mapping[str, object]) -> None:
    """Refuse what documents of a cluster are not made from."""
    if odd := [option for option, value in given.items() if value]:
        raise DocumentRefused(
            f"documents of a cluster are made from its design, not from {odd[0]}",
            where="render",
            remedy="Leave it out",
        )


def _whole(intended: Intended, name: str | None) -> str | None:
    """A device's name; the part after the cluster's is enough."""
    begins = f"{intended.pod}-"
    return name if not name or name.startswith(begins) else begins + name
