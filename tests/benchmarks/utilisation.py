"""How full a pod stays: the published slice mix, policy by policy; `make bench` runs it.

A backlog waits at time 0 and arrivals ask for the whole pod from then on, so the queue is never
empty. Figures are taken until the last arrival; every job states its duration and keeps to it.
Every policy gets the same arrivals. `static` stands for a fabric without switches: a slice needs
contiguous cubes of a 4x4x4 grid (turned as it likes), and a shape that does not fit into the grid
is refused. It is treated kindly: twisted shapes and rings that its cables could not close count.
"""

import sys
import time
from functools import cache
from itertools import permutations, product
from statistics import fmean

from mix import drawn

from fabric_twin.core.designs.tpu_v4 import DESIGN
from fabric_twin.core.replay import Backfill, Job, Outcome, fifo, first_fit, replay
from fabric_twin.core.slices.blocks import Sides
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice

BACKLOG, LOAD, MEAN_S = 200, 1.0, 7200.0
BIG = Shape((12, 16, 16))
SIDE = 4


@cache
def boxes(grid: Sides) -> list[tuple[frozenset[int], tuple[int, ...]]]:
    """Every place of a box of cubes in the 4x4x4 grid, turned every way."""
    found = []
    for turned in sorted(set(permutations(grid))):
        for corner in product(*(range(SIDE - side + 1) for side in turned)):
            places = product(*(range(c, c + s) for c, s in zip(corner, turned, strict=True)))
            slots = tuple(1 + x + SIDE * (y + SIDE * z) for x, y, z in places)
            found.append((frozenset(slots), slots))
    return found


class Contiguous(Occupancy):
    """A pod without switches: first fit on contiguous cubes."""

    def place(self, shape: Shape) -> Slice | None:
        """The first free box."""
        grid = shape.grid(self.design.cube)
        if not grid:
            return super().place(shape)
        free = (slots for box, slots in boxes(grid) if box <= self.free)
        return Slice("", shape, slots) if (slots := next(free, None)) else None


HEAD = (
    f"{'policy':34} {'util':>6} {'gaps':>6} {'held':>6} {'drain':>6} {'12x16x16':>9} {'mean h':>7} "
    f"{'long h':>7} {'big mean':>9} {'big long':>9} {'queue':>6} {'refused':>8} {'s':>5}"
)


def row(name: str, jobs: list[Job], pod: Occupancy, policy) -> Outcome:
    """Replay and print a row of the table."""
    begun = time.perf_counter()
    outcome = replay(jobs, pod, policy, name)
    seconds = time.perf_counter() - begun
    last, waits, big = outcome.last_arrival, outcome.waits(), outcome.waits(BIG) or [0.0]
    least = min(sample.waiting for sample in outcome.samples if sample.time < last)
    print(
        f"{name:34} {outcome.utilisation(last):>6.2%} {outcome.fragmentation(last):>6.2%} "
        f"{outcome.held_back(last):>6.2%} "
        f"{outcome.draining(last):>6.2%} {outcome.draining(last, BIG):>9.2%} "
        f"{fmean(waits) / 3600:>7.1f} {max(waits) / 3600:>7.1f} {fmean(big) / 3600:>9.1f} "
        f"{max(big) / 3600:>9.1f} {least:>6} {len(outcome.refusals):>8} {seconds:>5.1f}",
        flush=True,
    )
    return outcome


def main(count: int) -> None:
    """Print the table."""
    print(f"{count} jobs, backlog {BACKLOG}, load {LOAD:.0%}, durations of {MEAN_S / 3600:.0f} h")
    print(HEAD)

    def jobs(seed: int, **more) -> list[Job]:
        return drawn(seed, count, **{"backlog": BACKLOG, "load": LOAD, "mean_s": MEAN_S} | more)

    same = jobs(1)
    day = 86_400.0
    row("static, strict first-come", same, Contiguous(DESIGN), fifo)
    row("static, first-fit", same, Contiguous(DESIGN), first_fit)
    row("strict first-come", same, Occupancy(DESIGN), fifo)
    row("first-fit without backfill", same, Occupancy(DESIGN), first_fit)
    for hours in (0, 12, 24, 48, 96):
        row(f"backfill, patience {hours} h", same, Occupancy(DESIGN), Backfill(hours * 3600))
    row("backfill, 1 cube held back", same, Occupancy(DESIGN, held_back=1), Backfill(day))
    for seed in (2, 3):
        for hours in (24, 96):
            name = f"backfill, {hours} h, seed {seed}"
            row(name, jobs(seed), Occupancy(DESIGN), Backfill(hours * 3600))
        row(
            f"backfill, 1 held back, seed {seed}",
            jobs(seed),
            Occupancy(DESIGN, held_back=1),
            Backfill(day),
        )
    row("backfill, 24 h, backlog 50", jobs(1, backlog=50), Occupancy(DESIGN), Backfill(day))
    small = jobs(1, without=48)
    row("backfill, 24 h, none of 48 cubes", small, Occupancy(DESIGN), Backfill(day))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3000)
