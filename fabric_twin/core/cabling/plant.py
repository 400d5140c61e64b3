"""The plant of a pod as columns: what the rule intends, and what an inventory records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fabric_twin.core.cabling.lengths import Lengths, unknown
from fabric_twin.core.cabling.strands import Ends, join_strands
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN, Column
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded
from fabric_twin.core.pods.names import Names, pod_of


@dataclass(frozen=True)
class Substitution:
    """A spare port that takes the place of a port of the rule."""

    switch: str
    port: str
    spare: str
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Intended(IntendedPlant):
    """The plant of a pod: the rule for some slots, with spares in place of bad ports."""

    design: Design
    names: Names
    slots: tuple[int, ...]
    #: By block of a network: Gbit/s that each of its links can carry.
    rates: Mapping[str, float] = field(default_factory=dict)
    #: Metres of the cable at each cube port, as recorded.
    lengths: Lengths = field(default_factory=unknown)

    @property
    def noun(self) -> str:
        """What a fabric of its kind is called."""
        return self.design.kind.noun.capitalize()


def intended_plant(
    design: Design,
    pod: str,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
) -> Intended:
    """Lay out what the rule wants of the cubes in these slots (all of the design's, by default)."""
    layout, names = design.layout, design.names(pod)
    chosen = tuple(range(1, design.slots + 1)) if slots is None else tuple(sorted(set(slots)))
    if chosen and not 1 <= chosen[0] <= chosen[-1] <= design.slots:
        raise UnusableInput(
            f"slots {chosen[0]} to {chosen[-1]} are not within 1 to {design.slots}",
            where="slots",
            remedy="Name slots that the design has",
        )
    mate, b = layout.mate.copy(), layout.cable_b.copy()
    for substitution in substitutions:
        port, spare = _substituted(names, mate, substitution)
        end = mate[port]
        mate[[port, end, spare]] = NO_PORT, spare, end
        b[layout.cable_a == end] = spare
    present = np.zeros(design.slots + 1, dtype=np.bool_)
    present[list(chosen)] = True
    # A switch port's slot is 0: it is there whatever cubes are.
    present[0] = True
    wanted = present[layout.slot[layout.cable_a]] & present[layout.slot[b]]
    a, b = layout.cable_a[wanted], b[wanted]
    want = np.full_like(mate, NO_PORT)
    want[a], want[b] = b, a
    return Intended(design, pod, names, mate, want, a, b, chosen)


def without_slots(plant: Recorded, intended: Intended, slots: Iterable[int]) -> Recorded:
    """A record without the cables of cubes in some slots that are where the rule wants them."""
    there = (plant.a >= 0) & (plant.b >= 0)
    a, b = np.where(there, plant.a, 0), np.where(there, plant.b, 0)
    slot = intended.design.layout.slot
    of_slots = np.isin(slot[a], list(slots)) | np.isin(slot[b], list(slots))
    return plant.only(~(there & of_slots & (intended.mate[a] == b)))


def _substituted(names: Names, mate: Column, substitution: Substitution) -> tuple[int, int]:
    """Number the port and the spare of a substitution, or refuse it."""
    layout = names.layout
    where = f"substitution of {substitution.switch} port {substitution.port}"
    switch = substitution.switch
    port, spare = names.find([switch, switch], [substitution.port, substitution.spare]).tolist()
    if port < layout.cube_ports or mate[port] == NO_PORT or layout.spare[port]:
        raise UnusableInput(
            f"the rule uses no port {substitution.port!r} of a switch {switch!r}",
            where=where,
            remedy="Name a switch and a port as a cut sheet does, once each",
        )
    if spare < layout.cube_ports or not layout.spare[spare]:
        raise UnusableInput(
            f"port {substitution.spare!r} is not a spare of this design",
            where=where,
            remedy="Name a spare port, or mend the switch if the design has none",
        )
    if mate[spare] != NO_PORT:
        raise UnusableInput(
            f"spare {substitution.spare} already stands in for another port",
            where=where,
            remedy="Name a spare that is free",
        )
    if (port - layout.cube_ports) // layout.radix != (spare - layout.cube_ports) // layout.radix:
        raise UnusableInput(
            f"spare {substitution.spare} is on the other side of the switch",
            where=where,
            remedy="Name a spare on the side of the port",
        )
    return port, spare


def recorded_plant(
    names: Names,
    cables: Sequence[str],
    a_device: Sequence[str],
    a_port: Sequence[str],
    b_device: Sequence[str],
    b_port: Sequence[str],
) -> Recorded:
    """Number the ends of recorded cables; rows wholly of other pods are counted and left out."""
    plant = numbered_plant(names, cables, (a_device, a_port, b_device, b_port))
    others = {
        row for row, ends in plant.written.items() if _of_another_pod(names.pod, ends[0], ends[2])
    }
    ours = [row for row in plant.loose if not _of_another_pod(names.pod, row[1], row[3])]
    keep = np.ones(len(plant.a), dtype=np.bool_)
    keep[list(others)] = False
    left_out = len(others) + len(plant.loose) - len(ours)
    plant = replace(plant, others=left_out, loose=ours)
    return plant.only(keep) if others else plant


def numbered_plant(names: Names, cables: Sequence[str], ends: Ends) -> Recorded:
    """Number the ends of recorded cables, whatever pod they are of."""
    cables, ends, crossed, loose = join_strands(names, cables, ends)
    a, b = names.find(ends[0], ends[1]), names.find(ends[2], ends[3])
    odd = np.flatnonzero((a == NOT_OF_DESIGN) | (b == NOT_OF_DESIGN)).tolist()
    written = {row: (ends[0][row], ends[1][row], ends[2][row], ends[3][row]) for row in odd}
    return Recorded(cables, a, b, written, crossed, loose=loose)


def _of_another_pod(pod: str, *devices: str) -> bool:
    pods = {pod_of(device) for device in devices if device}
    return pod not in pods and pods != {None} and bool(pods)
