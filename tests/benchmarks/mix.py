"""Jobs of the published slice mix (TPU v4, table 2), drawn with a seed.

`python tests/benchmarks/mix.py 3000 > trace.csv` writes so many as a trace, with seed 1.
"""

import csv
import random
import sys

from fabric_twin.core.replay import Job
from fabric_twin.core.slices.shapes import Shape

#: Shape and percent of all slices; it sums to 97.5 and is scaled to 100.
TORUS = """1x1x1 2.1, 1x1x2 0.4, 1x2x2 6.7, 2x2x2 4.7, 2x2x4 6.4, 2x4x4 8.9, 4x4x4 13.9,
4x4x8 1.5, 4x4x12 0.7, 4x8x8 1.5, 4x4x16 1.0, 4x8x12 0.1, 8x8x8 9.6, 4x8x16 1.7, 4x4x32 0.6,
8x8x12 0.7, 8x8x16 1.4, 4x16x16 0.3, 4x4x64 0.1, 4x8x32 0.1, 8x12x16 0.1, 4x4x96 0.1, 8x8x24 0.1,
8x16x16 0.3, 12x16x16 5.7, 4x4x192 0.4"""
CHIPS = 4096
TWISTED = "4x4x8 16.0, 4x8x8 9.2, 8x8x16 1.8, 8x16x16 1.4"


def mix() -> dict[Shape, float]:
    """Each shape's percent as published."""
    return {
        Shape(tuple(map(int, text.split("x"))), twisted): float(percent)
        for rows, twisted in ((TORUS, False), (TWISTED, True))
        for text, percent in (row.split() for row in rows.split(","))
    }


def drawn(
    seed: int, jobs: int, *, backlog: int, load: float, mean_s: float, without: int = 65
) -> list[Job]:
    """A backlog at time 0, then arrivals at random that ask for `load` times the pod.

    Durations are exponential about their mean, cut off at a tenth of it and ten times it.
    `without` leaves out the shapes of so many cubes or more.
    """
    chance = random.Random(seed)
    shapes = {shape: share for shape, share in mix().items() if shape.chips < without * 64}
    weights = list(shapes.values())
    mean_chips = sum(s.chips * w for s, w in shapes.items()) / sum(weights)
    gap = mean_chips * mean_s / (CHIPS * load)
    now, made = 0.0, []
    for number in range(jobs):
        if number >= backlog:
            now += chance.expovariate(1 / gap)
        [shape] = chance.choices(list(shapes), weights)
        duration = min(max(chance.expovariate(1 / mean_s), mean_s / 10), mean_s * 10)
        made.append(Job(f"j{number}", round(now, 3), shape, round(duration, 3)))
    return made


def main(jobs: int) -> None:
    """A backlog of 200, then jobs of 2 hours on average that ask for the whole pod."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["job", "arrival_s", "shape", "twisted", "duration_s"])
    for job in drawn(1, jobs, backlog=200, load=1.0, mean_s=7200):
        twisted = "yes" if job.shape.twisted else "no"
        out.writerow([job.name, job.arrival, job.shape.text, twisted, job.duration])


if __name__ == "__main__":
    main(int(sys.argv[1]))
