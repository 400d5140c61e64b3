"""A job as a slice of its cluster: the groups that it has, and what its rings are."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.groups.cluster import Cluster
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rings.job import Axis, Form, Job
from fabric_twin.core.rings.plane import parse_planes

#: The row and the column of a processor in its group.
Seat = tuple[int, int]


@dataclass(frozen=True)
class JobSlice:
    """What the records keep of a job beside its flow entries."""

    job: Job
    #: In processors: `152` or `8x12`.
    shape: str
    #: Of a small job: its processors in the group.
    seats: tuple[Seat, ...] = ()

    @property
    def name(self) -> str:
        """What the job is called."""
        return self.job.name

    @property
    def slots(self) -> tuple[int, ...]:
        """Where its groups are."""
        return tuple(group + 1 for group in self.job.groups)

    def as_json(self, _names: Names, _circuits: Circuits) -> dict[str, Any]:
        """As a plan has it; groups are counted as cubes."""
        facts: dict[str, Any] = {
            "version": 1,
            "name": self.name,
            "shape": self.shape,
            "twisted": False,
            "cubes": [{"at": [place], "slot": slot} for place, slot in enumerate(self.slots)],
            "rings": rings_json(self.job),
        }
        if self.seats:
            facts["chips"] = [[self.slots[0], *seat] for seat in self.seats]
        return facts


def slice_of_job(cluster: Cluster, job: Job, taken: Collection[Seat] = ()) -> JobSlice:
    """The slice of a job; a small one has the first processors of its group that nobody has."""
    if job.form is Form.SMALL:
        free = (seat for seat in _seats(cluster) if seat not in taken)
        return JobSlice(job, str(job.processors), tuple(islice(free, job.processors)))
    if job.form is Form.SEQUENCE:
        return JobSlice(job, str(job.processors))
    sides = cluster.group.chips
    rows = len(job.groups) // job.columns
    columns = job.columns * sides[0]
    return JobSlice(job, f"{rows * (1 if cluster.group.is_chain else sides[1])}x{columns}")


def rings_json(job: Job) -> dict[str, Any]:
    """What a slice keeps of its rings: which they are, and not where they go."""
    return {
        "form": job.form.value,
        "processors": job.processors,
        "columns": job.columns,
        "axes": [{"name": axis.name, "planes": [*map(str, axis.planes)]} for axis in job.axes],
        "both_ways": job.both_ways,
    }


def job_of(cluster: Cluster, name: str, facts: Mapping[str, Any], groups: Sequence[int]) -> Job:
    """The job that a slice stands for, without its rings."""
    return Job(
        name,
        Form(facts["form"]),
        facts["processors"],
        tuple(groups),
        facts["columns"],
        tuple(_axis(cluster, axis) for axis in facts["axes"]),
        facts["both_ways"],
    )


def _axis(cluster: Cluster, facts: Mapping[str, Any]) -> Axis:
    planes = (parse_planes(text, cluster, f"axis {facts['name']}") for text in facts["planes"])
    return Axis(facts["name"], tuple(plane for found in planes for plane in found))


def _seats(cluster: Cluster) -> Iterable[Seat]:
    columns, *rows = cluster.group.chips
    for row in range(1, (rows[0] if rows else 1) + 1):
        for column in range(1, columns + 1):
            yield row, column
