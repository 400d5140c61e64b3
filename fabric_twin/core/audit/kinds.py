"""What a mistake is called: exchanged, rotated, shifted, reversed, or by its worst cable."""

from collections import Counter

import numpy as np

from fabric_twin.core.audit.arrangement import Panel, Standing
from fabric_twin.core.audit.codes import Codes
from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

#: A closed cycle of fewer neighbours is a rotation, not a shift that wraps around.
SHORTEST_WRAPPED_SHIFT = 4


class Kinds:
    """Names mistakes."""

    def __init__(self, intended: IntendedPlant, recorded: Recorded, found: Differences) -> None:
        standing = Standing.of(intended, recorded, found.wrong)
        self._panels = (Panel.far(intended, standing), Panel.near(intended, standing))
        self._stride = intended.fabric.stride
        self._codes = Codes(intended, recorded, found)

    def of(self, mistake: list[Repair]) -> str:
        """The code of a mistake."""
        rows = [row for repair in mistake for row in repair.rows]
        closed = all(repair.closed for repair in mistake)
        if not rows:
            return "missing"
        if closed and len(rows) == 2:
            return "swapped"
        return self._pattern(mistake, rows, closed=closed) or self._worst(mistake)

    def _pattern(self, mistake: list[Repair], rows: list[int], *, closed: bool) -> str | None:
        """What several cables did together, if they did one thing."""
        # A cable pushed out at the end of a run hangs loose: it does not count against the others.
        rows = [row for row in rows if not self._codes.hangs(row)]
        if len(rows) <= 1:
            return None
        merged = len(mistake) > 1
        panels = [panel.only(rows) for panel in self._panels]
        if self._is_shift(panels, len(rows), closed=closed, merged=merged):
            return "shifted"
        if not merged:
            return "rotated" if closed else None
        if any(self._is_reversal(panel, len(rows)) for panel in panels):
            return "reversed"
        return self._together(mistake, closed=closed)

    def _worst(self, mistake: list[Repair]) -> str:
        """The first code in order of those that its cables have by themselves."""
        codes = [
            self._codes.of(turn.row, surplus=False) for repair in mistake for turn in repair.turns
        ]
        codes += [self._codes.of(row, surplus=True) for repair in mistake for row in repair.surplus]
        return min(codes, key=self._codes.order.index)

    def _together(self, mistake: list[Repair], *, closed: bool) -> str | None:
        """Several repairs that were one mistake: called by what most of its cables did."""
        did: Counter[str] = Counter()
        for repair in mistake:
            code = self.of([repair])
            did["bundle-swapped" if code == "swapped" else code] += len(repair.rows)
        code, times = did.most_common(1)[0]
        return (
            code if closed or (2 * times > did.total() and code not in self._codes.order) else None
        )

    def _is_shift(self, panels: list[Panel], cables: int, *, closed: bool, merged: bool) -> bool:
        """Whether a run went along a panel by less than its own length.

        Pushed along, all cables took the same step. Wrapped around, as many as the step is long
        went back to the begin. Where other mistakes cut the run, most cables still took the step.
        """
        for panel in panels:
            if len(panel.row) < cables or not self._on_one_panel(panel):
                continue
            steps, times = np.unique(panel.step, return_counts=True)
            step, took_it = abs(int(steps[times.argmax()])), int(times.max())
            if not step:  # cables that nothing needs stand at their own places
                continue
            pushed = not closed and took_it == cables and step < cables
            wrapped = closed and cables >= SHORTEST_WRAPPED_SHIFT and took_it == cables - step
            cut = merged and took_it > cables / 2
            if pushed or ((wrapped or cut) and step < cables / 2):
                return True
        return False

    def _is_reversal(self, panel: Panel, cables: int) -> bool:
        """Whether a run stands back to front, from its two ends to the neighbours in its middle."""
        if len(panel.row) < cables or not self._on_one_panel(panel):
            return False
        middle = int(np.abs(panel.step).min())
        return len(set(panel.mirror.tolist())) == 1 and middle <= 2

    def _on_one_panel(self, panel: Panel) -> bool:
        on = {*(panel.wanted // self._stride).tolist(), *(panel.stands // self._stride).tolist()}
        return len(on) == 1
