"""Read from files how a pod is used now."""

from collections.abc import Iterable

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.pods.names import pod_of
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.in_use import read_in_use

#: A file's bytes and what to call it.
File = tuple[bytes, str]


def read_pod(
    design: Design,
    pod: str,
    in_use: File,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    present: File | None = None,
) -> tuple[InUse, tuple[str, ...]]:
    """The slices and what is unhealthy, by a file of what is in use; and what is odd about it.

    Circuits are those that the slices need; with a file of circuits, those that are there.
    """
    intended = intended_plant(design, pod, slots, substitutions)
    occupancy = Occupancy(design, slots, mate=intended.mate)
    warnings = read_in_use(*in_use, occupancy, intended)
    now = InUse(intended, occupancy, ())
    wanted = [c for made in occupancy.slices.values() for c in now.circuits_of(made)]
    if present is None:
        return InUse(intended, occupancy, tuple(wanted)), warnings
    there = read_circuits(*present)
    ours = [circuit for circuit in there if pod_of(circuit.switch) in {pod, None}]
    return _beside(now, wanted, ours), (*warnings, *_left_out(len(there) - len(ours)))


def _beside(now: InUse, wanted: list[Circuit], there: list[Circuit]) -> InUse:
    """What slices want, beside what is there: whose a circuit is, the slices say."""
    owned = {circuit.key: circuit for circuit in wanted}
    keys = {circuit.key for circuit in there}
    others = [circuit for circuit in there if circuit.key not in owned]
    return InUse(
        now.intended,
        now.occupancy,
        (*wanted, *others),
        left_over=frozenset(c.key for c in others if not c.owner),
        missing=frozenset(owned.keys() - keys),
    )


def _left_out(many: int) -> Iterable[str]:
    if many:
        words = f"{counted(many, 'circuit')} on switches of other pods"
        yield f"{words} {'was' if many == 1 else 'were'} ignored"
