"""Whether a stage can take links away now: what is left carries what pairs ask for by now."""

from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.models import Pod


def check_kept(pod: Pod, day: str | None, course: Course, position: Position) -> None:
    """Refuse a stage that takes circuits away that a pair needs; `day` says whose demand counts."""
    # Its solver is slow to load, and most processes never plan a topology.
    from fabric_twin.core.proposals.links import check_without
    from fabric_twin.operations.networks.topology import read_network

    now, own = read_network(pod, day), course.own.keys()
    there = [circuit for circuit in now.circuits if circuit.key not in own]
    first, before = ([*there, *course.states[state].values()] for state in (0, position.stage - 1))
    gone = {circuit.key for circuit in course.stages[position.stage - 1].remove}
    left = [circuit for circuit in before if circuit.key not in gone]
    check_without(now, first, left, str(position))
