"""Whether this worker reaches a pod's fabric at all: a site keeps its switches to its own hosts."""

from typing import TypeVar

from fabric_twin.models import Pod
from fabric_twin.repositories.addresses import targets_of
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.pod_record import IN_SERVICE
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import open_fabric

#: How many switches are asked first, and as many cubes; and how long is waited for them.
ASKED, PATIENCE = 2, Patience(request=3.0, tries=1)
T = TypeVar("T")


def why_not_reached(pod: Pod) -> str:
    """Why no device of a pod answers this worker; empty where one does, or none has an address.

    A few are asked, from all over the pod, as an audit would: an address without a route, a
    certificate that is not here and a secret that cannot be read are all the same to a job.
    """
    targets = targets_of(pod, IN_SERVICE)
    switches, cubes = _some(targets.switches), _some(targets.cubes)
    if not (switches or cubes):
        return ""
    with open_fabric(switches, cubes, pod_accesses(pod), PATIENCE) as fabric:
        circuits = fabric.read_circuits([one.name for one in switches])
        heard = fabric.read_neighbours([one.name for one in cubes])
    if circuits.given or heard.given:
        return ""
    missing = {**circuits.missing, **heard.missing}
    return f"none of {', '.join(missing)} answers here: {next(iter(missing.values()))}"


def _some(every: tuple[T, ...]) -> tuple[T, ...]:
    return every[:: max(1, len(every) // ASKED)][:ASKED]
