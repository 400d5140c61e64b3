"""What a ring runs in: a row or column of processors of each group, and a lane; and which way."""

import re
from dataclasses import dataclass
from enum import StrEnum

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.groups.cluster import Cluster
from fabric_twin.core.groups.labels import DIMENSIONS

_PLANES = re.compile(r"(row|col)(?:-(\d{1,3}|\*))?(?:-(\d{1,3}|\*))?", re.ASCII)


class Way(StrEnum):
    """Which way a ring goes round; one that goes both ways is two rings."""

    #: Out at E or S of a group, in at W or N of the next.
    FORWARD = "forward"
    #: The same groups the other way.
    BACKWARD = "backward"


@dataclass(frozen=True, order=True)
class Plane:
    """Switches of different planes are joined by cross links alone.

    >>> str(Plane(0, 1, 3)), str(Plane(1, 4, 2))
    ('row-1-3', 'col-4-2')
    """

    #: 0 for rows, 1 for columns.
    axis: int
    #: Which row or column of a group's processors, from 1.
    index: int
    lane: int

    def __str__(self) -> str:
        return f"{DIMENSIONS[self.axis]}-{self.index}-{self.lane}"


def parse_planes(text: str, cluster: Cluster, where: str) -> tuple[Plane, ...]:
    """Planes as people write them: all of `row`, those of `row-1`, of lane `col-*-2`, or one.

    >>> from fabric_twin.core.designs import find_design
    >>> [*map(str, parse_planes("row-2", find_design("groups-a").cluster, ""))]
    ['row-2-1', 'row-2-2', 'row-2-3']
    """
    match = _PLANES.fullmatch(text)
    if not match:
        raise UnusableInput(
            f"{text[:40]!r} names no plane",
            where=where,
            remedy="Write row or col, row-1 for one row of processors, row-1-2 for a lane of it, "
            "or row-*-2 for a lane of all",
        )
    axis = DIMENSIONS.index(match[1])
    found = tuple(
        Plane(axis, index, lane)
        for index in range(1, cluster.planes // cluster.group.lanes + 1)
        for lane in range(1, cluster.group.lanes + 1)
        if axis < cluster.dimensions
        and (match[2] or "*") in {"*", str(index)}
        and (match[3] or "*") in {"*", str(lane)}
    )
    if not found:
        indices, lanes = cluster.planes // cluster.group.lanes, cluster.group.lanes
        raise UnusableInput(
            f"there is no plane {text}",
            where=where,
            remedy=f"Name one of {' and '.join(DIMENSIONS[: cluster.dimensions])}, processors 1 to "
            f"{indices} and lanes 1 to {lanes}",
        )
    return found
