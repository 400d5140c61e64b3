"""Switch ports as a hand sees them, and as a switch does: `7` is 7A and 7B together."""

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.orders.steps import End


def simplex(port: End) -> tuple[End, ...]:
    """What a switch calls the port that a cable is plugged into.

    >>> simplex(("iw1-ocs-x-3-2", "7A")), simplex(("v4-ocs-x-3-2", "7"))
    ((('iw1-ocs-x-3-2', '7A'),), (('v4-ocs-x-3-2', '7A'), ('v4-ocs-x-3-2', '7B')))
    """
    device, name = port
    return (port,) if name[-1:] in ("A", "B") else ((device, f"{name}A"), (device, f"{name}B"))


def kept_dark(intended: Intended) -> frozenset[str]:
    """The switches whose ports are kept dark while people work on them: optical ones.

    A packet switch has no circuits that would be cut, and blocks no port.
    """
    is_light = intended.design.medium is Medium.OPTICAL
    return frozenset(intended.names.switches) if is_light else frozenset()
