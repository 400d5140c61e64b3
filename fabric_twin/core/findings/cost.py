"""What a fault costs the pod: what findings are ordered by.

    links of running slices that carry no light by it         the job is slower, or stands still
    idle cubes that no slice can take because of it           the next job has less room
    how long it is there
    whether a spare carries what it would

A link is a circuit; in a static pod a cable between two cubes of one slice, or copper between two
of its chips. A fault that takes nothing (a *warning*) costs neither links nor cubes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, product

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import cube_ports_behind
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.slice import Slice


class Impact(IntEnum):
    """How bad it is, the worst first."""

    SLICES = 1
    CAPACITY = 2
    NOTHING = 3


@dataclass(frozen=True)
class Cost:
    """What one fault takes."""

    #: Links of running slices.
    circuits: int = 0
    #: Idle cubes.
    cubes: int = 0
    #: A spare port carries what the faulty one would.
    is_spared: bool = False

    @property
    def impact(self) -> Impact:
        """The worst of it."""
        if self.circuits:
            return Impact.SLICES
        return Impact.CAPACITY if self.cubes else Impact.NOTHING

    def __str__(self) -> str:
        """In words.

        >>> str(Cost(circuits=96, cubes=1)), str(Cost(is_spared=True)), str(Cost())
        ('96 links in use, 1 idle cube', 'nothing: a spare carries it', 'nothing now')
        """
        parts = [
            f"{many:,} {what}{'s' * (many != 1)}{of}"
            for many, what, of in (
                (self.circuits, "link", " in use"),
                (self.cubes, "idle cube", ""),
            )
            if many
        ]
        nothing = "nothing: a spare carries it" if self.is_spared else "nothing now"
        return ", ".join(parts) or nothing


class Costs:
    """What faults at some ports cost a pod as it is used now."""

    def __init__(
        self,
        layout: Layout,
        mate: Column,
        *,
        circuits: Circuits,
        idle: Collection[int],
        replaced: Collection[int] = (),
        slices: Iterable[Slice] = (),
    ) -> None:
        """`circuits` are those of slices, `idle` the slots that a slice of whole cubes could take
        but for their ports, `replaced` the ports in whose place a spare is used; `slices` are
        those of a static pod."""
        self._slices_at: dict[int, list[Slice]] = defaultdict(list)
        for made in slices:
            for slot in {*made.slots}:
                self._slices_at[slot].append(made)
        self._layout, self._mate = layout, mate
        self._idle, self._replaced = frozenset(idle), frozenset(replaced)
        #: The circuit that leaves by each port, and the one that arrives: a duplex port has both.
        self._at = np.full((2, len(mate)), NO_PORT, np.int32)
        rows = np.arange(len(circuits), dtype=np.int32)
        b_side = layout.radix if layout.plant is Plant.SPLIT else 0
        first = layout.cube_ports + circuits.switch * layout.ports_per_switch - 1
        near, far = cube_ports_behind(layout, circuits, mate)
        for side, ports in (
            (0, near),
            (1, far),
            (0, first + circuits.a),
            (1, first + b_side + circuits.b),
        ):
            there = ports != NO_PORT
            self._at[side, ports[there]] = rows[there]

    def of(self, ports: Iterable[int], copper: Collection[tuple[int, str]] = ()) -> Cost:
        """What is lost where these ports, and the cables in them, carry no light.

        `copper` names links within cubes of a static pod, by their slots.
        """
        at = {port for port in ports if 0 <= port < len(self._mate)}
        ends = at | {int(self._mate[port]) for port in at}
        ends.discard(NO_PORT)
        slots = {int(self._layout.slot[p]) for p in ends if p < self._layout.cube_ports}
        inside = 0
        if self._layout.medium.is_switched:
            hit = set(self._at[:, sorted(ends)].flat) - {NO_PORT}
        else:
            trays = self._trays_out(at)
            slots = slots & {slot for slot, _ in trays} | {slot for slot, _ in copper}
            cables = ((port, int(self._mate[port])) for port in at)
            hit = {np.int32(min(ends)) for ends in cables if self._is_in_slice(*ends)}
            inside = sum(1 for link in copper if self._is_copper_of_slice(*link))
            inside += self._copper_of(trays)
        spared = at & self._replaced
        return Cost(
            circuits=len(hit) + inside,
            cubes=len(slots & self._idle),
            is_spared=bool(spared) and not hit and spared >= self._of_switches(at),
        )

    def _trays_out(self, ports: Collection[int]) -> set[tuple[int, int]]:
        """Trays of which every port is among these, by slot and number in the cube."""
        layout = self._layout
        trays = np.bincount(layout.device[sorted(ports)], minlength=1)
        whole = np.bincount(layout.device)[: len(trays)]
        out = np.flatnonzero((trays == whole) & (trays > 0)).tolist()
        each = layout.cube.trays
        return {(device // each + 1, device % each + 1) for device in out}

    def _copper_of(self, trays: Collection[tuple[int, int]]) -> int:
        """Links of slices within cubes that end in these trays, each once; a slice of a chip has
        none, and stands still all the same: it counts as one."""
        cube, many = self._layout.cube, 0
        chips = list(product(*(range(1, side + 1) for side in cube.chips)))
        for slot in {slot for slot, _ in trays}:
            out = {chip for chip in chips if (slot, cube.tray_of(chip)) in trays}
            for made in self._slices_at[slot]:
                its = {tuple(at[1:]) for at in made.chips if at[0] == slot} or {*chips}
                if not out & its:
                    continue
                links = sum(
                    sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1
                    and bool({one, other} & out)
                    for one, other in combinations(sorted(its), 2)
                )
                many += max(links, int(len(its) == 1))
        return many

    def _is_in_slice(self, *ends: int) -> bool:
        """Whether both cubes of a cable of a static pod are in one slice."""
        one, other = (int(self._layout.slot[end]) for end in ends)
        made_of_cubes = (made for made in self._slices_at[one] if not made.chips)
        return NO_PORT not in ends and any(other in made.slots for made in made_of_cubes)

    def _is_copper_of_slice(self, slot: int, link: str) -> bool:
        """Whether both chips of a copper link are in one slice."""
        chips = {(slot, *chip) for chip in self._layout.cube.copper_link(link)}
        return any(not made.chips or chips <= {*made.chips} for made in self._slices_at[slot])

    def _of_switches(self, ports: Collection[int]) -> set[int]:
        return {port for port in ports if port >= self._layout.cube_ports}
