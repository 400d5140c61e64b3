"""Paths that pass, worse than before: far below every limit, but not as they were when last good.

the same path, seen good     what it lost and how many bits were wrong then, and now
two cables that never met    what each lost with others; what its receiver made of so much light

A tenth of a decibel more tells nothing; light that fell by more than readings vary, or ten times as
many errors, at the moment of a switching, tells of dust on a connector while somebody is near.
"""

from dataclasses import dataclass
from functools import cached_property
from math import erfc, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Levels, Mask
from fabric_twin.core.fabric.columns import Column

#: From how many paths on it is known how far cables differ from each other [A].
FEWEST = 8
#: Of what two cables that never met lose: how much of the doubt nobody wonders about [A].
SPREADS = 3.0
#: dB by which two readings of the same light differ [A].
READING = 0.03
#: Light that does not come back, of light that is sent.
_NOTHING = 1e-9
_Q = np.linspace(0.0, 9.0, 901)
_LOG_BER = np.array([np.log10(0.5 * erfc(q / sqrt(2))) for q in _Q.tolist()])


@dataclass(frozen=True, eq=False)
class Compared:
    """Paths beside what is remembered of them; one row a path of `now`."""

    now: GoodLight
    good: GoodLight
    limits: Limits
    #: The switches of both, by number.
    switch: Column
    good_switch: Column
    #: By strand: dB that the fibre of its cable loses by its length: cables differ by that.
    fibre: Levels

    @cached_property
    def same(self) -> GoodLight:
        """What is remembered of the same path; only rows that are `known` say anything."""
        return self.good.take(np.where(self.known, self._row, 0)) if len(self.good) else self.now

    @cached_property
    def known(self) -> Mask:
        """Whether the path was seen good before."""
        return np.asarray(self._row >= 0)

    @cached_property
    def rise(self) -> Levels:
        """dB that a path loses more than it should by what is remembered; NaN where nobody knows.

        Over other ports of its switch, only what is lost besides the switch is compared.
        """
        now, same = self.now, self.same
        there = (now.a == same.a) & (now.b == same.b)
        rise = np.where(there, now.loss - same.loss, now.besides - same.besides)
        expected, doubt = self._expected
        return np.where(self.known, rise, now.besides - expected - doubt)

    @cached_property
    def switch_rise(self) -> Levels:
        """dB of it that its switch measures itself; NaN where that is not told."""
        same = self.same
        there = self.known & (self.now.a == same.a) & (self.now.b == same.b)
        return np.where(there, self.now.switch - same.switch, np.nan)

    @cached_property
    def ber_before(self) -> Levels:
        """By path and end: errors to be expected; NaN where nobody knows."""
        return np.where(self.known[:, None], self.same.ber, self._ber_of_strangers)

    @cached_property
    def times(self) -> Levels:
        """By path and end: how many times as many errors as before; NaN where nobody knows."""
        least = self.limits.worse_ber_least
        return np.asarray(self.now.ber / np.maximum(self.ber_before, least))

    @cached_property
    def lossy(self) -> Mask:
        """By path: light fell."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.rise > self.limits.worse_loss)

    @cached_property
    def noisy(self) -> Mask:
        """By path and end: many more errors."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.times >= self.limits.worse_ber_times)

    @property
    def worse(self) -> Mask:
        """By path: it passes, worse than before."""
        return np.asarray(self.lossy | self.noisy.any(axis=1))

    @cached_property
    def as_before(self) -> Mask:
        """By path: it is surely no worse; what is in doubt is not."""
        now, limits = self.now, self.limits
        expected, doubt = self._expected
        most = np.where(self.known, self.rise, now.besides - expected + doubt)
        last = np.stack([self._ber_then(end) for end in (0, 1)], axis=1)
        before = np.where(self.known[:, None], self.same.ber, last)
        with np.errstate(invalid="ignore"):
            few = now.ber <= limits.worse_ber_times * np.maximum(before, limits.worse_ber_least)
            return np.asarray((most <= limits.worse_loss) & few.all(axis=1))

    @cached_property
    def faded(self) -> Mask:
        """By path and end: its module sends less than it did, by more than a path may lose more."""
        with np.errstate(invalid="ignore"):
            less = self.same.sent - self.now.sent > self.limits.worse_loss
        return np.asarray(less & self.known[:, None])

    def last(self, end: int) -> NDArray[Any]:
        """By path: the latest row of the cable at one end, or -1."""
        ids, strands, mine = (self.good.near, self.good.far)[end], self._ends(end), self._mine[end]
        size = int(max(strands.max(initial=-1), ids.max(initial=-1))) + 1
        latest = np.full(size, -1, np.intp)
        rows = np.flatnonzero(mine)
        rows = rows[np.argsort(self.good.at[rows], kind="stable")]
        latest[ids[rows]] = rows
        return np.asarray(latest[strands])

    @cached_property
    def back(self) -> Levels:
        """By path and end: what comes back more than before, in dB; NaN where nobody knows."""
        with np.errstate(invalid="ignore"):
            more = 10 ** (self.now.back / 10) - 10 ** (self.same.back / 10)
        more = 10 * np.log10(np.maximum(more, _NOTHING))
        return np.where(self.known[:, None], more, np.nan)

    @cached_property
    def _row(self) -> NDArray[np.intp]:
        return self.good.find(self.now)

    # Two cables that never met

    @cached_property
    def _expected(self) -> tuple[Levels, Levels]:
        """dB besides the switch that two cables lose, by what each lost with others; the doubt."""
        good = self.good
        expected, doubt = np.full((2, len(self.now)), np.nan)
        told = np.isfinite(good.besides) & self._mine[0] & self._mine[1]
        if told.sum() < FEWEST:
            return expected, doubt
        asked = ~self.known & (self.last(0) >= 0) & (self.last(1) >= 0)
        besides = good.besides - self._fibres(good)
        mean, spread = besides[told].mean() / 2, max(besides[told].std() / sqrt(2), READING)
        for switch in np.unique(self.switch[asked]).tolist():
            rows = told & (self.good_switch == switch)
            # Only cables of which this switch had a good reading can be judged.
            at = asked & (self.switch == switch) & np.isin(self.now.near, good.near[rows])
            at &= np.isin(self.now.far, good.far[rows])
            cables = _Cables(good.take(rows), besides[rows], mean, spread)
            expected[at], doubt[at] = cables.together(self.now.take(at))
        return expected + self._fibres(self.now), doubt

    def _fibres(self, light: GoodLight) -> Levels:
        """By path: dB that the fibres of its cables lose by their length."""
        return np.asarray(self.fibre[light.near] + self.fibre[light.far])

    def _ber_then(self, end: int) -> Levels:
        """By path: the errors that the receiver at one end made last."""
        last = self.last(end)
        then = np.full(len(self.now), np.nan)
        then[last >= 0] = self.good.ber[last[last >= 0], end]
        return then

    def _ends(self, end: int) -> NDArray[Any]:
        return np.asarray((self.now.near, self.now.far)[end])

    @cached_property
    def _mine(self) -> tuple[Mask, Mask]:
        """By end, over what is remembered: no other module is at that end now."""
        masks = []
        for end in (0, 1):
            ids, strands = (self.good.near, self.good.far)[end], self._ends(end)
            size = int(max(strands.max(initial=-1), ids.max(initial=-1))) + 1
            there = np.full(size, "", self.now.modules.dtype)
            there[strands] = self.now.modules[:, end]
            asked = np.zeros(size, np.bool_)
            asked[strands] = True
            masks.append(np.asarray(~asked[ids] | (self.good.modules[:, end] == there[ids])))
        return masks[0], masks[1]

    @cached_property
    def _ber_of_strangers(self) -> Levels:
        """By path and end: the errors its receiver made last, with as much light as is expected.

        Who gets less light than then, since another module sends less or another mirror loses more,
        makes more errors; as many more as noise of the receiver alone would make of it.
        """
        expected, doubt = self._expected
        whole = expected + doubt + self.now.switch
        found = np.full((len(self.now), 2), np.nan)
        for end in (0, 1):
            last = self.last(end)
            there = last >= 0
            good = self.good.take(last[there])
            got = good.sent[:, 1 - end] - good.loss
            gets = self.now.sent[there, 1 - end] - whole[there]
            found[there, end] = weaker(good.ber[:, end], np.minimum(gets - got, 0.0))
        return found


class _Cables:
    """What each cable of a switch loses, as far as the paths that it was part of tell it.

    A path is two cables: what two paths of one cable lose tells the others apart, and so on from
    cable to cable. What no path tells is taken to be as it is in the mean, with its spread. What
    fibres lose by their length is left out of `besides`.
    """

    def __init__(self, paths: GoodLight, besides: Levels, mean: float, spread: float) -> None:
        self._mean = mean
        self._cables = np.unique(np.concatenate([paths.near, paths.far]))
        every = np.arange(len(paths))
        is_of = np.zeros((len(paths), len(self._cables)))
        for ends in (paths.near, paths.far):
            is_of[every, np.searchsorted(self._cables, ends)] = 1.0
        known = np.eye(len(self._cables)) / spread**2 + is_of.T @ is_of / READING**2
        self._doubt = np.linalg.inv(known)
        self._more = self._doubt @ is_of.T @ (besides - 2 * mean) / READING**2

    def together(self, paths: GoodLight) -> tuple[Levels, Levels]:
        """dB that two cables lose besides their switch, and the doubt."""
        p, q = (np.searchsorted(self._cables, ends) for ends in (paths.near, paths.far))
        doubt = self._doubt[p, p] + self._doubt[q, q] + 2 * self._doubt[p, q]
        expected = 2 * self._mean + self._more[p] + self._more[q]
        return expected, SPREADS * np.sqrt(np.maximum(doubt, 0.0))


def weaker(ber: Levels, db: Levels) -> Levels:
    """The error ratio of a receiver whose light changed by so many dB, if noise alone limits it.

    >>> weaker(np.array([1e-10]), np.array([-0.4])).round(10).tolist()
    [3.4e-09]
    """
    with np.errstate(divide="ignore"):
        q = np.interp(-np.log10(ber), -_LOG_BER, _Q)
    worse = 10 ** np.interp(q * 10 ** (db / 10), _Q, _LOG_BER)
    return np.where(np.isnan(ber) | np.isnan(db), np.nan, worse)
