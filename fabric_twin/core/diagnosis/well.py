"""Whether a place was seen well: looked at now, with what could show its fault, and it did not.

It asks the pictures and not the findings: a place that a nearer fault hides has none, and still
was not seen.
"""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from fabric_twin.core.cabling.strand_plant import circuit_ends
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.identity import FEWEST, paths_heard
from fabric_twin.core.diagnosis.light.levels import Losses, losses
from fabric_twin.core.diagnosis.light.rates import runs_at_rate
from fabric_twin.core.diagnosis.light.worse import ComparedPaths
from fabric_twin.core.diagnosis.modules import differs
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Mask, PortIs
from fabric_twin.core.diagnosis.recorded import expected
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.identity import serial_of

#: A circuit: a switch by number, and its A and B port.
Circuit = tuple[int, int, int]


class Well:
    """Answers of one diagnosis, once it is made."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def __call__(self, proof: Proof) -> bool:
        """Whether what a proof asks for was seen; a device that has left the pod has no fault."""
        if proof.look is Look.RECORD:
            wrong = self._case.wrong_ends
            slot = int(self._case.layout.slot[self._at(proof)]) if self._at(proof) >= 0 else 0
            judged = not slot or bool(self._case.slots[slot - 1])
            return wrong is not None and judged and (proof.device, proof.port) not in wrong
        if proof.device and proof.device not in self._devices:
            return True
        return bool(self._looks[proof.look](proof))

    @cached_property
    def _looks(self) -> Mapping[Look, Callable[[Proof], bool]]:
        return {
            Look.ANSWERS: self._answers,
            Look.SHINES: lambda p: bool(self._on_switch(p)[self._paths.heard].any()),
            Look.RUNS: lambda p: self._knows_cube(p) and not self._trays_down(p).all(),
            Look.MODULES: self._tells_of_modules,
            Look.IDENTITY: self._is_itself,
            Look.UNIT: self._has_unit,
            Look.TRAY: self._tray_runs,
            Look.COPPER: self._copper_is_up,
            Look.STEERED: lambda p: self._is(p, PortIs.TUNED) and self._carries_light(p),
            Look.POWERED: self._has_power,
            Look.FORCED: self._is_not_forced,
            Look.AIM: self._aims,
            Look.AIM_BEFORE: lambda p: self._beside.aims_as_before(self._at_mirror(p)),
            Look.CIRCUIT: self._circuit_is_as_wanted,
            Look.CARRIES: self._circuit_carries,
            Look.SIBLING: lambda p: self._knows(p) and self._switch[p.device] not in self._case.odd,
            Look.UNTOLD: self._tells_of_circuit,
            **dict.fromkeys((Look.LIGHT, Look.BESIDE), self._hears),
            Look.LOSS: self._loses_little,
            Look.REFLECTION: lambda p: self._hears(p) and self._little_back(p),
            Look.BER: self._has_few_errors,
            Look.AS_BEFORE: self._is_as_before,
            Look.SENT_BEFORE: self._is_as_before,
            Look.RATE: lambda p: runs_at_rate(self._case, self._paths, p, self._cable(p)),
            Look.SENT: self._sends,
            Look.PART: self._is_the_part,
            Look.SERIAL: self._is_recorded,
            Look.PLACE: self._is_well_about,
        }

    # Who and where

    @cached_property
    def _devices(self) -> set[str]:
        return {*self._slot, *self._tray, *self._switch}

    @cached_property
    def _switch(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._case.switch_names)}

    @cached_property
    def _slot(self) -> dict[str, int]:
        names = self._case.intended.names
        return {names.cube(slot): slot for slot in range(1, self._case.layout.slots + 1)}

    @cached_property
    def _tray(self) -> dict[str, int]:
        names, trays = self._case.intended.names, len(self._case.cubes.trays_down)
        return {names.device(tray): tray for tray in range(trays)}

    @cached_property
    def _ports(self) -> dict[tuple[str, str], int]:
        """By name: strands (the first of each cable), and simplex ports."""
        case, every = self._case, np.arange(len(self._case.layout.mate), dtype=np.int32)
        simplex = zip(*case.plant.names.ends(every[case.cubes_end :]), strict=True)
        plugs = every[: case.cubes_end // case.strands]
        cubes = zip(*case.intended.names.ends(plugs), strict=True)
        found = {end: case.cubes_end + number for number, end in enumerate(simplex)}
        plugged = {end: number * case.strands for number, end in enumerate(cubes)}
        return circuit_ends(case.plant.names) | found | plugged

    def _at(self, proof: Proof) -> int:
        return self._ports.get((proof.device, proof.port), NO_PORT)

    def _mirror(self, proof: Proof) -> int:
        """The simplex port of a proof, or -1."""
        at = self._at(proof)
        return at if at >= self._case.cubes_end else NO_PORT

    def _cable(self, proof: Proof) -> int:
        """The first strand of the cable at a port, or -1."""
        at = self._at(proof)
        if at >= self._case.cubes_end:
            at = int(self._case.plant.mate[at])
            return at - at % self._case.strands if at >= 0 else NO_PORT
        return at

    def _knows(self, proof: Proof) -> bool:
        """Whether there is news of a switch."""
        switch = self._switch.get(proof.device)
        return switch is not None and bool(self._case.known_switch[switch])

    def _knows_cube(self, proof: Proof) -> bool:
        slot = self._slot.get(proof.device)
        return slot is not None and bool(self._case.known_cube[slot - 1])

    # Devices

    def _answers(self, proof: Proof) -> bool:
        case = self._case
        if not proof.device:
            known = {"switches": case.known_switch, "cubes": case.known_cube}
            return any(k.any() for what, k in known.items() if proof.port in ("", what))
        if proof.device in self._tray:
            cube = self._tray[proof.device] // case.layout.cube.trays
            return bool(case.known_cube[cube])
        return self._knows(proof) or self._knows_cube(proof)

    def _trays_down(self, proof: Proof) -> Mask:
        each, slot = self._case.layout.cube.trays, self._slot[proof.device]
        return np.asarray(self._case.cubes.trays_down[(slot - 1) * each : slot * each])

    def _tells_of_modules(self, proof: Proof) -> bool:
        modules = self._case.cubes.modules
        return self._knows_cube(proof) and bool(modules[self._slot[proof.device] - 1])

    def _is_itself(self, proof: Proof) -> bool:
        if not self._knows(proof):
            return False
        case, switch = self._case, self._switch[proof.device]
        was = serial_of(self._recorded(switch, "switch_serials"))
        # As it told at its own address, before anybody was put where they are.
        told = serial_of(case.pictures.shown.switches.serial[switch])
        if was and told:
            return was == told
        mine = case.simplex(switch)
        heard, meets = paths_heard(case)[mine], case.meets[mine]
        lit = heard != NO_PORT
        return switch not in case.confused and bool(
            lit.sum() >= FEWEST and 2 * (heard[lit] == meets[lit]).sum() >= lit.sum()
        )

    def _has_unit(self, proof: Proof) -> bool:
        lost = {(self._case.switch_names[u.switch], u.name) for u in self._case.switches.lost}
        return self._knows(proof) and (proof.device, proof.port) not in lost

    def _tray_runs(self, proof: Proof) -> bool:
        tray, down = self._tray.get(proof.device), self._case.cubes.trays_down
        return tray is not None and self._answers(proof) and not bool(down[tray])

    def _copper_is_up(self, proof: Proof) -> bool:
        # A cube reports no link of a tray that is down.
        if not self._knows_cube(proof) or self._trays_down(proof).any():
            return False
        return (self._slot[proof.device], proof.port) not in self._case.cubes.copper_down

    # Mirrors

    def _is(self, proof: Proof, *states: PortIs) -> bool:
        at = self._mirror(proof)
        if at < 0 or not self._knows(proof):
            return False
        return int(self._case.switches.status[at - self._case.cubes_end]) in states

    def _has_power(self, proof: Proof) -> bool:
        dead = (PortIs.NOT_TOLD, PortIs.POWERED_OFF)
        return self._knows(proof) and self._mirror(proof) >= 0 and not self._is(proof, *dead)

    def _is_not_forced(self, proof: Proof) -> bool:
        at = self._mirror(proof)
        forced = self._case.switches.forced
        return at >= 0 and self._knows(proof) and not bool(forced[at - self._case.cubes_end])

    def _carries_light(self, proof: Proof) -> bool:
        at = self._mirror(proof)
        return at >= 0 and bool(self._case.meets[at] >= 0)

    def _aims(self, proof: Proof) -> bool:
        """A mirror is held to what it lost on a good day, or to what most do."""
        at, paths, lost, limits = self._mirror(proof), self._paths, self._losses, self._case.limits
        most = limits.switch_typical + limits.switch_rise
        with np.errstate(invalid="ignore"):
            usual = np.isfinite(paths.good) | ~np.isfinite(paths.live) | (paths.live <= most)
            well = paths.heard & ~lost.worn & usual & (lost.rest <= limits.cables_rise)
        mine = self._at_mirror(proof)
        return at >= 0 and bool(mine.any() and well[mine].all())

    def _at_mirror(self, proof: Proof) -> Mask:
        """Paths of the circuit at a mirror."""
        at = self._mirror(proof)
        return np.asarray((self._paths.a == at) | (self._paths.b == at))

    # Circuits

    def _circuit(self, proof: Proof) -> Circuit | None:
        a, _, b = proof.port.partition(" ")
        if not (a[:-1].isdigit() and b[:-1].isdigit()):
            return None
        return self._switch[proof.device], int(a[:-1]), int(b[:-1])

    @cached_property
    def _configured(self) -> set[Circuit]:
        return _set(self._case.switches.configured)

    @cached_property
    def _carried(self) -> set[Circuit]:
        return _set(self._case.switches.carried)

    @cached_property
    def _wanted(self) -> set[Circuit]:
        wanted = self._case.pictures.wanted
        return _set(wanted.circuits) if wanted else self._configured

    def _circuit_is_as_wanted(self, proof: Proof) -> bool:
        circuit = self._circuit(proof)
        if circuit is None or not self._knows(proof) or circuit[0] in self._case.confused:
            return False
        if circuit in self._wanted:
            return circuit in self._configured and self._lit(proof)
        return circuit not in self._configured and circuit not in self._carried

    def _circuit_carries(self, proof: Proof) -> bool:
        """Both mirrors let light through, be it with others."""
        ends = proof.port.split(" ")
        return self._knows(proof) and all(
            self._carries_light(proof._replace(port=end)) for end in ends
        )

    def _lit(self, proof: Proof) -> bool:
        a, _, b = proof.port.partition(" ")
        at, to = self._mirror(proof._replace(port=a)), self._mirror(proof._replace(port=b))
        return at >= 0 and bool(self._case.meets[at] == to)

    def _tells_of_circuit(self, proof: Proof) -> bool:
        a, _, b = proof.port.partition(" ")
        ends = [self._mirror(proof._replace(port=end)) for end in (a, b)]
        if min(ends) < 0 or not self._knows(proof):
            return False
        if self._lit(proof):
            return True
        one, other = (int(self._case.plant.mate[end]) for end in ends)
        known = min(one, other) >= 0 and self._case.observed_strand[[one, other]].all()
        heard = self._case.heard
        return bool(known) and bool(heard[one] != other) and bool(heard[other] != one)

    # Cables

    @cached_property
    def _right(self) -> Mask:
        """By strand: it hears whom it should; nobody only where no cable belongs."""
        case = self._case
        right = (case.heard == expected(case, case.home)) & case.observed_strand
        return np.asarray(right & ((case.heard >= 0) | (case.home < 0) & (not case.is_switched)))

    @cached_property
    def _paths(self) -> Paths:
        return Paths.of(self._case)

    @cached_property
    def _losses(self) -> Losses:
        return losses(self._case.limits, self._paths)

    @cached_property
    def _beside(self) -> ComparedPaths:
        return ComparedPaths(self._case, self._paths, self._paths.heard)

    def _is_as_before(self, proof: Proof) -> bool:
        strand = self._cable(proof)
        return strand >= 0 and self._beside.is_as_before(strand)

    def _on_switch(self, proof: Proof) -> Mask:
        switch = self._switch.get(proof.device, NO_PORT)
        return np.asarray(self._case.switch_of(self._paths.a) == switch)

    def _on_cable(self, strand: int) -> Mask:
        """Paths that a cable is part of."""
        paths, each = self._paths, self._case.strands
        return np.asarray(
            (paths.near // each == strand // each) | (paths.far // each == strand // each)
        )

    def _hears(self, proof: Proof) -> bool:
        case, strand = self._case, self._cable(proof)
        if strand >= 0:
            return bool(self._right[strand : strand + case.strands].all())
        at = self._mirror(proof)
        if at < 0 or case.meets[at] < 0:
            return False
        # No cable belongs there: the port across its circuit hears nobody.
        other = int(case.plant.mate[case.meets[at]])
        return bool(other >= 0 and case.observed_strand[other] and case.heard[other] == NO_PORT)

    def _loses_little(self, proof: Proof) -> bool:
        strand, paths = self._cable(proof), self._paths
        with np.errstate(invalid="ignore"):
            well = paths.heard & (self._losses.rest <= self._case.limits.cables_rise)
        mine = self._on_cable(strand)
        return strand >= 0 and bool(mine.any() and well[mine].all())

    def _has_few_errors(self, proof: Proof) -> bool:
        strand, limits = self._cable(proof), self._case.limits
        if strand < 0:
            return False
        port, good = strand // self._case.strands, self._case.pictures.baseline.ber
        now = float(self._case.cubes.ber[port])
        was = float(good[port]) if good is not None else float("nan")
        most = limits.ber
        if np.isfinite(was):
            most = min(most, max(limits.ber_noise, limits.ber_times * was))
        return bool(self._paths.heard[self._on_cable(strand)].any() and now <= most)

    def _little_back(self, proof: Proof) -> bool:
        strand, most = self._cable(proof), self._case.limits.reflection
        # Nothing that is told is less than a limit.
        return bool(self._case.cubes.reflection[strand // self._case.strands] <= most)

    # Modules

    def _told_module(self, proof: Proof) -> int:
        """The cube port of a module that its cube reports, or -1."""
        strand = self._cable(proof)
        cube = strand // self._case.layout.ports_per_cube
        shown = self._case.cubes
        told = strand >= 0 and self._case.known_cube[cube] and shown.modules[cube]
        return strand // self._case.strands if told else NO_PORT

    def _sends(self, proof: Proof) -> bool:
        port, limits = self._told_module(proof), self._case.limits
        if port < 0:
            return False
        sent = self._case.cubes.sent.reshape(self._case.cubes_end // self._case.strands, -1)[port]
        return bool(sent.mean() >= limits.sent and sent.min() >= limits.sent_lane)

    def _recorded(self, port: int, what: str) -> str:
        inventory = self._case.pictures.inventory
        told = list(getattr(inventory, what)) if inventory else []
        return str(told[port]) if port < len(told) else ""

    def _is_the_part(self, proof: Proof) -> bool:
        port, shown = self._told_module(proof), self._case.cubes
        if port < 0:
            return False
        wanted = self._recorded(port, "parts")
        if not shown.serial[port]:
            return not (wanted or serial_of(self._recorded(port, "serials")))
        part = shown.part[port]
        return not (part and differs(part, wanted, self._case.intended.design.transceiver))

    def _is_recorded(self, proof: Proof) -> bool:
        if proof.port:
            number, what = self._told_module(proof), "serials"
            told = self._case.cubes.serial[number] if number >= 0 else ""
        else:
            number, what = self._switch.get(proof.device, NO_PORT), "switch_serials"
            told = self._case.switches.serial[number] if self._knows(proof) else ""
        told = serial_of(told)
        return bool(told) and serial_of(self._recorded(number, what)) in ("", told)

    def _is_well_about(self, proof: Proof) -> bool:
        """Of a finding of which only the place is known."""
        if not proof.port or self._cable(proof) < 0:
            return self._answers(proof._replace(port=""))
        return self._hears(proof) and self._loses_little(proof)


def _set(circuits: object) -> set[Circuit]:
    columns = (getattr(circuits, name).tolist() for name in ("switch", "a", "b"))
    return set(zip(*columns, strict=True))
