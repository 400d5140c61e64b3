"""Cables that light agrees with: it was seen where the record says that both of their ends are.

near strand -- the cable -- port as recorded [switch] circuit -- port -- far strand
     '------------------- hears whom it should, by the record ----------------'

No finding is no proof: nobody sees a cable without a circuit, or one whose cube did not answer.
"""

from itertools import compress

import numpy as np

from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.recorded import expected, recorded_ends


def agreed_cables(case: Case) -> tuple[str, ...]:
    """The recorded cables of which every strand hears whom it should, by their names."""
    if case.pictures.inventory is None:
        return ()
    plant, cubes = case.pictures.inventory.plant, case.intended.names.layout.cube_ports
    end = recorded_ends(case, plant)
    right = case.observed_strand & (case.heard >= 0) & (case.heard == expected(case, end))
    whole = right.reshape(-1, case.strands).all(axis=1)
    near, far = np.minimum(plant.a, plant.b), np.maximum(plant.a, plant.b)
    least = cubes if case.is_switched else 0
    rows = np.flatnonzero((near >= 0) & (near < cubes) & (far >= least))
    # Of two cables that are recorded in one port, light speaks of the one that was taken.
    there = end[near[rows] * case.strands]
    rows, there = rows[there >= 0], there[there >= 0]
    agreed = np.zeros(len(plant.a), np.bool_)
    agreed[rows] = whole[near[rows]] & (case.whole(there) == far[rows])
    return tuple(compress(plant.cables, agreed.tolist()))
