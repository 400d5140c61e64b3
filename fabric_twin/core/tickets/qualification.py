"""Whether light passes new circuits as it should: the last word on every stage.

near port ==== cable ==== 7A [ switch ] 9B ==== cable ==== far port

tuned        both mirrors stand where the circuit wants them
neighbours   near hears far, and far hears near: whom the plan joins
loss         of the switch against its own value on a good day, or in the factory, or the budget;
             and of the cables
reflection   what the modules at both ends see of their own light come back, where they tell
errors       before correction, against the limit and a good day
rate         what the link runs at, against the lower of what its two ends can, where they tell
before       loss and errors, against the last good reading of the same cables: what passes worse
             is good, and named
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits, numbered
from fabric_twin.core.circuits.links import cube_ports_behind
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.light.levels import losses, reflections, too_many_errors
from fabric_twin.core.diagnosis.light.rates import Rates
from fabric_twin.core.diagnosis.light.worse import ComparedPaths
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Mask, Pictures
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN, Column
from fabric_twin.core.tickets.carrying import Bad


class Worse(NamedTuple):
    """A circuit that is good, and not as good as the light of its cables was before."""

    circuit: Circuit
    why: str

    def __str__(self) -> str:
        return f"{self.circuit} passes, worse than before: {self.why}"


class Qualified(NamedTuple):
    """What light says of new circuits."""

    #: Circuits that are not good, each with the first reason there is.
    bad: tuple[Bad, ...] = ()
    worse: tuple[Worse, ...] = ()


def qualified(pictures: Pictures, added: Sequence[Circuit]) -> Qualified:
    """What light says of circuits that came.

    Nothing is said of cubes that were not asked. Who was asked and does not answer, or tells of a
    moment long gone, makes the circuits that lead there bad: nobody can say that they are good.
    """
    bench = _Bench(pictures)
    numbers = numbered(added, pictures.intended.names)
    return Qualified(tuple(bench.look_at(added, *numbers)), tuple(bench.worse(*numbers)))


def cubes_behind(intended: Intended, circuits: Circuits) -> list[str]:
    """The cubes or blocks that circuits lead to, by name: who is asked about their light."""
    names = intended.names
    behind = np.concatenate(cube_ports_behind(names.layout, circuits, intended.mate))
    slots = names.layout.slot[behind[behind != NO_PORT]]
    return list(dict.fromkeys(names.cube(slot) for slot in np.unique(slots).tolist()))


class _Bench:
    """One look at some circuits."""

    def __init__(self, pictures: Pictures) -> None:
        self._case = case = Case(pictures)
        told_at, stale = case.cubes.told_at, pictures.now - pictures.limits.stale
        with np.errstate(invalid="ignore"):
            case.forget_cubes(told_at < stale)
        case.look_again()
        self._paths = paths = Paths.of(case)
        self._lost = losses(case.limits, paths)
        self._back = np.fmax(*reflections(case, paths))
        self._errs = too_many_errors(case, paths)
        self._rates = Rates.of(case, paths)
        asked = {*np.flatnonzero(case.cubes.answered).tolist()}
        self._asked: Mapping[int, str] = {
            slot - 1: name
            for slot in range(1, case.layout.slots + 1)
            for name in [case.intended.names.cube(slot)]
            if slot - 1 in asked or name in pictures.shown.silent
        }

    def look_at(
        self, added: Sequence[Circuit], circuits: Circuits, known: Sequence[Circuit]
    ) -> Iterator[Bad]:
        """Circuits that are bad: of all, and of those that the pod can have."""
        names = self._case.intended.names
        if len(known) < len(added):
            places = {circuit.key for circuit in known}
            strange = (circuit for circuit in added if circuit.key not in places)
            yield from (
                Bad(circuit, True, f"the {names.noun} has no such ports") for circuit in strange
            )
        rows = self._rows(circuits)
        lit = rows >= 0
        good = lit.copy()
        good[lit] &= self._good[rows[lit]]
        for at in np.flatnonzero(~good).tolist():
            why = self._why(int(rows[at])) if lit[at] else "no light passes the switch"
            yield Bad(known[at], True, why)

    def worse(self, circuits: Circuits, known: Sequence[Circuit]) -> Iterator[Worse]:
        """Circuits that are good, and worse than before."""
        named = dict(zip(self._rows(circuits).tolist(), known, strict=True))
        beside = ComparedPaths(self._case, self._paths, self._good)
        for at in np.flatnonzero(beside.compared.worse).tolist():
            if circuit := named.get(int(beside.rows[at])):
                yield Worse(circuit, beside.why(at))

    def _rows(self, circuits: Circuits) -> Column:
        """By circuit: its path, or NO_PORT where no light passes it."""
        paths, (a, b) = self._paths, self._case.ends(circuits)
        row_of = np.full(len(self._case.explained), NO_PORT, np.int32)
        row_of[paths.a] = np.arange(len(paths.a))
        rows = row_of[a]
        lit = (rows >= 0) & (len(paths.a) > 0)
        lit[lit] &= paths.b[rows[lit]] == b[lit]
        return np.where(lit, rows, NO_PORT)

    @cached_property
    def _good(self) -> Mask:
        """By path: whether nothing is wrong with it."""
        case, paths = self._case, self._paths
        good = ~self._lost.worn & ~self._lost.over & ~self._bright & ~self._rates.below
        for here, there in ((paths.near, paths.far), (paths.far, paths.near)):
            cabled = here >= 0
            at = np.where(cabled, here, 0)
            asked = np.isin(case.cube_of[at], list(self._asked))
            heard = case.known_cube[case.cube_of[at]] & (case.heard[at] == there)
            good &= cabled & (heard | ~asked)
            good &= ~self._errs[at // case.strands]
        return np.asarray(good)

    @property
    def _bright(self) -> Mask:
        """By path: whether its connectors throw back more light than they may."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self._back > self._case.limits.reflection)

    def _why(self, row: int) -> str:
        """The first thing that is wrong with a path."""
        case, paths, lost = self._case, self._paths, self._lost
        ends = [int(column[row]) for column in (paths.a, paths.near, paths.far, paths.b)]
        for port, strand in ((ends[0], ends[1]), (ends[3], ends[2])):
            if strand < 0:
                return f"no cable belongs on {case.mirror(port)[1]}"
        for here, there in ((ends[1], ends[2]), (ends[2], ends[1])):
            if said := self._heard(here, there):
                return said
        if lost.worn[row]:
            return f"the switch loses {paths.live[row]:.1f} dB{self._was(row, 'it')}"
        if lost.over[row]:
            was = "" if np.isfinite(paths.live[row]) else self._was(row, "its switch")
            return f"its path loses {paths.loss[row]:.1f} dB{was}"
        if self._bright[row]:
            return f"its return loss is only {-self._back[row]:.0f} dB"
        erring = [strand for strand in ends[1:3] if self._errs[strand // case.strands]]
        worst = (f"{self._named(strand)} {self._errors(strand)}" for strand in erring)
        return next(worst, "") or self._rate(row)

    def _was(self, row: int, who: str) -> str:
        """What a switch lost in the factory or on a good day, as far as it is known."""
        good, factory = self._paths.good[row], np.isfinite(self._paths.accuracy[row])
        if not np.isfinite(good):
            return ", and its factory loss is not known"
        return f", where {who} lost {good:.1f}{' in the factory' if factory else ''}"

    def _heard(self, here: int, there: int) -> str:
        case = self._case
        cube = int(case.cube_of[here])
        if cube not in self._asked or int(case.heard[here]) == there:
            return ""
        if not case.known_cube[cube]:
            told = "sends data that is too old" if case.cubes.answered[cube] else "does not answer"
            return f"{self._asked[cube]} {told}"
        heard = int(case.heard[here])
        whom = "nobody"
        if heard >= 0:
            whom = self._named(heard)
        elif heard == NOT_OF_DESIGN:
            whom = " ".join(case.cubes.strangers[here])
        return f"{self._named(here)} hears {whom}, and not {self._named(there)}"

    def _rate(self, row: int) -> str:
        near = self._named(int(self._paths.near[row]))
        runs, able = (float(rates[row]) for rates in (self._rates.runs, self._rates.able))
        return f"{near} runs at {runs:g} Gbit/s, and both ends can do {able:g}"

    def _errors(self, strand: int) -> str:
        ratio = self._case.cubes.ber[strand // self._case.strands]
        if not np.isfinite(ratio):
            return "has light, and no link"
        return f"corrects {ratio:.1e} of its bits"

    def _named(self, strand: int) -> str:
        return " ".join(self._case.plant.names.port(strand))
