"""Discover the cables of a pod by light, or of a cluster by neighbours, and keep that as a run.

    its turn --> free ports are held --> joined in rounds, cubes say whom they hear
             --> all parted and released --> compared with the records --> kept

Only ports that nothing uses are joined: no circuit of a slice is touched.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.discovery.against_record import ComparedCable, RecordedCable, compare_cables
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN
from fabric_twin.inventory.journal import Noted
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.audits.light_tests import SETTLE, part_left_over
from fabric_twin.operations.audits.run import fail_run
from fabric_twin.operations.audits.run_lease import RunLease, queue_run, take_lease
from fabric_twin.operations.discovery.ask import check_discoverable
from fabric_twin.operations.discovery.by_neighbours import HeardCluster, hear_cluster
from fabric_twin.operations.discovery.free_ports import FreePorts, hold_free_ports
from fabric_twin.operations.discovery.kept import as_kept, counts_of, sentence
from fabric_twin.repositories.cable_reading import CONNECTED
from fabric_twin.repositories.change_log import CREATE, record_change
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.discovery.discover import LookedAt, discover_free

#: Told how many ports of cubes were found, of how many, and in which round.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class _RunNotes:
    """Nothing is written down before a round: what is set is on ports that the run holds.

    So the reservations say what to take back. The lease is asked for, for a run that lost it may
    not tell a switch anything.
    """

    lease: RunLease

    def read(self) -> Noted | None:
        return None

    def write(self, noted: Noted) -> None:  # noqa: ARG002
        self.lease.renew()

    def close(self) -> None:
        """The ports are released where they are parted."""


def discover_cables(
    pod: Pod,
    user: User | None,
    job_result: Any = None,
    progress: Progress = lambda _found, _all, _round: None,
) -> AuditRun:
    """Learn by light which cable is in which port; another run that is under way is waited for."""
    check_discoverable(pod, user)
    run = queue_run(pod, scope=ScopeChoices.CABLES, light=True, job_result=job_result)
    lease = take_lease(run)
    try:
        if run.pod.is_cluster:
            _write_heard(run, lease, hear_cluster(run, lease), user)
            run.refresh_from_db()
            return run
        part_left_over(run.pod, besides=run)
        lease.renew()
        with hold_free_ports(run, lease) as free:
            looked = _look(lease, free, progress)
        _write(run, lease, free, looked, user)
    except Exception as error:
        fail_run(run, lease, error)
        raise
    run.refresh_from_db()
    return run


def _look(lease: RunLease, free: FreePorts, progress: Progress) -> LookedAt:
    intended, left = free.record.intended(), free.left_alone
    wanted = _ports_to_find(free)

    def told(what: str, found: int) -> None:
        progress(found, wanted, what.partition(",")[0])

    return discover_free(
        intended, free.fabric, _RunNotes(lease), left, settle=SETTLE, progress=told
    )


def _ports_to_find(free: FreePorts) -> int:
    """Ports of cubes whose cable can be looked at, strand by strand."""
    plant = by_strand(free.record.intended())
    cubes = plant.names.layout.cube_ports
    return int(((plant.want[:cubes] != NO_PORT) & ~free.left_alone[:cubes]).sum())


def recorded_cables(record: PodRecord) -> Iterator[RecordedCable]:
    """The cables that are connected, each by its port of a cube and its port of a switch."""
    cubes = record.design.layout.cube_ports
    for cable in record.cables:
        if cable.status != CONNECTED:
            continue
        ends = [end for end in (cable.a, cable.b) if isinstance(end, int)]
        near = next((end for end in ends if end < cubes), NOT_KNOWN)
        far = next((end for end in ends if end >= cubes), NOT_KNOWN)
        yield RecordedCable(cable.pk, near, far, cable.crossed)


def _compared(free: FreePorts, looked: LookedAt) -> list[ComparedCable]:
    recorded = list(recorded_cables(free.record))
    return list(
        compare_cables(
            free.record.intended(), looked.observed, recorded, free.left, looked.answered
        )
    )


def _write(
    run: AuditRun, lease: RunLease, free: FreePorts, looked: LookedAt, user: User | None
) -> None:
    compared = _compared(free, looked)
    kept = as_kept(
        compared,
        rounds=looked.observed.rounds,
        in_use=looked.in_use,
        strangers=len(looked.observed.strangers),
        not_made=sum(looked.not_made.values()),
    )
    expected = len(free.record.intended().a)
    _end(run, lease, compared, kept, expected, looked.unanswered, user)


def _write_heard(run: AuditRun, lease: RunLease, heard: HeardCluster, user: User | None) -> None:
    kept = as_kept(heard.cables, rounds=0, in_use=0, strangers=heard.strangers, not_made=0)
    _end(run, lease, heard.cables, kept, heard.expected, heard.unanswered, user)


def _end(
    run: AuditRun,
    lease: RunLease,
    compared: Collection[ComparedCable],
    kept: dict[str, Any],
    expected: int,
    unanswered: Mapping[str, str],
    user: User | None,
) -> None:
    lease.end(
        RunStateChoices.DONE,
        cables=sum(bool(one.key) for one in compared),
        expected=expected,
        by_code=counts_of(compared),
        keys={"cables": kept},
        not_reached=dict(unanswered),
    )
    run.refresh_from_db()
    record_change(run, CREATE, sentence(run), user)
