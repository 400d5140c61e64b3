"""How an audit grows from 1 to 1,000 Ironwood pods, in time and in memory: `make bench` runs it.

    python tests/benchmarks/growth.py 1 10 100 1000

All recorded plants are in memory at once, names and columns; each pod has ten mistakes. What is
timed is the core alone: lay out the intended plant, compare, explain, word. Each number of pods is
a process of its own, so that its peak memory is its own.
"""

import multiprocessing
import random
import resource
import sys
import time

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.fabric.plant import Recorded

MISTAKES = 10


def recorded(pod: str, chance: random.Random) -> Recorded:
    """The plant of a pod in which ten pairs of cables are exchanged, here and there."""
    plant = intended_plant(DESIGN, pod)
    far = plant.b.copy()
    for _ in range(MISTAKES):
        one, other = chance.sample(range(len(far)), 2)
        far[[one, other]] = far[[other, one]]
    return Recorded(plant.names.cables(plant.a), plant.a.copy(), far)


def measure(pods: int) -> dict[str, float]:
    """Audit so many pods in this process."""
    chance = random.Random(pods)
    plants = {f"p{number}": recorded(f"p{number}", chance) for number in range(pods)}
    begun = time.perf_counter()
    findings = sum(
        len(audit_cabling(intended_plant(DESIGN, pod), plant).findings)
        for pod, plant in plants.items()
    )
    seconds = time.perf_counter() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"pods": pods, "seconds": seconds, "MB": memory, "findings": findings}


def main(counts: list[int]) -> None:
    """Print a row a number of pods."""
    print(f"{'pods':>6} {'cables':>12} {'findings':>9} {'seconds':>9} {'ms a pod':>9} {'MB':>7}")
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for row in pool.imap(measure, counts):
            pods, seconds = int(row["pods"]), row["seconds"]
            print(
                f"{pods:>6} {pods * DESIGN.cables:>12,} {row['findings']:>9} {seconds:>9.3f} "
                f"{seconds / pods * 1000:>9.2f} {row['MB']:>7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1, 10, 100, 1000])
