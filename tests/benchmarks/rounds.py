"""How many rounds discovery takes of an Ironwood pod, by how many of its ports are dark.

`make bench` prints it; it is the table of docs/discovery.md. The plant and its light are simulated
apart from the core (tests/core/discovery/plants.py); rounds and ports are counted. What is given
are the numbers of dark ports: `python tests/benchmarks/rounds.py 0 100`.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from discovery.plants import HiddenPlant, discover

from fabric_twin.core.discovery import Seen

DARK = (0, 1, 2, 5, 10, 50, 100, 500, 1000, 2000, 5000, 7000)
SEEDS = 5


def once(dark: int, seed: int) -> tuple[int, int]:
    """Rounds, and how many lit ports were not told."""
    plant = HiddenPlant.as_ruled("ironwood")
    plant.dark |= set(random.Random(seed).sample(sorted(plant.plugged), dark))
    observed, _ = discover(plant, seed=seed)
    told = int((observed.seen == Seen.LIGHT).sum())
    return observed.rounds, len(plant.plugged) - dark - told


def main(numbers: tuple[int, ...]) -> None:
    """Print the table."""
    print("| dark ports of 13,824 | rounds | lit ports not told |\n|---|---|---|")
    for dark in numbers:
        rounds, missed = zip(*(once(dark, seed) for seed in range(SEEDS)), strict=True)
        least, most = min(rounds), max(rounds)
        shown = f"{least}" if least == most else f"{least} or {most}"
        print(f"| {dark:,} | {shown} | {max(missed)} |", flush=True)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or DARK)
