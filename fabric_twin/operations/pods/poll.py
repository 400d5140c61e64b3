"""Looking at the fabric of a pod: every device that has an address is asked, all at once.

While they answer, the records of the pod are read.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from fabric_twin.core.diagnosis.pictures import Shown
from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.operations.calls.progress import counting
from fabric_twin.repositories.addresses import Targets, targets_of
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord
from fabric_twin.services.audits.observe import observe
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import open_fabric

log = logging.getLogger("fabric_twin.sync")
#: A worker waits no longer than this for a device: the others' answers are worth more.
PATIENCE = Patience(request=10.0, tries=2)


@dataclass(frozen=True)
class Look:
    """What a pod's fabric showed at one moment."""

    targets: Targets
    shown: Shown
    at: datetime
    #: When it began: who was at work since then changed what others were just telling.
    begun: datetime


def look(
    record: PodRecord,
    devices: Collection[str] | None = None,
    statuses: Collection[str] = IN_SERVICE,
) -> Look | None:
    """Ask every device of a pod that has an address, or some by name; None where none has one."""
    if why_not(record.design.kind, Verb.DIAGNOSE):
        return None
    targets = targets_of(record.pod, statuses, devices)
    if not targets:
        return None
    access, begun = pod_accesses(record.pod), datetime.now(UTC)
    for name in targets.names & access.keys():
        if isinstance(refusal := access[name], FabricTwinError):
            log.warning("%s", refusal)
    read = counting("devices read", len(targets.names))
    with open_fabric(targets.switches, targets.cubes, access, PATIENCE) as fabric:
        switches, cubes = fabric.read_all(meanwhile=record.read, each=read)
    shown = observe(record.intended(), switches, cubes)
    return Look(targets, shown, datetime.now(UTC), begun)


def must_look(record: PodRecord, devices: Collection[str] | None = None) -> Look:
    """The same, or a refusal where no device of the pod can be asked."""
    record.design.check_can(Verb.DIAGNOSE, NotPossible)
    found = look(record, devices)
    if found is None:
        raise NotPossible(
            "none of its devices has an address",
            where=f"pod {record.pod.name}",
            remedy="Give them the address where they answer gNMI",
        )
    return found
