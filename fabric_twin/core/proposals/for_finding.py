"""Which ticket answers a finding: what optics can do about it, if anything."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Port
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.proposal import (
    DRIFT,
    MAINTENANCE,
    RETURN,
    SPARE,
    TOPOLOGY,
)
from fabric_twin.core.rings.audit import CODES, ChangeEntry

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
    ports, cubes = _ports(places, names), sorted(set(slots))
    if code in _PORT and ports:
        return SPARE, {"port": ports[0], "reason": code}
    if code in _CIRCUITS and ports:
        return DRIFT, {"ports": ports}
    if parts := _parts(code, places, units, names):
        return MAINTENANCE, {**parts, "bear": bear}
    if code in _CUBE and cubes:
        return MAINTENANCE, {"slots": cubes}
    raise _only_by_hand(code)


def links_to_mend(
    code: str,
    places: Sequence[Port],
    units: Iterable[str],
    names: Names,
    *,
    asked: bool,
    active: bool = True,
) -> tuple[str, dict[str, Any]]:
    """The same in a network, whose links follow a topology: where something is `asked`, that.

    Links leave a bad port: no spare is joined while its cable is still on the port. A circuit
    that is missing is made again between `active` blocks; others are to have no links.
    """
    ports = _ports(places, names)
    if code in _PORT and ports:
        return MAINTENANCE, {"ports": ports}
    if code == "circuit-missing" and ports and active:
        return RETURN, {"ports": ports}
    if code in {"topology-odd", "circuit-unexpected", "circuit-missing"}:
        return TOPOLOGY, {"topology": "engineered" if asked else "uniform"}
    if parts := _parts(code, places, units, names):
        return MAINTENANCE, parts
    if code == "rate-lowered":
        raise NotPossible(
            "no change of circuits makes a slow link faster",
            where="finding",
            remedy="Look at the speed that its ends are set to, and at their modules",
        )
    raise _only_by_hand(code)


def entries_to_change(code: str, remedy: Iterable[Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    """The same in a cluster, whose tickets change the flow entries that a remedy names."""
    ends = [
        [str(step["switch"]), port]
        for step in remedy
        if step.get("do") == ChangeEntry.do
        for port in (f"{step['into']}A", f"{step['out']}B")
    ]
    if ends:
        return DRIFT, {"ports": ends, "accept": False}
    if code in CODES:
        raise NotPossible(
            "a row that somebody changed is no entry, and no ticket touches it",
            where="finding",
            remedy="Remove the row on the switch, and audit the cluster again",
        )
    raise _only_by_hand(code)


def _ports(places: Sequence[Port], names: Names) -> list[list[str]]:
    switches = set(names.switches)
    return [list(place) for place in places if place[0] in switches and place[1]]


def _parts(
    code: str, places: Sequence[Port], units: Iterable[str], names: Names
) -> dict[str, Any] | None:
    """What of switches has to be out of service while somebody mends it."""
    switches = set(names.switches)
    devices = list(dict.fromkeys(device for device, _ in places if device in switches))
    boards = [int(found[1]) for unit in units if (found := re.search(r"(\d+)$", unit))]
    if code == "board-out" and devices and boards:
        return {"boards": [[devices[0], board] for board in boards]}
    if code == "board-out" and (ports := _ports(places, names)):
        return {"ports": ports}
    return {"switches": devices} if code in _SWITCH and devices else None


def _only_by_hand(code: str) -> NotPossible:
    return NotPossible(
        f"no change of circuits mends {code}: only manual work does",
        where="finding",
        remedy="Do its remedy, or take a part out of service with a ticket for maintenance",
    )
