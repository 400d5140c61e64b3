"""What links run at, against the lower of the rates that their two ends could."""

import numpy as np

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Levels, Mask


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
