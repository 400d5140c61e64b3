"""Static tori by names alone: every unit is cabled to its neighbours."""

from itertools import product
from types import SimpleNamespace

from .plant import Plant
from .words import POD, Port

#: The sides of a pod in units, and those of a unit and of a host in chips.
TORI = {
    "static-3d": ((4, 4, 4), (4, 4, 4), (2, 2, 1)),
    "tpu-v2": ((4, 4), (4, 4), (2, 2)),
    "tpu-v3": ((8, 8), (4, 4), (4, 2)),
    "tpu-v5e": ((4, 4), (4, 4), (4, 2)),
    "tpu-v6e": ((4, 4), (4, 4), (4, 2)),
    "v5e-hosts": ((4, 8), (4, 2), (4, 2)),
}


def _port(design: str, unit: tuple[int, ...], chip: tuple[int, ...], face: str) -> Port:
    slot = tray = step = turn = 1
    for at, inner, side, chips, part in zip(unit, chip, *TORI[design], strict=True):
        slot, step = slot + step * at, step * side
        tray, turn = tray + turn * ((inner - 1) // part), turn * (chips // part)
    return f"{POD}-c{slot:03d}-t{tray:02d}", f"{'.'.join(map(str, chip))}/{face}"


def _right(design: str) -> dict[str, tuple[Port, Port]]:
    grid, chips, _ = TORI[design]
    cables = {}
    for unit in product(*map(range, grid)):
        for axis, side in enumerate(grid):
            after = (*unit[:axis], (unit[axis] + 1) % side, *unit[axis + 1 :])
            others = (range(1, n + 1) for a, n in enumerate(chips) if a != axis)
            for index in product(*others):
                last, first = ((*index[:axis], end, *index[axis:]) for end in (chips[axis], 1))
                near = _port(design, unit, last, f"{'XYZ'[axis]}+")
                far = _port(design, after, first, f"{'XYZ'[axis]}-")
                cables[f"{near[0].rpartition('-')[0]}:{near[1]}"] = near, far
    return cables


class Torus(Plant):
    """A whole pod without switches, that can be wired wrong."""

    def __init__(self, design: str) -> None:
        self.kind = SimpleNamespace(name=design)  # type: ignore[assignment]
        units = 1
        for side in TORI[design][0]:
            units *= side
        self.slots, self.substituted, self.log = tuple(range(1, units + 1)), {}, []
        self.right = _right(design)
        self.rows = {cable: list(ends) for cable, ends in self.right.items()}
