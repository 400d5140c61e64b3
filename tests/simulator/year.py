"""A year in the life of a pod, without serving it: what fails, how long links are down, what light
there is. The same from the same seed."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.design import Design
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.faults.book import FaultBook
from fabric_twin.simulator.faults.rates import Chance, published
from fabric_twin.simulator.pod import SimulatedPod

#: Hours between two looks at the links, and days between two looks at the levels.
LOOK = 6.0
DAYS = 365


@dataclass(frozen=True, eq=False)
class Year:
    """What a year was like."""

    design: str
    days: int
    #: How often each kind of fault came, and how often the published rates would have it.
    came: dict[str, int]
    expected: dict[str, float]
    #: Cube ports whose link was down, at each look.
    down: NDArray[np.int64]
    ports: int
    #: log10 of the errors of every link that was up, sampled over the year.
    errors: NDArray[np.float64]
    #: Insertion loss of every pair of one switch, in dB.
    losses: NDArray[np.float64]


def live_through(design: Design, seed: int = 1, days: int = DAYS) -> Year:
    """Join every cube to the next one, and let time pass."""
    clock = SteppedClock()
    pod = SimulatedPod.build(design, "p", clock, seed=seed)
    _join(pod)
    book = FaultBook(pod)
    rates = published(pod)
    chance = Chance(book, rates, seed)
    down, errors = [], []
    looks = int(days * 24 / LOOK)
    for look in range(looks):
        clock.step(LOOK * 3600)
        light = pod.light()
        down.append(int((~light.up).sum()))
        if look % (looks // 12) == 0:
            errors.append(np.log10(light.ber[light.up]))
    radix = pod.mirrors.radix
    side = np.arange(radix, dtype=np.int32)
    a, b = np.repeat(side, radix), np.tile(side + radix, radix)
    return Year(
        design.name,
        days,
        dict(Counter(chance.came).most_common()),
        {kind: rate * days for kind, rate in rates.items()},
        np.array(down),
        len(pod.intended.a),
        np.concatenate(errors),
        pod.mirrors.factory_loss(np.zeros_like(a), a, b),
    )


def _join(pod: SimulatedPod) -> None:
    """Each port that a cube's + is on, to the port of the next one's -."""
    names, layout = pod.points.simplex_names, pod.design.layout
    slots = len(pod.intended.slots)
    for switch in range(pod.points.switches):
        draft = Draft.of(pod.mirrors, switch)
        if pod.points.strands == 1:
            pairs = [(n, layout.radix + (n + 1) % slots) for n in range(slots)]
        else:
            links = [(n, slots + (n + 1) % slots) for n in range(slots)]
            both = [pair for p, q in links for pair in ((p, q), (q, p))]
            pairs = [(one, layout.radix + other) for one, other in both]
        for a, b in pairs:
            draft.add(f"{names[a]}-{names[b]}", names[a], names[b])
        pod.commit(switch, draft)
