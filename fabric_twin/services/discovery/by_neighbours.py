"""Discover cables by whom each port hears: those of a static plant, and those of a cluster."""

from collections.abc import Mapping

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.discovery.cables import ObservedCable, Port
from fabric_twin.core.discovery.heard import contradictions, heard_cables
from fabric_twin.core.discovery.report import Level, Report
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.pods.names import Names
from fabric_twin.services.discovery.neighbours import Hearing
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import CubeState

_NO_LIGHT = Level(None, None)


def discover_by_neighbours(
    intended: Intended, devices: Answers[CubeState], *, name_all: bool
) -> Report:
    """What devices that answered say of their cables; `name_all` names those that did not."""
    names = intended.names
    hearing = Hearing(names)
    if names.layout.medium is Medium.PACKET:
        claims, strangers = claims_of_all(names, devices.given)
    else:
        claims = hearing.listen(devices.given)
        foreign = np.flatnonzero(claims == NOT_OF_DESIGN).tolist()
        # This reading is the one before any round.
        strangers = hearing.strangers({port: (port, -1) for port in foreign})
    no_switch = np.full(len(claims), NO_PORT, np.int32)

    def level(cable: ObservedCable) -> Level:
        is_lit = names.layout.medium is not Medium.PACKET
        return hearing.level(cable.of, no_switch) if is_lit else _NO_LIGHT

    cables = list(heard_cables(intended, claims, strangers))
    return Report(
        pod=intended.pod,
        design=intended.design.name,
        rounds=0,
        cables=cables,
        levels=list(map(level, cables)),
        ports={},
        in_use=0,
        not_made={},
        unanswered={name: error.what for name, error in devices.missing.items() if name_all},
        exchanged=(),
        contradictions=contradictions(names, claims, strangers),
        noun=intended.noun,
    )


def claims_of_all(names: Names, devices: Mapping[str, CubeState]) -> tuple[Column, dict[int, Port]]:
    """Whom each port of groups and switches hears, and who of those is of no design."""
    layout = names.layout
    claims = np.full(len(layout.mate), NOT_KNOWN, np.int32)
    answered = [number for number, name in enumerate(names.devices) if name in devices]
    claims[np.isin(layout.device, answered)] = NO_PORT
    rows = [
        (name, port, neighbour.device, neighbour.port)
        for name, state in devices.items()
        for port, neighbour in state.neighbours.items()
    ]
    cells: list[tuple[str, ...]] = list(zip(*rows, strict=True)) or [()] * 4
    near, far = names.find(cells[0], cells[1]), names.find(cells[2], cells[3])
    # Who tells neither a name nor a port is a stranger too.
    far = np.where(far < 0, NOT_OF_DESIGN, far)
    ours = near >= 0
    claims[near[ours]] = far[ours]
    foreign = np.flatnonzero(ours & (far < 0)).tolist()
    return claims, {int(near[row]): rows[row][2:] for row in foreign}
