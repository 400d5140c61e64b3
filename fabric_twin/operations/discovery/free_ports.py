"""The ports of a pod that nothing uses, held by a discovery while it joins them.

    records and switches say what is busy --> the rest is reserved --> joined, round after round
                                                                        |
           released, once the switches no longer show circuits <-- parted --'

What a killed worker left, the next audit or discovery takes away first, by the reservations.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cabling.strand_plant import by_strand, strand_of
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import Column
from fabric_twin.models import AuditRun, Cube
from fabric_twin.operations.audits.light_tests import (
    Busy,
    fabric_of_test,
    held_ports,
    parted_in_the_end,
    shown_ports,
)
from fabric_twin.operations.audits.run_lease import RunLease
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, place, reserve
from fabric_twin.switches.fabric import Fabric

#: Seconds after which a lease is renewed while switches are waited for.
_BEAT = 20.0
#: Why the ports of a whole cube are left alone.
IN_SLICE, CUBE_HELD = "its cube is in a slice", "a ticket or a work order holds its cube"


@dataclass(frozen=True, eq=False)
class FreePorts:
    """What a discovery may use."""

    fabric: Fabric
    record: PodRecord
    #: By port, strand by strand: why it is left alone; empty where it may be used.
    left: list[str]

    @property
    def left_alone(self) -> Mask:
        """The ports that are not to be touched."""
        return np.array([bool(why) for why in self.left], np.bool_)


@contextmanager
def hold_free_ports(run: AuditRun, lease: RunLease) -> Iterator[FreePorts]:
    """Hold all ports that nothing uses; whatever a run joined there is parted in the end."""
    record = PodRecord(run.pod)
    names = by_strand(record.intended()).names
    with fabric_of_test(record, set(names.switches)) as fabric:
        shown = shown_ports(names, fabric)
        with transaction.atomic():
            lock_rows(run.pod_id)
            # While switches answered, somebody may have taken what was free.
            fresh = PodRecord(run.pod)
            left = ports_left_alone(fresh, shown)
            _reserve_others(run, fresh, left)
        with fabric.meanwhile(lease.renew, _BEAT), parted_in_the_end(run, fresh, fabric):
            yield FreePorts(fabric, fresh, left)


def ports_left_alone(record: PodRecord, shown: Busy) -> list[str]:
    """By port, strand by strand: why it is left alone, the first reason that there is.

    Of cubes it is those whose cable cannot be looked at, by its record or else by the rule.
    """
    intended = record.intended()
    plant, layout = by_strand(intended), intended.names.layout
    left = [""] * len(plant.names.layout.mate)
    for why, busy in (*shown.items(), *held_ports(record, plant.names).items()):
        _mark(left, why, np.flatnonzero(busy).tolist())
    there = _far_ends(record, intended)
    nears = np.arange(layout.cube_ports, dtype=np.int32)
    reserved = Cube.objects.filter(pod=record.pod, reservations__isnull=False)
    held = set(reserved.values_list("slot", flat=True))
    for why, slots in ((IN_SLICE, record.taken.keys()), (CUBE_HELD, held)):
        near = nears[np.isin(layout.slot[nears], list(slots))]
        far = there[near]
        for ports in (near, far[far >= 0]):
            _mark(left, why, _strands(intended, ports).reshape(-1).tolist())
    cabled = nears[there[nears] >= 0]
    ends = _strands(intended, there[cabled]).tolist()
    for mine, far in zip(_strands(intended, cabled).tolist(), ends, strict=True):
        if why := next((left[end] for end in far if left[end]), ""):
            _mark(left, why, mine)
    return left


def _mark(left: list[str], why: str, ports: Iterable[int]) -> None:
    for port in ports:
        left[port] = left[port] or why


def _far_ends(record: PodRecord, intended: Intended) -> Column:
    """By port of a cube: the port of a switch that its cable is in, by record or by the rule."""
    cubes, there = record.design.layout.cube_ports, intended.want.copy()
    for cable in record.cables:
        ends = [end for end in (cable.a, cable.b) if isinstance(end, int)]
        near = [end for end in ends if end < cubes]
        far = [end for end in ends if end >= cubes]
        if near and far:
            there[near[0]] = far[0]
    return there


def _strands(intended: Intended, ports: Column) -> NDArray[np.int32]:
    """The strands of some ports, a row a port, where the plant has pairs; else the ports."""
    if by_strand(intended) is intended:
        return ports.reshape(-1, 1)
    layout = intended.names.layout
    return np.column_stack([strand_of(layout, ports, number) for number in (0, 1)])


def _reserve_others(run: AuditRun, record: PodRecord, left: list[str]) -> None:
    """Hold the ports of switches that are not left alone; the caller holds the pod."""
    layout = by_strand(record.intended()).names.layout
    keys = {number: pk for number, (pk, _, _) in record.switches.items()}
    names = layout.port_names[layout.ports_per_cube :]
    ports = set()
    for port in range(layout.cube_ports, len(left)):
        switch, at = divmod(port - layout.cube_ports, layout.ports_per_switch)
        if not left[port] and switch in keys:
            ports.add(place(keys[switch], names[at]))
    reserve(run, Places(frozenset(ports)))


def count_free(record: PodRecord) -> int:
    """How many ports of switches a discovery could use now, by the records alone."""
    left = ports_left_alone(record, {})
    first = by_strand(record.intended()).names.layout.cube_ports
    return sum(not why for why in left[first:])
