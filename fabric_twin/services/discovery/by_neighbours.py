"""Discover the cables of a static plant: cubes say whom each port hears."""

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.discovery.heard import heard_cables
from fabric_twin.core.discovery.report import Report
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN
from fabric_twin.services.discovery.neighbours import Hearing
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import CubeState


def discover_by_neighbours(
    intended: Intended, cubes: Answers[CubeState], *, name_all: bool
) -> Report:
    """What cubes that answered say of their cables; `name_all` names those that did not."""
    hearing = Hearing(intended.names)
    claims = hearing.listen(cubes.given)
    foreign = np.flatnonzero(claims == NOT_OF_DESIGN).tolist()
    # This reading is the one before any round.
    strangers = hearing.strangers({port: (port, -1) for port in foreign})
    cables = list(heard_cables(intended, claims, strangers))
    no_switch = np.full(len(claims), NO_PORT, np.int32)
    return Report(
        pod=intended.pod,
        design=intended.design.name,
        rounds=0,
        cables=cables,
        levels=[hearing.level(cable.of, no_switch) for cable in cables],
        ports={},
        in_use=0,
        not_made={},
        unanswered={name: error.what for name, error in cubes.missing.items() if name_all},
        exchanged=(),
    )
