"""Finding where ports are that were seen with each other, when some ports are dark.

Cube ports that met in some round are parts of one figure. Where one of them is, all of them are:
so the figure could stand in as many places as there are switch ports for its first. Following the
figure, places drop out:

         r1        r2
    c1 ------ c2 ------ c3        c1 in 1B?  r1 leads to 1A, r2 on to 2B, r3 back to 3A: not 1B
     \\________________/           c1 in 5B?  r1 leads to 5A, r2 on to 6B, r3 back to 5B: it fits
              r3

A ring that closes is in few places; one place alone is where it is. A figure without a ring (two
rounds only ever make chains, and a dark port may be beyond any end of a chain) says too little.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.discovery.knowledge import Knowledge
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, Column

#: With no more places than these, figures without a ring are looked at as well.
FEW = 1024
#: The most comparisons within a figure; in a large one rings have told before.
AT_MOST = 2_000_000


def place_figures(rounds: Sequence[Column], knowledge: Knowledge, usable: Mask) -> None:
    """Place every figure that can be in one place only, and all that follows from it."""
    while True:
        places = np.flatnonzero(usable & (knowledge.end == NOT_KNOWN)).astype(np.int32)
        found = False
        for root in _figures(rounds, knowledge, trees=len(places) <= FEW):
            if knowledge.end[root] != NOT_KNOWN or knowledge.odd[root]:
                continue
            standing = _standing(root, rounds, knowledge, usable, places)
            if len(standing) == 1:
                port = np.array([root], dtype=np.int32)
                knowledge.place(port, standing)
                knowledge.walk(rounds, port)
                found = True
            elif not len(standing):
                knowledge.odd[root] = True
        if not found:
            return


def _figures(rounds: Sequence[Column], knowledge: Knowledge, *, trees: bool) -> Iterator[int]:
    """One port of each figure of which no port is known; the largest figures first."""
    count = knowledge.cube_ports
    mutual = [_mutual(meets[:count]) for meets in rounds]
    label = np.arange(count, dtype=np.int32)
    while True:
        before = label
        for met in mutual:
            label = np.where(met >= 0, np.minimum(label, label[met]), label)
        label = label[label]
        if (label == before).all():
            break
    lines = np.sum([met >= 0 for met in mutual], axis=0)
    ports = np.bincount(label[lines > 0], minlength=count)
    ends = np.bincount(label, weights=lines, minlength=count)
    known = np.bincount(label, weights=knowledge.end[:count] >= 0, minlength=count)
    ring = ends // 2 >= ports
    wanted = np.flatnonzero((ports > 1) & (known == 0) & (ring | trees))
    for figure in wanted[np.argsort(-ports[wanted], kind="stable")].tolist():
        members = np.flatnonzero(label == figure)
        yield int(members[np.argmax(lines[members])])


def _mutual(meets: Column) -> Column:
    """Whom each port met, where that one met it."""
    seen = meets >= 0
    back = meets[np.where(seen, meets, 0)] == np.arange(len(meets))
    return np.where(seen & back, meets, NO_PORT).astype(np.int32)


def _standing(
    root: int, rounds: Sequence[Column], knowledge: Knowledge, usable: Mask, places: Column
) -> Column:
    """The switch ports that the first port of a figure can be in."""
    lit = knowledge.end >= 0
    open_to = usable & (knowledge.end == NOT_KNOWN)
    at: dict[int, NDArray[np.int32]] = {root: places}
    keep = np.ones(len(places), dtype=np.bool_)
    to_do = [root]
    for port in to_do:
        for meets in rounds:
            seen, there = int(meets[port]), meets[at[port]]
            if seen == NO_PORT:
                keep &= (there < 0) | ~lit[there]
            elif seen >= 0 and int(meets[seen]) == port:
                keep &= (there >= 0) & open_to[there]
                if seen in at:
                    keep &= there == at[seen]
                else:
                    at[seen] = there
                    to_do.append(seen)
        left = int(keep.sum())
        if 2 * left <= len(keep):
            at = {one: ports[keep] for one, ports in at.items()}
            keep = keep[keep]
        if left < 2:
            return at[root]
    return _apart(root, rounds, {one: ports[keep] for one, ports in at.items()})


def _apart(root: int, rounds: Sequence[Column], at: dict[int, NDArray[np.int32]]) -> Column:
    """Places in which no two of a figure were joined that did not see each other."""
    images = np.stack(list(at.values()))
    ports = np.array(list(at), dtype=np.int32)
    if images.size * len(ports) > AT_MOST:
        return at[root]
    keep = np.ones(images.shape[1], dtype=np.bool_)
    for meets in rounds:
        nobody = meets[ports] == NO_PORT
        there = meets[images[nobody]]
        keep &= ~(there[:, None] == images[None]).any(axis=(0, 1))
    return at[root][keep]
