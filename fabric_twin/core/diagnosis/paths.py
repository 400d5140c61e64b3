"""Every path that light should take, as columns: the strands at its ends and the circuit between.

near strand ---- a port [switch] b port ---- far strand
near strand -------------------------------- far strand      of a static plant; a is near, b is far
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.diagnosis.case import Case, chosen
from fabric_twin.core.diagnosis.pictures import Levels, Mask
from fabric_twin.core.fabric.columns import Column

#: How many circuits the evidence of a finding names.
MOST = 4
#: Some paths: as a mask, or by their places.
Rows = Mask | Sequence[int] | NDArray[np.intp]


@dataclass(eq=False)
class Paths:
    """Paths of circuits that switches say are joined; one row a circuit."""

    case: Case
    a: Column
    b: Column
    near: Column
    far: Column
    #: dB that the switch measures, and that it lost when all was good; NaN where nobody says.
    live: Levels
    good: Levels
    #: dB that this may be off where the factory said it; NaN where a good day did.
    accuracy: Levels
    #: Paths that may be asked about: everybody on them is known, and nothing explains them yet.
    asked: Mask

    @classmethod
    def of(cls, case: Case) -> "Paths":
        """The paths of a pod whose cables are where the rule wants them."""
        if not case.is_switched:
            return cls._of_cables(case)
        carried = case.switches.carried
        lit = case.switches.lit & case.known_switch[carried.switch]
        circuits = chosen(carried, lit)
        a, b = case.ends(circuits)
        near, far = case.plant.mate[a], case.plant.mate[b]
        asked = case.is_open(a) & case.is_open(b) & case.is_open(near) & case.is_open(far)
        for strands in (near, far):
            there = strands >= 0
            at = np.where(there, strands, 0)
            asked &= there & case.observed_strand[at] & case.slots[case.cube_of[at]]
        good, doubt = case.pictures.baseline.of(circuits)
        return cls(case, a, b, near, far, case.switches.loss[lit], good, doubt, asked)

    @classmethod
    def _of_cables(cls, case: Case) -> "Paths":
        """The same without switches: none loses any light."""
        near, far = case.intended.a, case.intended.b
        asked = case.is_open(near) & case.is_open(far)
        asked &= case.observed_strand[near] & case.observed_strand[far]
        none, untold = np.zeros(len(near)), np.full(len(near), np.nan)
        return cls(case, near, far, near, far, none, untold, untold, asked)

    def settle(self, rows: Rows) -> None:
        """What is wrong with some paths is known."""
        self.asked[rows] = False
        self.case.explain(self.ports(rows))

    def ports(self, rows: Rows) -> list[int]:
        """The strands and simplex ports of some paths."""
        ends = [column[rows] for column in (self.near, self.a, self.b, self.far)]
        found: list[int] = np.concatenate(ends).tolist()
        return [port for port in found if port >= 0]

    def over_circuits(self, rows: Rows) -> dict[str, list[list[str]]]:
        """The circuits of the first of some paths by name, where there are any."""
        if not self.case.is_switched:
            return {}
        pairs = list(zip(self.a[rows].tolist(), self.b[rows].tolist(), strict=True))
        mirror = self.case.mirror
        return {"circuits": [[*mirror(a), mirror(b)[1]] for a, b in pairs[:MOST]]}

    @cached_property
    def heard(self) -> Mask:
        """Whether either end hears the other."""
        heard = self.case.heard
        one, other = self._at(heard, self.near), self._at(heard, self.far)
        return np.asarray(((one >= 0) & (one == self.far)) | ((other >= 0) & (other == self.near)))

    @cached_property
    def is_dark(self) -> Mask:
        """Whether no receiver of the path tells of any light."""
        lit = self._lit
        return np.asarray(~self._at(lit, self.near) & ~self._at(lit, self.far))

    @cached_property
    def one_way(self) -> Mask:
        """Whether one end gets light and the other tells that it gets none."""
        lit, told = self._lit, np.isfinite(_most(self.case.cubes.received))
        one, other = self._at(lit, self.near), self._at(lit, self.far)
        return np.asarray((one != other) & self._at(told, self.near) & self._at(told, self.far))

    @cached_property
    def _lit(self) -> Mask:
        """By strand: whether its receiver tells of light."""
        with np.errstate(invalid="ignore"):
            return np.asarray(_most(self.case.cubes.received) > self.case.limits.dark)

    @cached_property
    def loss(self) -> Levels:
        """dB between the two modules: what both directions say, or the one that is told."""
        sent, got = self.case.cubes.sent, self.case.cubes.received
        with np.errstate(invalid="ignore"):
            got = np.where(got > self.case.limits.dark, got, np.nan)
        ways = np.stack(
            [
                _mean(self._at(sent, self.far) - self._at(got, self.near)),
                _mean(self._at(sent, self.near) - self._at(got, self.far)),
            ]
        )
        return _mean(ways.T)

    @cached_property
    def fibre_loss(self) -> Levels:
        """dB that the fibres of each path lose by their length."""
        return self._of_cables_passed(self.case.fibre_loss)

    @cached_property
    def cables_loss(self) -> Levels:
        """dB that the cables of each path lose while their connectors are clean."""
        return self._of_cables_passed(self.case.cable_loss)

    def _of_cables_passed(self, loss: Levels) -> Levels:
        near, far = (self._at(loss, ends) for ends in (self.near, self.far))
        return np.asarray(near + far) if self.case.is_switched else near

    def received(self, rows: Rows) -> list[float]:
        """The best light that the ends of some paths get, in dBm."""
        best = _most(self.case.cubes.received)
        ends = np.concatenate([self.near[rows], self.far[rows]])
        return [round(level, 1) for level in best[ends].tolist() if np.isfinite(level)][:8]

    def port_level(self, levels: NDArray[Any], strands: Column) -> NDArray[Any]:
        """A level of the cube ports that some strands are of."""
        return self._at(levels, np.where(strands >= 0, strands // self.case.strands, strands))

    @staticmethod
    def _at(column: np.ndarray, strands: Column) -> np.ndarray:
        return np.asarray(column[np.where(strands >= 0, strands, 0)])


def _mean(rows: Levels) -> Levels:
    told = np.isfinite(rows)
    many = told.sum(axis=-1)
    total = np.where(told, rows, 0.0).sum(axis=-1)
    return np.asarray(np.where(many > 0, total / np.maximum(many, 1), np.nan))


def _most(rows: Levels) -> Levels:
    """The greatest of each row; NaN where nothing is told."""
    return (
        np.asarray(np.fmax.reduce(rows, axis=1, initial=np.nan))
        if rows.size
        else rows[:, :0].sum(1)
    )
