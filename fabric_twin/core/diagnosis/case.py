"""One diagnosis while it is made: what is known, what is explained, and what was found.

Ports are numbered as `by_strand` lays the plant out: cube strands first, then simplex ports. What a
finding explains is taken out (`explained`), and no later question is asked about it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.findings import Finding, finding_id
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.cabling.strand_plant import by_strand, duplex_of
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.pictures import CubesShown, Mask, Pictures, Port, SwitchesShown
from fabric_twin.core.discovery.rounds import joined_ports, ports_of
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, Column
from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.proof import Look, Proof


class Case:
    """The state of a diagnosis."""

    def __init__(self, pictures: Pictures) -> None:
        self.pictures, self.limits = pictures, pictures.limits
        self.intended = pictures.intended
        self.plant = by_strand(pictures.intended)
        self.layout = self.plant.names.layout
        #: Cube ports of the plant by strand, which come first.
        self.cubes_end = self.layout.cube_ports
        self.strands = self.layout.strands
        #: Whether circuits join cables; in a static plant a cable is the whole path.
        self.is_switched = pictures.intended.design.medium.is_switched
        self.switch_names = self.intended.names.switches
        self.switches: SwitchesShown = pictures.shown.switches
        self.cubes: CubesShown = pictures.shown.cubes
        #: What is observed, and news: by switch, and by slot from 0.
        self.known_switch: Mask = self.switches.answered.copy()
        self.known_cube: Mask = self.cubes.answered.copy()
        self.explained: Mask = np.zeros(len(self.layout.mate), np.bool_)
        self.left_alone: Mask = self.explained.copy()
        self.left_alone[self.cubes_end + pictures.reserved] = True
        self.out: Mask = np.zeros(len(self.layout.mate), np.bool_)
        self.out[self.cubes_end + pictures.out] = True
        self.left_alone |= self.out
        for port, due in pictures.awaited.items():
            if pictures.now < due:
                self.left_alone[port * self.strands : (port + 1) * self.strands] = True
        self.slots = np.zeros(self.layout.slots, np.bool_)
        self.slots[np.array(self.intended.slots, np.int32) - 1] = True
        self.findings: list[Finding] = []
        self.unobserved: dict[str, str] = {}
        #: Switches that were at each other's address: circuits there are not as anybody meant.
        self.confused: set[int] = set()
        #: Switches that join other cubes than their siblings, also where something hides it.
        self.odd: set[int] = set()
        #: Ends that the record has otherwise than the rule; None where no record was looked at.
        self.wrong_ends: set[End] | None = None

    # What is where

    @cached_property
    def home(self) -> Column:
        """By strand: the port of a switch that the rule gives it.

        Without switches that of another cube, if that stands.
        """
        rule = self.plant.mate if self.is_switched else self.plant.want
        return rule[: self.cubes_end]

    @cached_property
    def standing(self) -> Mapping[str, range]:
        """The cubes or blocks that are there, by name, and their slots."""
        there, every = {*self.intended.slots}, self.intended.names.answering.items()
        return {name: slots for name, slots in every if slots.start in there}

    @cached_property
    def cube_of(self) -> Column:
        """By strand: its slot, counted from 0."""
        return self.layout.slot[: self.cubes_end] - 1

    def switch_of(self, ports: Column) -> Column:
        """The numbers of the switches of some simplex ports; a static plant counts as one."""
        if not self.is_switched:
            return np.zeros(len(ports), np.int32)
        return (ports - self.cubes_end) // self.layout.ports_per_switch

    def simplex(self, switch: int) -> slice:
        """All simplex ports of a switch."""
        each = self.layout.ports_per_switch
        return slice(self.cubes_end + switch * each, self.cubes_end + (switch + 1) * each)

    def cables_at(self, ports: Iterable[Port]) -> frozenset[int]:
        """The cables at some cube ports, by their first strands."""
        ports = list(ports)
        plugs = self.intended.names.find([device for device, _ in ports], [p for _, p in ports])
        mine = plugs[(plugs >= 0) & (plugs < self.intended.names.layout.cube_ports)]
        return frozenset((mine * self.strands).tolist())

    def is_out(self, switch: int) -> bool:
        """Whether a whole switch is out of service: that it does nothing is meant."""
        return bool(self.out[self.simplex(switch)].all())

    @cached_property
    def observed_switch(self) -> Mask:
        """By port: a simplex port of a switch that is known."""
        seen = np.zeros(len(self.explained), np.bool_)
        seen[self.cubes_end :] = np.repeat(self.known_switch, self.layout.ports_per_switch)
        return seen

    @cached_property
    def observed_strand(self) -> Mask:
        """By strand: one of a cube that is known."""
        return np.asarray(self.known_cube[self.cube_of])

    @cached_property
    def heard(self) -> Column:
        """By strand: whom it hears, as far as that is news."""
        return np.where(self.observed_strand, self.cubes.heard, NOT_KNOWN)

    @cached_property
    def meets(self) -> Column:
        """By simplex port: the port that light passes to, as far as switches that are known say."""
        carried, lit = self.switches.carried, self.switches.lit
        news = lit & self.known_switch[carried.switch] if len(carried) else lit
        return joined_ports(self.layout, *ports_of(self.layout, chosen(carried, news)))

    def across(self, strands: NDArray[Any]) -> Column:
        """The strands at the other ends of paths, as the rule plugs them; NO_PORT for none."""
        there = np.asarray(self.home[strands])
        for step in (self.meets, self.plant.mate) if self.is_switched else ():
            there = np.where(there >= 0, step[np.where(there >= 0, there, 0)], NO_PORT)
        return there

    def ends(self, circuits: Circuits) -> tuple[Column, Column]:
        """The simplex ports of circuits."""
        return ports_of(self.layout, circuits)

    def whole(self, ports: Column) -> Column:
        """The ports of cables that strands and simplex ports are of."""
        return duplex_of(self.intended.names.layout, ports) if self.strands > 1 else ports

    def plug(self, port: int) -> Port:
        """Where a cable is plugged in, as a cut sheet names it."""
        return self.intended.names.port(int(self.whole(np.array([port]))[0]))

    def plugs_of(self, finding: Finding) -> Column:
        """The ports of a finding of cabling, as whole cables are plugged in; below 0 is none."""
        devices, ports = [d for d, _ in finding.ports], [p for _, p in finding.ports]
        whole = self.intended.names.find(devices, ports)
        if self.strands > 1:
            loose = self.plant.names.find(devices, ports)
            whole = np.where(whole >= 0, whole, np.where(loose >= 0, self.whole(loose), -1))
        return whole

    def mirror(self, port: int) -> Port:
        """A simplex port, as circuits name it."""
        return self.plant.names.port(int(port))

    @cached_property
    def fibre_loss(self) -> NDArray[np.float64]:
        """By strand: dB that the fibre of its cable loses, as long as it is recorded."""
        lengths = self.intended.lengths
        if not len(lengths):
            return np.zeros(self.cubes_end)
        return np.repeat(lengths, self.strands) / 1000 * self.limits.fibre_loss

    @cached_property
    def cable_loss(self) -> NDArray[np.float64]:
        """By strand: dB that its cable loses while its connectors are clean."""
        return np.asarray(self.limits.cables_loss / 2 + self.fibre_loss)

    def cable(self, strand: int) -> str:
        """The cable of a strand, by the name it is recorded with."""
        port = int(strand) // self.strands
        return self._recorded_names.get(port) or self.intended.names.cable(port)

    @cached_property
    def _recorded_names(self) -> dict[int, str]:
        inventory = self.pictures.inventory
        if inventory is None:
            return {}
        cubes = self.intended.names.layout.cube_ports
        plant = inventory.plant
        ends = zip(plant.cables, plant.a.tolist(), plant.b.tolist(), strict=True)
        return {port: name for name, a, b in ends for port in (a, b) if 0 <= port < cubes}

    def path_of(self, strands: NDArray[Any], end: Column) -> Column:
        """Some strands with all that their light passes: both ports of a circuit, and who is there.

        `end` says which simplex port each strand of the pod is in.
        """
        here = np.concatenate([self.home[strands], end[strands]])
        here = np.unique(here[here >= 0])
        there = self.meets[here]
        ports = np.concatenate([here, there[there >= 0]])
        behind = self.plant.mate[ports]
        return np.unique(np.concatenate([strands, ports, behind[behind >= 0]]))

    # Whose it is

    @cached_property
    def _owner_at(self) -> Column:
        """By port: the place of its owner, or -1."""
        owner = np.full(len(self.explained), -1, np.int32)
        wanted = self.pictures.wanted
        if wanted is not None and len(wanted.circuits):
            for ends in self.ends(wanted.circuits):
                owner[ends] = wanted.owner
        joined = self.home >= 0
        owner[: self.cubes_end][joined] = owner[self.home[joined]]
        return owner

    def owners(self, ports: Iterable[int], slots: Iterable[int] = ()) -> tuple[str, ...]:
        """Who is hit by a fault at some ports, or of some whole cubes (slots from 1)."""
        wanted = self.pictures.wanted
        if wanted is None:
            return ()
        at = np.fromiter(ports, np.int64)
        owner = np.unique(self._owner_at[at]).tolist()
        names = {wanted.owners[number] for number in owner if number >= 0}
        if not self.is_switched:
            names |= self._users(at)
        names |= {name for slot in slots for name in wanted.on.get(slot, ())}
        return tuple(sorted(names))

    def _users(self, ports: NDArray[np.int64]) -> set[str]:
        """Who has the cubes at both ends of cables of a static plant: nobody else uses them."""
        wanted, joined = self.pictures.wanted, ports[self.home[ports] >= 0]
        on = wanted.on if wanted else {}
        ends = zip(self.cube_of[joined], self.cube_of[self.home[joined]], strict=True)
        return {
            name
            for one, other in {(int(one) + 1, int(other) + 1) for one, other in ends}
            for name in {*on.get(one, ())} & {*on.get(other, ())}
        }

    # What was found

    def found(
        self,
        code: str,
        fact: str,
        cause: str,
        remedy: Sequence[Step],
        *,
        hits: Iterable[int] = (),
        slots: Iterable[int] = (),
        places: Sequence[Port] = (),
        cables: Sequence[str] = (),
        evidence: Mapping[str, Any] | None = None,
        harmless: bool = False,
        proof: Iterable[Proof],
    ) -> None:
        """Enter a finding; `fact` names the fault and nothing else, `hits` are ports by strand.

        `proof` is what would show that it is gone: each look of it.
        """
        self.findings.append(
            Finding(
                id=finding_id([f"{code} {fact}"]),
                code=code,
                cause=cause,
                strays=(),
                remedy=tuple(remedy),
                concerned=tuple(cables),
                places=tuple(places),
                evidence=evidence or {},
                owners=self.owners(hits, slots),
                harmless=harmless,
                looks=tuple(dict.fromkeys(proof)),
            )
        )

    def cables_seen(self, look: Look, ports: Iterable[int]) -> list[Proof]:
        """A look at the cable of each strand or simplex port, called by its cube port."""
        ends = (int(port) for port in ports)
        behind = (end if end < self.cubes_end else int(self.plant.mate[end]) for end in ends)
        plugs = dict.fromkeys(self.plug(strand) for strand in behind if strand >= 0)
        return [Proof(look, *plug) for plug in plugs]

    def explain(self, ports: Any) -> None:
        """Ask no more about some ports."""
        self.explained[ports] = True

    def is_open(self, ports: NDArray[Any]) -> Mask:
        """Which ports may still be asked about; what is below 0 is no port."""
        there = ports >= 0
        at = np.where(there, ports, 0)
        return np.asarray(there & ~self.explained[at] & ~self.left_alone[at])

    def forget_cubes(self, cubes: Mask) -> None:
        """What some cubes report is not news."""
        self.known_cube &= ~cubes

    def exchange(self, told_by: Column) -> None:
        """Put what switches told where they are: switch n is spoken to at the address told_by[n].

        -1 stands for nobody: that device was not asked.
        """
        shown, each = self.switches, self.layout.ports_per_switch
        asked, at = told_by >= 0, np.where(told_by >= 0, told_by, 0)
        is_at = np.full(len(told_by), -1, np.int32)
        is_at[told_by[asked]] = np.flatnonzero(asked)
        rows = at[:, None] * each + np.arange(each)

        def moved(circuits: Circuits) -> tuple[Circuits, Mask]:
            there = Circuits(is_at[circuits.switch], circuits.a, circuits.b)
            keep = there.switch >= 0
            return chosen(there, keep), keep

        carried, kept = moved(shown.carried)
        self.switches = replace(
            shown,
            answered=asked & shown.answered[at],
            told_at=shown.told_at[at],
            serial=[shown.serial[n] if ok else "" for n, ok in zip(at, asked, strict=True)],
            status=shown.status[rows.reshape(-1)],
            forced=shown.forced[rows.reshape(-1)],
            configured=moved(shown.configured)[0],
            carried=carried,
            lit=shown.lit[kept],
            loss=shown.loss[kept],
            lost=[
                unit._replace(switch=int(is_at[unit.switch]))
                for unit in shown.lost
                if is_at[unit.switch] >= 0
            ],
        )
        self.known_switch = self.switches.answered.copy()
        self.look_again()

    def look_again(self) -> None:
        """What is known has changed: see anew what follows from it."""
        for seen in ("observed_switch", "observed_strand", "heard", "meets"):
            self.__dict__.pop(seen, None)


def chosen(circuits: Circuits, keep: Any) -> Circuits:
    """Some of the circuits."""
    return Circuits(circuits.switch[keep], circuits.a[keep], circuits.b[keep])
