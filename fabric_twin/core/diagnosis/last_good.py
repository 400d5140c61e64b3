"""How light was on each path when it was last good: what a path is held against after a switching.

    near module -- cable -- [ switch ] -- cable -- far module

A path is two cables, each in its own two ports, and the modules that shine through them. The same
circuit with another cable or another module is another path.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column

Levels = NDArray[np.float64]

#: Partners of a cable that are remembered: the latest.
PARTNERS = 8
#: dB by which readings differ when nothing happened [A]; and after how many seconds one is of old.
NOISE, OLD = 0.05, 86_400.0


@dataclass(frozen=True, eq=False)
class GoodLight:
    """Light of paths; one row a path. Columns of pairs have the near end first."""

    #: Strands, and simplex ports, of the plant by strand.
    near: Column
    far: Column
    a: Column
    b: Column
    #: dB between the modules, and that the switch measured itself; NaN where it does not.
    loss: Levels
    switch: Levels
    #: Errors before correction, dBm of the weakest lane sent, and what comes back of it in dB; NaN
    #: where not told.
    ber: Levels
    sent: Levels
    back: Levels
    #: Serials of the modules; empty where not told.
    modules: NDArray[np.str_]
    #: When this was so, in seconds since 1970.
    at: Levels

    @classmethod
    def none(cls) -> "GoodLight":
        """Nothing is remembered."""
        no, levels, pairs = np.zeros(0, np.int32), np.zeros(0), np.zeros((0, 2))
        words = np.zeros((0, 2), np.str_)
        return cls(no, no, no, no, levels, levels, pairs, pairs, pairs, words, levels)

    def __len__(self) -> int:
        return len(self.near)

    @property
    def besides(self) -> Levels:
        """dB that is lost besides the switch; NaN where the switch does not measure."""
        return np.asarray(self.loss - self.switch)

    def take(self, rows: Any) -> "GoodLight":
        """Some of them."""
        return GoodLight(*(column[rows] for column in _columns(self)))

    def find(self, now: "GoodLight") -> NDArray[np.intp]:
        """By path of `now`: the row of the same path here, or -1."""
        found = np.full(len(now), -1, np.intp)
        if len(self):
            keys, asked = _keys(self), _keys(now)
            order = np.argsort(keys, kind="stable")
            at = order[np.minimum(np.searchsorted(keys, asked, sorter=order), len(keys) - 1)]
            same = keys[at] == asked
            same[same] = (self.modules[at[same]] == now.modules[same]).all(axis=1)
            found[same] = at[same]
        return found

    def with_later(self, now: "GoodLight") -> "GoodLight":
        """What is remembered after a look: the last of each path, of a cable the last few.

        What hardly moved stays as it was, for a day: then nothing has to be written.
        """
        row = self.find(now)
        told = row >= 0
        told[told] = ~_moved(self.take(row[told]), now.take(told))
        new = now.take(~told)
        kept = self.take(~np.isin(_keys(self), _keys(new)))
        columns = zip(_columns(kept), _columns(new), strict=True)
        joined = GoodLight(*(np.concatenate(pair) for pair in columns))
        seen = np.where(np.isin(_keys(joined), _keys(now)), np.inf, joined.at)
        keep = np.ones(len(joined), np.bool_)
        for ends in (joined.near, joined.far):
            order = np.lexsort((-seen, ends))
            first = np.searchsorted(ends[order], ends[order])
            keep[order[np.arange(len(order)) - first >= PARTNERS]] = False
        return joined.take(keep)


def _moved(old: GoodLight, new: GoodLight) -> NDArray[np.bool_]:
    """By path: it is another reading, and not the same with noise; or the old one is of old."""
    moved = (old.a != new.a) | (old.b != new.b) | (new.at - old.at > OLD)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.log10(old.ber), np.log10(new.ber)
        for was, now, far in (
            (old.loss[:, None], new.loss[:, None], NOISE),
            (old.switch[:, None], new.switch[:, None], NOISE),
            (old.sent, new.sent, NOISE),
            (old.back, new.back, 10 * NOISE),
            (*errors, 2 * NOISE),
        ):
            same = (np.abs(now - was) <= far) | (now == was) | (np.isnan(now) & np.isnan(was))
            moved |= ~same.all(axis=1)
    return np.asarray(moved)


def _columns(light: GoodLight) -> Sequence[NDArray[Any]]:
    return [getattr(light, column.name) for column in fields(light)]


def _keys(light: GoodLight) -> NDArray[np.int64]:
    return (light.near.astype(np.int64) << 32) | light.far
