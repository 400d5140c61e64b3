"""Circuits that switches carry when they are first switched on."""

from collections.abc import Sequence

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.dialects.sonic import circuit_key
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.pod import SimulatedPod


def make_first_circuits(pods: Sequence[SimulatedPod], circuits: Sequence[Circuit]) -> None:
    """Configure circuits, each on the switch that it names; refuse them all where one cannot be."""
    pod_of = {switch: pod for pod in pods for switch in pod.points.switch_numbers}
    drafts: dict[str, Draft] = {}
    for circuit in circuits:
        pod = pod_of.get(circuit.switch)
        if pod is None:
            raise UnusableInput(
                f"nothing here has a switch {circuit.switch[:60]!r}",
                where=circuit.where,
                remedy="Name a switch of what is simulated",
            )
        number = pod.points.switch_numbers[circuit.switch]
        draft = drafts.setdefault(circuit.switch, Draft.of(pod.mirrors, number))
        try:
            draft.add(circuit_key(circuit.a, circuit.b), circuit.a, circuit.b)
        except FabricTwinError as refusal:
            twice = isinstance(refusal, NotPossible)
            raise UnusableInput(
                refusal.what,
                where=circuit.where,
                remedy="Give each port one circuit" if twice else refusal.remedy,
            ) from None
    for switch, draft in drafts.items():
        pod = pod_of[switch]
        pod.commit(pod.points.switch_numbers[switch], draft)
