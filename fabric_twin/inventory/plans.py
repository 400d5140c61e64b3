"""Plans as `fabric-twin plan --json` writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import Names, pod_of
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.inventory.json_files import list_of, read_object, text_of, unlike, whole_number

PLAN = (
    '{"version": 1, "keep": 0, "remove": [...], "add": [...], '
    '"stages": [{"remove": [], "add": []}]}'
)
TOPOLOGY = '{"version": 1, "circuits": [...], "plan": {"stages": [{"remove": [], "add": []}]}}'

#: What goes, and what comes.
Stage = tuple[tuple[Circuit, ...], tuple[Circuit, ...]]


@dataclass(frozen=True)
class Plan:
    """A plan as it is written; a stage is what goes, then what comes."""

    keep: int
    lower_bound: int
    stages: tuple[Stage, ...]
    untouched_owners: tuple[str, ...]


def read_plan(data: bytes, source: str, names: Names) -> Plan:
    """Read a plan of a pod, or refuse it; one without stages is done in one."""
    content = read_object(data, source, PLAN)
    if not content.keys() & {"stages", "remove", "add"}:
        raise unlike("there is no plan in it", source, PLAN)
    stages = list_of(content, "stages", source, PLAN) or [content]
    found = tuple(_stage(stage, f"{source}, stage {n}") for n, stage in enumerate(stages, 1))
    _check_pod(found, names)
    return Plan(
        keep=whole_number(content.get("keep", 0), '"keep"', source, PLAN),
        lower_bound=whole_number(content.get("lower_bound", 0), '"lower_bound"', source, PLAN),
        stages=found,
        untouched_owners=tuple(
            text_of({"owner": owner}, "owner", source, PLAN)
            for owner in list_of(content, "untouched_owners", source, PLAN)
        ),
    )


def read_topology(data: bytes, source: str) -> tuple[tuple[Stage, ...], list[Circuit]]:
    """The stages of a plan that `fabric-twin topology --json` wrote, and all circuits after it."""
    content = read_object(data, source, TOPOLOGY)
    plan = content.get("plan")
    if not isinstance(plan, dict):
        raise unlike("there is no plan in it", source, TOPOLOGY)
    stages = list_of(plan, "stages", source, TOPOLOGY, needed=True)
    return (
        tuple(_stage(stage, f"{source}, stage {n}") for n, stage in enumerate(stages, 1)),
        circuits_of(list_of(content, "circuits", source, TOPOLOGY, needed=True), source, TOPOLOGY),
    )


def _stage(stage: Any, where: str) -> Stage:
    if not isinstance(stage, dict):
        raise unlike("the stage is not an object", where, PLAN)
    remove, add = (
        tuple(circuits_of(list_of(stage, key, where, PLAN), f"{where}, {key}", PLAN))
        for key in ("remove", "add")
    )
    return remove, add


def _check_pod(stages: Sequence[Stage], names: Names) -> None:
    """Refuse a plan of another pod: nothing is added to a switch that the pod does not have."""
    switches = set(names.switches)
    for circuit in (circuit for _, add in stages for circuit in add):
        if circuit.switch not in switches:
            raise UnusableInput(
                f"the pod {names.pod} has no switch {circuit.switch[:60]!r}",
                where=circuit.where,
                remedy="Name the pod and the design that the plan was made for",
            )
    for circuit in (circuit for remove, _ in stages for circuit in remove):
        if (pod := pod_of(circuit.switch)) not in {names.pod, None}:
            raise UnusableInput(
                f"{circuit.switch[:60]} is of pod {pod}, not of {names.pod}",
                where=circuit.where,
                remedy="Name the pod that the plan was made for",
            )
