"""The slices that a fault hits: the capacity of each one before the fault and with it.

    switch x-3-2 is out      job-a: X 1 -> 0.9375                 it runs on, slower
    two switches of X        job-a: X 1 -> 0.875; a join ...      more than its pod bears
    cube 7 is out            job-a: X 1 -> 0, ...                 it stands still

Every link of every slice is a cell of one table, a row for each join. A fault is the ports that
carry no light because of it, so what it takes is a set of cells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cube import AXES
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.fixed_links import cables_of
from fabric_twin.core.slices.lost_links import links_of_a_face
from fabric_twin.core.slices.slice import Slice

#: What is left of each axis, from 0 to 1.
Capacity = tuple[float, ...]


@dataclass(frozen=True)
class Hit:
    """What a fault takes from one slice."""

    name: str
    #: With the circuits that the slice already does without, and with what the fault takes too.
    before: Capacity
    after: Capacity
    #: The most switches that one of the joins that are hit lacks.
    switches: int
    #: How many switches a join may lack in this pod; below 0 in a static one, which bears nothing.
    bear: int
    #: The same with all other faults that are there, if these take more of the slice.
    together: "Hit | None" = None

    @property
    def stands_still(self) -> bool:
        """Whether a join has no link left."""
        return 0 in self.after

    @property
    def is_borne(self) -> bool:
        """Whether the slice stays as it is: each join has a link left, and lacks few switches."""
        return not self.stands_still and self.switches <= self.bear

    @property
    def change(self) -> str:
        """The capacity of the axes that are hit, and why the slice cannot bear that."""
        changed = (
            f"{axis} {was:.4g} -> {now:.4g}"
            for axis, was, now in zip(AXES, self.before, self.after, strict=False)
            if was != now
        )
        change = ", ".join(changed) or "capacity as before: another join lacks as much"
        if self.stands_still:
            return f"{change}; it stands still: a join has no link left"
        if not self.is_borne and self.bear >= 0:
            lacked = f"{self.switches} switch{'es' * (self.switches != 1)}"
            return f"{change}; a join lacks {lacked}, and the pod bears {self.bear}"
        return change

    def __str__(self) -> str:
        """In words.

        >>> str(Hit("job-a", (1, 1, 1), (0.9375, 1, 1), switches=1, bear=1))
        'job-a: X 1 -> 0.9375'
        >>> str(Hit("job-a", (1, 1, 1), (0.875, 1, 1), switches=2, bear=1))
        'job-a: X 1 -> 0.875; a join lacks 2 switches, and the pod bears 1'
        >>> str(Hit("job-a", (1, 1, 1), (1, 1, 0), switches=16, bear=1))
        'job-a: Z 1 -> 0; it stands still: a join has no link left'
        """
        return f"{self.name}: {self.told}"

    @property
    def told(self) -> str:
        """The same without the name of the slice.

        >>> one, both = (
        ...     Hit("job-a", (1, 1, 1), (1, after, 1), switches=many, bear=2)
        ...     for after, many in ((0.9375, 1), (0.875, 2))
        ... )
        >>> one.beside(both).told
        'Y 1 -> 0.9375. With the other findings: Y 1 -> 0.875'
        """
        if self.together is None:
            return self.change
        return f"{self.change}. With the other findings: {self.together.change}"

    def beside(self, together: "Hit") -> "Hit":
        """The same hit where this is what all faults that are there take from the slice."""
        is_more = (together.after, together.switches) != (self.after, self.switches)
        return replace(self, together=together if is_more else None)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        together = self.together or self
        return {
            "name": self.name,
            "capacity_before": _by_axis(self.before),
            **self.left(),
            "with_other_findings": together.left(),
        }

    def left(self) -> dict[str, Any]:
        """What is left of the slice, for programs."""
        return {
            "capacity_after": _by_axis(self.after),
            "switches_lacking": self.switches,
            "borne": self.is_borne,
            "stands_still": self.stands_still,
        }


def _by_axis(capacity: Capacity) -> dict[str, float]:
    """As the JSON of a slice has it."""
    return {
        axis.lower(): int(share) if share in (0, 1) else share
        for axis, share in zip(AXES, capacity, strict=False)
    }


class Hits:
    """The links of some slices, ready to be asked what faults take of them."""

    def __init__(self, intended: Intended, slices: Iterable[Slice], *, bear: int) -> None:
        """`bear` is how many switches a join of a slice may lack."""
        layout, mate = intended.design.layout, intended.mate
        links, dimensions = links_of_a_face(layout), layout.cube.dimensions
        self._names: list[str] = []
        self._bear = bear if layout.medium.is_switched else -1
        self._links = links
        of_slice: list[int] = []
        many: list[int] = []
        before, axis, near, far, lost = [], [], [], [], []
        for made in slices:
            if not layout.medium.is_switched:
                for number, plus, minus in cables_of(intended.design, made):
                    of_slice += [len(self._names)] * len(plus)
                    axis += [number] * len(plus)
                    many += [plus.shape[1]] * len(plus)
                    near.append(_padded(plus, links))
                    far.append(_padded(minus, links))
                    lost.append(np.zeros((len(plus), links), np.bool_))
                before.append((1.0,) * dimensions)
                self._names.append(made.name)
                continue
            bearing = Bearing(intended, made)
            for along, gone in bearing.along:
                joins = len(along.cubes)
                of_slice += [len(self._names)] * joins
                axis += [along.axis] * joins
                many += [links] * joins
                near.append(along.near.T)
                far.append(along.far.T)
                lost.append(gone.T)
            before.append(bearing.capacity or (1.0,) * dimensions)
            self._names.append(made.name)
        self._before = np.array(before).reshape(-1, dimensions)
        #: Of each join: its slice, its axis and how many links it has; of each of its links: the
        #: switch, and whether it is not made.
        self._slice, self._axis = np.array(of_slice, np.int64), np.array(axis, np.int64)
        self._many = np.array(many, np.int64)
        ends = np.array([_rows(near, links), _rows(far, links)])
        self._lost = _rows(lost, links).astype(np.bool_)
        each = layout.ports_per_switch
        #: Without switches, none lacks one.
        self._switch = (ends[0] - layout.cube_ports) // each if each else ends[0] * 0 - 1
        #: By port, of a switch or a cube: the link that it carries.
        self._at = np.full(len(mate), NO_PORT, np.int64)
        for end in ends.reshape(2, -1):
            link = np.flatnonzero(end != NO_PORT)
            self._at[end[link]] = self._at[mate[end[link]]] = link

    def of(self, ports: Iterable[int]) -> tuple[Hit, ...]:
        """The slices of which a circuit that is made is lost with these ports, in their order."""
        numbers = np.array([port for port in ports if 0 <= port < len(self._at)], np.int64)
        hit = np.unique(self._at[numbers])
        hit = hit[hit != NO_PORT]
        hit = hit[~self._lost.reshape(-1)[hit]]
        joins, row = np.unique(hit // self._links, return_inverse=True)
        lost = self._lost[joins]
        lost[row, hit % self._links] = True
        left = 1 - lost.sum(axis=1) / self._many[joins]
        after = self._before.copy()
        np.minimum.at(after, (self._slice[joins], self._axis[joins]), left)
        switches = np.zeros(len(self._names), np.int64)
        np.maximum.at(switches, self._slice[joins], _many_switches(self._switch[joins], lost))
        return tuple(
            Hit(
                self._names[number],
                tuple(self._before[number].tolist()),
                tuple(after[number].tolist()),
                int(switches[number]),
                self._bear,
            )
            for number in np.unique(self._slice[joins]).tolist()
        )


def _padded(ports: NDArray[Any], links: int) -> NDArray[Any]:
    """The links of joins, as many for each as the widest join has."""
    return np.pad(ports, ((0, 0), (0, links - ports.shape[1])), constant_values=NO_PORT)


def _rows(columns: Sequence[NDArray[Any]], links: int) -> NDArray[Any]:
    """A row for each join; none where there are no slices of whole cubes."""
    return np.concatenate(columns) if columns else np.empty((0, links), np.int64)


def _many_switches(switch: NDArray[Any], lost: NDArray[np.bool_]) -> NDArray[Any]:
    """On how many switches the lost links of each join lie."""
    at = np.sort(np.where(lost, switch, -1), axis=1)
    first = np.diff(at, axis=1, prepend=-1) != 0
    return np.asarray(first.sum(axis=1))
