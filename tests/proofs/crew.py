"""Technicians who plug cables into the hidden plant, and whose hands slip at a set rate.

They read every label rightly first. Nobody knows of a slip: they say that it is done.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.orders.steps import Do, Step
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.points import NOWHERE

#: What goes wrong when a plug goes in, about as often each [A]: it goes into the port beside; it
#: and the one before are exchanged; it does not click; it is touched after it was cleaned.
SLIPS = ("beside", "exchanged", "loose", "dirty")
#: What a touched connector loses, and what it throws back, in dB.
LOSS, GLARE = 2.5, -27.0

#: A cable, and its end `a` or `b`.
Plug = tuple[str, str]


@dataclass(eq=False)
class Crew:
    """Hands."""

    pod: SimulatedPod
    errors: float
    random: np.random.Generator
    counts: Counter[str] = field(default_factory=Counter)
    #: Plugs that went in wrongly, and are so still.
    wrong: dict[Plug, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Know cables by their labels, and how light comes back from clean connectors."""
        self._number = {name: n for n, name in enumerate(self.pod.plant.names)}
        self._glare = self.pod.plant.glare.copy()
        self._before: tuple[Plug, int, str] | None = None

    def do(self, step: Step) -> None:
        """Do a step, or believe so."""
        self.counts[step.do] += 1
        plant = self.pod.plant
        if step.do == Do.CLEAN:
            port = self.pod.points.find_port(*step.at)
            plant.dirt[port], plant.glare[port] = 0.0, self._glare[port]
            plant.changed()
        elif step.do == Do.PLUG:
            self._plug((step.cable, step.end), self.pod.points.find_port(*step.at), step)

    def _plug(self, me: Plug, port: int, step: Step) -> None:
        plant = self.pod.plant
        slip = str(self.random.choice(SLIPS)) if self.random.random() < self.errors else ""
        hand = f"{step.bundle} {step.end}"
        before = self._before if self._before and self._before[2] == hand else None
        if slip == "beside" and self._beside(port) == port:
            slip = ""
        if slip == "exchanged" and before is None:
            slip = ""
        self._put(me, NOWHERE)
        if slip != "loose":
            self._into(self._beside(port) if slip == "beside" else port, me)
        if slip == "dirty":
            plant.dirt[port], plant.glare[port] = LOSS, GLARE
            plant.changed()
        if slip == "exchanged" and before is not None:
            other, there, _ = before
            self._put(other, NOWHERE)
            self._put(me, NOWHERE)
            self._into(there, me)
            self._into(port, other)
            self.wrong[other] = slip
        self._before = me, port, hand
        if slip:
            self.counts[f"slip: {slip}"] += 1
            self.wrong[me] = slip
        else:
            self.wrong.pop(me, None)

    def _into(self, port: int, me: Plug) -> None:
        """Whoever finds another plug in a port takes it out, and lets it hang."""
        plant = self.pod.plant
        there = plant.cable_at(port)
        if there not in (NOWHERE, self._number[me[0]]):
            plant.plug(there, "a" if int(plant.a[there]) == port else "b", NOWHERE)
        self._put(me, port)

    def _put(self, plug: Plug, port: int) -> None:
        self.pod.plant.plug(self._number[plug[0]], plug[1], port)

    def _beside(self, port: int) -> int:
        """The next port of the same device, if it is free."""
        layout, beside = self.pod.design.layout, port + 1
        same = beside < len(layout.mate) and layout.device[beside] == layout.device[port]
        return beside if same and self.pod.plant.cable_at(beside) == NOWHERE else port
