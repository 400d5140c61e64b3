"""Discover the cables of a cluster: each device says whom its ports hear, and nothing is switched.

asked, all at once --> who answers, and who does not, is kept of each
                   --> whom ports hear, compared with the records --> kept as a run
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction

from fabric_twin.core.counted import counted
from fabric_twin.core.discovery.against_record import ComparedCable, RecordedCable
from fabric_twin.core.discovery.heard_records import compare_heard
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.fabric.columns import NOT_KNOWN
from fabric_twin.models import AuditRun
from fabric_twin.operations.audits.run_lease import RunLease
from fabric_twin.operations.calls.progress import tell
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.repositories.addresses import Targets, still_there, targets_of
from fabric_twin.repositories.cable_reading import CONNECTED
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.device_readings import Asked, facts_kept, write_readings
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord
from fabric_twin.services.audits.observe import Silence
from fabric_twin.services.discovery.by_neighbours import claims_of_all
from fabric_twin.switches.fabric import Answers, open_fabric
from fabric_twin.switches.states import CubeState

#: Seconds after which a lease is renewed while devices are waited for.
_BEAT = 20.0


@dataclass(frozen=True)
class HeardCluster:
    """What a cluster's devices said, beside its records."""

    cables: list[ComparedCable]
    #: How many cables there should be.
    expected: int
    #: Ports that hear a device that is not of the cluster.
    strangers: int
    unanswered: Mapping[str, str]


def hear_cluster(run: AuditRun, lease: RunLease) -> HeardCluster:
    """Ask every device of a cluster that has an address, and keep who answered."""
    targets = targets_of(run.pod, IN_SERVICE)
    if not targets:
        raise NotPossible(
            "no device of it that is in service has an address",
            where=f"cluster {run.pod}",
            remedy="Give its groups and switches the address where they answer gNMI",
        )
    answers = _ask(run, lease, targets)
    record = PodRecord(run.pod)
    _write_readings(record, targets, answers)
    if not answers.given:
        answers.all()  # nothing is learnt where nobody answers
    devices = {device_called(record, name): state for name, state in answers.given.items()}
    claims, strangers = claims_of_all(record.names, devices)
    return HeardCluster(
        list(compare_heard(claims, list(_recorded(record)))),
        len(record.intended().a),
        len(strangers),
        {name: error.what for name, error in answers.missing.items()},
    )


def _ask(run: AuditRun, lease: RunLease, targets: Targets) -> Answers[CubeState]:
    # Groups and packet switches answer alike: what a cube is asked, both are.
    every, accesses = (*targets.cubes, *targets.switches), pod_accesses(run.pod)
    tell(f"Asks {counted(len(every), 'device')} whom their ports hear")
    with open_fabric((), every, accesses, PATIENCE) as fabric, fabric.meanwhile(lease.renew, _BEAT):
        return fabric.read_neighbours()


def device_called(record: PodRecord, name: str) -> str:
    """A device by the name that its ports have; a group is asked by that of its rack."""
    slot = next((slot for slot, (_, rack, _) in record.cubes.items() if rack == name), None)
    return name if slot is None else record.names.device(slot - 1)


def _recorded(record: PodRecord) -> Iterator[RecordedCable]:
    """The cables that are connected, by the lower number first."""
    for cable in record.cables:
        if cable.status == CONNECTED:
            ends = sorted(end for end in (cable.a, cable.b) if isinstance(end, int))
            near, end = (*ends, NOT_KNOWN, NOT_KNOWN)[:2]
            yield RecordedCable(cable.pk, near, end, cable.crossed)


def _write_readings(record: PodRecord, targets: Targets, answers: Answers[CubeState]) -> None:
    """Keep of each device that it answered, or why not, and who answered instead."""
    at, silence = datetime.now(UTC), Silence.of(answers.missing)
    switches = [(pk, name) for pk, name, _ in record.switches.values()]
    groups = [(pk, rack) for pk, rack, _ in record.cubes.values()]
    with transaction.atomic():
        lock_rows(record.pod.pk)
        there = targets.names & still_there(record.pod, targets)
        kept = facts_kept(record.pod)
        for kind, rows in (("switch", switches), ("cube", groups)):
            asked = [
                Asked(
                    pk, name, name in answers.given, _told_at(answers, name), kept.get(pk, {}), {}
                )
                for pk, name in rows
                if name in there
            ]
            write_readings(record, kind, asked, silence, at)


def _told_at(answers: Answers[CubeState], name: str) -> float:
    state = answers.given.get(name)
    return state.told_at if state else float("nan")
