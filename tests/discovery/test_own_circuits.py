"""Circuits of a discovery: what a switch may still do is neither forgotten nor believed undone."""

from types import SimpleNamespace
from typing import Any

import pytest

from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.services.discovery.temporary_circuits import OwnCircuits
from fabric_twin.switches.changes import Applied, CircuitReport, Outcome
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import SwitchState

NAMES = Names(DESIGN.layout, "iw")
OCS, PAIR = NAMES.switches[0], ("1A", "2B")
EMPTY = SwitchState(OCS, {}, frozenset(), {})


@pytest.mark.parametrize("outcome", [Outcome.LATE, Outcome.NOT_KNOWN])
def test_a_switch_that_may_still_make_a_circuit_is_lost_and_its_circuit_stays_noted(
    outcome: Outcome,
) -> None:
    applied = Applied(OCS, (CircuitReport(PAIR, True, outcome),), EMPTY)
    fabric = SimpleNamespace(apply=lambda _changes: Answers({OCS: applied}, {}))
    noted: list[Any] = []
    own = OwnCircuits(NAMES, fabric, SimpleNamespace(write=noted.append))  # type: ignore[arg-type]
    columns, _ = numbered([Circuit(OCS, *PAIR)], NAMES)
    own.set(columns)
    assert set(own.lost) == {OCS}
    own.set(numbered([], NAMES)[0])
    assert noted[-1].set == {Circuit(OCS, *PAIR)}
