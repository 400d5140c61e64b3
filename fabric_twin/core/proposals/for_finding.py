"""Which ticket answers a finding: what optics can do about it, if anything."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Port
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.proposal import DRIFT, MAINTENANCE, SPARE

#: A mirror of this port is bad, or light is lost there: leave the port.
_PORT = {"port-failed", "high-loss", "high-reflection"}
#: The switches show other circuits than are wanted.
_CIRCUITS = {"circuit-missing", "circuit-unexpected", "odd-sibling"}
#: Who mends it touches the whole switch, or the whole cube.
_SWITCH = {"switch-down", "power-lost", "fan-lost"}
_CUBE = {"cube-down", "tray-down", "copper-down"}


def wish_to_mend(
    code: str,
    places: Sequence[Port],
    slots: Iterable[int],
    units: Iterable[str],
    names: Names,
    *,
    bear: int = 0,
) -> tuple[str, dict[str, Any]]:
    """The kind of ticket that answers a finding, and its wish.

    `places` are its devices and ports, `slots` the cubes among them, `units` the parts that its
    remedy replaces, such as a driver board. While a switch, or ports of it, are out, a slice stays
    if each join of two of its cubes then lacks at most `bear` switches.
    """
    switches = set(names.switches)
    on_switch = [place for place in places if place[0] in switches]
    devices = list(dict.fromkeys(device for device, _ in on_switch))
    ports = [list(place) for place in on_switch if place[1]]
    cubes = sorted(set(slots))
    boards = [int(found[1]) for unit in units if (found := re.search(r"(\d+)$", unit))]
    wish: dict[str, Any] | None = None
    kind = MAINTENANCE
    if code in _PORT and ports:
        kind, wish = SPARE, {"port": ports[0], "reason": code}
    elif code in _CIRCUITS and ports:
        kind, wish = DRIFT, {"ports": ports}
    elif code == "board-out" and devices and boards:
        wish = {"boards": [[devices[0], board] for board in boards], "bear": bear}
    elif code == "board-out" and ports:
        wish = {"ports": ports, "bear": bear}
    elif code in _SWITCH and devices:
        wish = {"switches": devices, "bear": bear}
    elif code in _CUBE and cubes:
        wish = {"slots": cubes}
    if wish is None:
        raise NotPossible(
            f"no change of circuits mends {code}: only manual work does",
            where="finding",
            remedy="Do its remedy, or take a part out of service with a ticket for maintenance",
        )
    return kind, wish
