"""Where the recorded plant is not the intended one: wrong cables and unmet pairs.

A pair is the two ports that the rule joins. It is met when a recorded cable joins them. A cable
is wrong when it meets no pair, or one that another cable meets already.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Differences:
    """Wrong cables as rows of the recorded plant, unmet pairs as rows of the intended one."""

    wrong: list[int]
    unmet: list[int]
    #: Right but for its strands, which are exchanged.
    crossed: list[int]
    #: Wrong cables that stand on a port where another cable stands with more right.
    doubled: set[int]
    #: By port: the row of its pair where that is unmet, else -1.
    pair: Column
    #: By port: whether its pair is met.
    met: NDArray[np.bool_]


def compare(intended: IntendedPlant, recorded: Recorded) -> Differences:
    """Find every wrong cable and every unmet pair."""
    a, b, want = recorded.a, recorded.b, intended.want
    ports, rows = len(want), len(a)
    right = (a >= 0) & (b >= 0)
    right &= want[np.where(right, a, 0)] == b
    row_of_pair = np.full(ports, -1, dtype=np.int32)
    row_of_pair[intended.a] = row_of_pair[intended.b] = np.arange(len(intended.a), dtype=np.int32)

    met_by = row_of_pair[a[right]]
    times = np.bincount(met_by, minlength=len(intended.a))
    again: set[int] = set()
    if times.max(initial=0) > 1:
        again = _recorded_again(recorded, np.flatnonzero(right), met_by, times)
        right[list(again)] = False

    met = np.zeros(ports, dtype=np.bool_)
    met[intended.a[times > 0]] = met[intended.b[times > 0]] = True
    pair = np.where(met, -1, row_of_pair).astype(np.int32)
    wrong = np.flatnonzero(~right)
    doubled: set[int] = set()
    if len(wrong):
        here = np.concatenate([a[a >= 0], b[b >= 0]])
        crowded = np.bincount(here, minlength=ports) > 1
        if crowded.any():
            doubled = _on_taken_ports(recorded, wrong, met, crowded) | again
    return Differences(
        wrong=wrong.tolist(),
        unmet=np.flatnonzero(times == 0).tolist(),
        crossed=[row for row in recorded.crossed if right[row]] if rows else [],
        doubled=doubled,
        pair=pair,
        met=met,
    )


def _recorded_again(
    recorded: Recorded, right: Rows, met_by: Column, times: NDArray[np.intp]
) -> set[int]:
    """Of cables that meet the same pair, all but the one with the least name."""
    again: set[int] = set()
    best: dict[int, int] = {}
    many = times[met_by] > 1
    for row, pair in zip(right[many].tolist(), met_by[many].tolist(), strict=True):
        other = best.setdefault(pair, row)
        if other != row:
            first, second = sorted((row, other), key=lambda row: recorded.cables[row])
            best[pair] = first
            again.add(second)
    return again


def _on_taken_ports(
    recorded: Recorded, wrong: Rows, met: NDArray[np.bool_], crowded: NDArray[np.bool_]
) -> set[int]:
    """Wrong cables that share a port: all of them beside a right cable, else all but the least."""
    doubled: set[int] = set()
    first: dict[int, int] = {}
    for row in sorted(wrong.tolist(), key=lambda row: recorded.cables[row]):
        ends = (int(recorded.a[row]), int(recorded.b[row]))
        for port in ends:
            if port >= 0 and crowded[port] and (met[port] or first.setdefault(port, row) != row):
                doubled.add(row)
        if ends[0] >= 0 and ends[0] == ends[1]:
            doubled.add(row)
    return doubled
