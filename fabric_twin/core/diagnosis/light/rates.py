"""What links run at, against the lower of the rates that their two ends could.

a strand    one link is slower than both of its ends could
a block     all its links are, to several others
"""

from collections.abc import Iterator

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Levels, Mask, Port
from fabric_twin.core.findings.proof import Look, Proof

CODE = "rate-lowered"
#: Links, and others that they lead to, from which on slow links are put down to one block.
LINKS, OTHERS = 3, 2


def rate_lowered(case: Case, paths: Paths) -> None:
    """Find links that run under the rate of both ends, where nothing else is wrong with them."""
    slow = paths.asked & runs_below(case, paths)
    if not slow.any():
        return
    paths.settle(slow)
    for device, rows in _slow_blocks(case, paths, slow):
        slow[rows] = False
        _block(case, paths, device, np.flatnonzero(rows))
    for row in np.flatnonzero(slow).tolist():
        _link(case, paths, row)


def rates_of(case: Case, paths: Paths) -> tuple[Levels, Levels]:
    """By path: Gbit/s that its slower end runs at, and that both ends could; NaN where not told."""
    shown = case.cubes
    if not shown.runs.size:
        untold = np.full(len(paths.a), np.nan)
        return untold, untold
    runs, able = (
        np.minimum(paths.port_level(told, paths.near), paths.port_level(told, paths.far))
        for told in (shown.runs, shown.able)
    )
    return runs, able


def runs_below(case: Case, paths: Paths) -> Mask:
    """By path: whether it runs under the lower of its two ends' rates."""
    runs, able = rates_of(case, paths)
    with np.errstate(invalid="ignore"):
        return np.asarray(runs < able)


def runs_at_rate(case: Case, paths: Paths, proof: Proof, strand: int) -> bool:
    """Whether links of a strand, or of a whole block, run, and all as fast as both ends could."""
    runs, able = rates_of(case, paths)
    slots = case.intended.names.answering.get(proof.device, range(0))
    mine = (paths.near == strand) | (paths.far == strand) if proof.port else _of(case, paths, slots)
    told = mine & paths.heard & np.isfinite(runs)
    return bool(told.any() and (runs[told] >= able[told]).all())


def _slow_blocks(case: Case, paths: Paths, slow: Mask) -> Iterator[tuple[str, Mask]]:
    """Blocks all of whose links are slow, those with most first, each link once."""
    known, left = slow | (paths.heard & np.isfinite(rates_of(case, paths)[0])), slow.copy()
    blocks = {name: _of(case, paths, slots) for name, slots in case.standing.items()}
    where = {slot: name for name, some in case.standing.items() for slot in some}
    for name, mine in sorted(blocks.items(), key=lambda one: (-int((one[1] & slow).sum()), one[0])):
        rows = mine & left
        ends = np.concatenate([paths.near[rows], paths.far[rows]])
        others = {where.get(slot) for slot in (case.cube_of[ends] + 1).tolist()} - {name}
        if rows.sum() >= LINKS and len(others) >= OTHERS and bool(slow[mine & known].all()):
            left &= ~rows
            yield name, rows


def _of(case: Case, paths: Paths, slots: range) -> Mask:
    """The paths that begin or end in some slots."""
    per, ends = case.layout.ports_per_cube, np.stack([paths.near, paths.far])
    first, end = (slots.start - 1) * per, (slots.stop - 1) * per
    return np.asarray(((ends >= first) & (ends < end)).any(axis=0))


def _block(case: Case, paths: Paths, device: str, rows: np.ndarray) -> None:
    numbers = _numbers(case, paths, rows)
    case.found(
        CODE,
        device,
        f"All {counted(len(rows), 'link')} of {device} run at {numbers['gbps']:g} Gbit/s, and both "
        f"ends can do {numbers['could_gbps']:g}: see what speed it is set to",
        [],
        hits=paths.ports(rows),
        places=[(device, "")],
        evidence=numbers,
        proof=[Proof(Look.RATE, device)],
    )


def _link(case: Case, paths: Paths, row: int) -> None:
    strands = sorted((int(paths.near[row]), int(paths.far[row])))
    ends: list[Port] = [case.plug(strand) for strand in strands]
    cables = [case.cable(strand) for strand in strands]
    numbers = _numbers(case, paths, np.array([row]))
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


def _numbers(case: Case, paths: Paths, rows: np.ndarray) -> dict[str, float]:
    """The slowest of some links, and what the fastest could do."""
    runs, able = rates_of(case, paths)
    return {"gbps": float(runs[rows].min()), "could_gbps": float(able[rows].max())}
