"""What links run at, against the lower of the rates that their two ends could.

a strand    one link is slower than both of its ends could
a block     all its links are, to several others

What an end could is what it tells, or what is recorded of its block: one that is set to a lower
speed tells that speed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Levels, Mask, Port
from fabric_twin.core.findings.proof import Look, Proof

CODE = "rate-lowered"
#: Links, and others that they lead to, from which on slow links are put down to one block.
LINKS, OTHERS = 3, 2


@dataclass(frozen=True, eq=False)
class Rates:
    """By path, in Gbit/s; NaN where nobody tells."""

    #: What its slower end runs at, and what both ends could.
    runs: Levels
    able: Levels
    #: What its near and its far end could, whatever the other can.
    near: Levels
    far: Levels

    @classmethod
    def of(cls, case: Case, paths: Paths) -> "Rates":
        """Those of some paths."""
        shown = case.cubes
        untold = np.full(len(paths.a), np.nan)
        if not shown.runs.size:
            return cls(untold, untold, untold, untold)
        could = np.where(np.isnan(shown.runs), np.nan, np.fmax(shown.able, _recorded(case)))
        known = (paths.near >= 0) & (paths.far >= 0)
        at_near, at_far, near, far = (
            np.where(known, paths.port_level(told, ends), untold)
            for told in (shown.runs, could)
            for ends in (paths.near, paths.far)
        )
        return cls(np.minimum(at_near, at_far), np.minimum(near, far), near, far)

    @property
    def below(self) -> Mask:
        """Which run under the lower of their two ends' rates."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.runs < self.able)

    @property
    def told(self) -> Mask:
        """Of which both ends tell."""
        return np.asarray(np.isfinite(self.runs))

    def complete(self, case: Case, paths: Paths, rows: Mask) -> bool:
        """Whether all of some links tell, but for those that both ends say are dark."""
        ends = np.stack([paths.near, paths.far])
        looked = (ends >= 0).all(axis=0) & case.observed_strand[np.maximum(ends, 0)].all(axis=0)
        return bool((self.told | looked & ~paths.heard)[rows].all())


def rate_lowered(case: Case, paths: Paths) -> None:
    """Find links that run under the rate of both ends, where nothing else is wrong with them."""
    rates = Rates.of(case, paths)
    slow = paths.asked & rates.below
    if not slow.any():
        return
    paths.settle(slow)
    for device, rows in _slow_blocks(case, paths, rates, slow):
        slow[rows] = False
        _block(case, paths, rates, device, np.flatnonzero(rows))
    for row in np.flatnonzero(slow).tolist():
        _link(case, paths, rates, row)


def runs_at_rate(case: Case, paths: Paths, proof: Proof, strand: int) -> bool:
    """Whether a link of a strand, or all lit links of a block, run as fast as its own end could.

    A link to an end that can do less does not count.
    """
    rates = Rates.of(case, paths)
    if proof.port:
        at_near, at_far = paths.near == strand, paths.far == strand
    else:
        slots = case.intended.names.answering.get(proof.device, range(0))
        at_near, at_far = (_within(case, ends, slots) for ends in (paths.near, paths.far))
        if not rates.complete(case, paths, at_near | at_far):
            return False
    with np.errstate(invalid="ignore"):
        shows = at_near & (rates.far >= rates.near) | at_far & (rates.near >= rates.far)
    shows &= paths.heard & rates.told
    return bool(shows.any() and not rates.below[shows].any())


def _slow_blocks(case: Case, paths: Paths, rates: Rates, slow: Mask) -> list[tuple[str, Mask]]:
    """Blocks all of whose links are slow, those with most first, each link once.

    A block is not blamed while some link of it tells nothing; nor for a link
    whose other end can do no more than the slow ones run at.
    """
    found, left = list[tuple[str, Mask]](), slow.copy()
    where = {slot: name for name, slots in case.standing.items() for slot in slots}
    of_blocks = {
        name: _within(case, paths.near, slots) | _within(case, paths.far, slots)
        for name, slots in case.standing.items()
    }
    for name in sorted(of_blocks, key=lambda one: (-int((of_blocks[one] & slow).sum()), one)):
        mine = of_blocks[name]
        rows = mine & left
        if rows.sum() < LINKS or not rates.complete(case, paths, mine):
            continue
        faster = mine & (rates.able > rates.runs[rows].max())
        ends = np.concatenate([paths.near[rows], paths.far[rows]])
        others = {where.get(slot) for slot in (case.cube_of[ends] + 1).tolist()} - {name}
        if len(others) >= OTHERS and rates.below[faster].all():
            left &= ~rows
            found.append((name, rows))
    return found


def _within(case: Case, strands: NDArray[np.int32], slots: range) -> Mask:
    """Which strands are in some slots."""
    per = case.layout.ports_per_cube
    return np.asarray((strands >= (slots.start - 1) * per) & (strands < (slots.stop - 1) * per))


def _recorded(case: Case) -> Levels:
    """By port: what a link of its block can carry by the record."""
    column = np.full(case.cubes_end // case.strands, np.nan)
    per, every = case.layout.ports_per_cube // case.strands, case.intended.names.answering
    for name, gbps in case.intended.rates.items():
        if slots := every.get(name):
            column[(slots.start - 1) * per : (slots.stop - 1) * per] = gbps
    return column


def _block(case: Case, paths: Paths, rates: Rates, device: str, rows: NDArray[np.intp]) -> None:
    numbers = _numbers(rates, rows)
    case.found(
        CODE,
        device,
        f"{counted(len(rows), 'link')} of {device} run at {numbers['gbps']:g} Gbit/s, and could at "
        f"{numbers['could_gbps']:g}: none is faster. See what speed it is set to",
        [],
        hits=paths.ports(rows),
        places=[(device, "")],
        evidence=numbers,
        proof=[Proof(Look.RATE, device)],
    )


def _link(case: Case, paths: Paths, rates: Rates, row: int) -> None:
    strands = sorted((int(paths.near[row]), int(paths.far[row])))
    ends: list[Port] = [case.plug(strand) for strand in strands]
    cables = [case.cable(strand) for strand in strands]
    numbers = _numbers(rates, np.array([row]))
    case.found(
        CODE,
        " ".join(cables),
        f"The link of {' and '.join(' '.join(end) for end in ends)} runs at {numbers['gbps']:g} "
        f"Gbit/s, and both ends can do {numbers['could_gbps']:g}: one of them is set to a lower "
        "speed, or its module has lost lanes",
        [],
        hits=paths.ports([row]),
        places=ends,
        cables=cables,
        evidence=numbers,
        proof=[Proof(Look.RATE, *end) for end in ends],
    )


def _numbers(rates: Rates, rows: NDArray[np.intp]) -> dict[str, float]:
    """The slowest of some links, and the least that any of them could."""
    return {"gbps": float(rates.runs[rows].min()), "could_gbps": float(rates.able[rows].min())}
