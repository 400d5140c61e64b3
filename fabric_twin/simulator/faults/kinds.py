"""What a kind of fault is. A wish names what to break; a memo says how it was before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.simulator.pod import SimulatedPod

#: What to break, as JSON: `{"kind": "dirty", "device": "iw1-ocs-x-1-1", "port": "7A"}`.
Wish = Mapping[str, Any]
#: What mending needs to know, as JSON.
Memo = dict[str, Any]
Random = np.random.Generator
#: dB that anything loses at most: then it is dark by far.
MOST_LOSS = 100.0


@dataclass(frozen=True)
class Kind:
    """One kind of fault."""

    name: str
    #: One line for a person.
    words: str
    #: What a wish must name.
    needs: tuple[str, ...]
    make: Callable[[SimulatedPod, Wish], Memo | None]
    mend: Callable[[SimulatedPod, Wish, Memo], object]
    #: A wish for this kind somewhere by chance.
    anywhere: Callable[[SimulatedPod, Random], dict[str, Any]]
    #: What a wish may say besides.
    may: tuple[str, ...] = ()
    #: Whether it is gone though nobody mended it by name: its cables were put back by hand.
    is_gone: Callable[[SimulatedPod, Wish, Memo], bool] = lambda *_: False

    def place(self, wish: Wish) -> tuple[str, frozenset[str]]:
        """What a wish breaks: two of one kind cannot be in one place."""
        return self.name, frozenset(str(wish.get(key)) for key in self.needs)


def state(
    name: str,
    words: str,
    needs: tuple[str, ...],
    put: Callable[[SimulatedPod, Wish, bool], None],
    anywhere: Callable[[SimulatedPod, Random], dict[str, Any]],
) -> Kind:
    """A kind that is so or not; `put` is told whether all is well, and nothing is remembered."""
    return Kind(
        name,
        words,
        needs,
        lambda pod, wish: put(pod, wish, False),
        lambda pod, wish, _: put(pod, wish, True),
        anywhere,
    )


def number_of(
    wish: Wish, key: str, default: float, least: float = -1e6, most: float = 1e6
) -> float:
    """A number of a wish."""
    value = wish.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnusableInput(f"{key} is {value!r:.40}, not a number", where=key, remedy="Write 1.5")
    if not least <= value <= most:
        raise UnusableInput(
            f"{key} is {value!r:.40}",
            where=key,
            remedy=f"Write a number from {least:g} to {most:g}",
        )
    return float(value)


def text_of(wish: Wish, key: str) -> str:
    """A text that a wish must have."""
    value = wish.get(key)
    if not isinstance(value, str) or not 0 < len(value) < 256:
        raise UnusableInput(f'"{key}" is missing, or not text', where="fault", remedy="Name it")
    return value


def switch_of(pod: SimulatedPod, wish: Wish) -> int:
    """The switch that a wish names as its device."""
    name = text_of(wish, "device")
    if name not in pod.points.switch_numbers:
        raise UnusableInput(
            f"the {pod.points.names.noun} has no switch {name[:60]!r}",
            where="device",
            remedy="Name a switch",
        )
    return pod.points.switch_numbers[name]


def mirror_of(pod: SimulatedPod, wish: Wish) -> tuple[int, int]:
    """The switch and the simplex port that a wish names."""
    switch, port = switch_of(pod, wish), text_of(wish, "port")
    if port not in pod.points.simplex_numbers:
        raise UnusableInput(
            f"the switch has no port {port[:40]!r}", where="port", remedy="Name a port like 7A"
        )
    return switch, pod.points.simplex_numbers[port]


def need_switches(pod: SimulatedPod) -> None:
    """Refuse a fault of a switch where the plant is static."""
    if not pod.points.switches:
        raise UnusableInput(
            "the pod has no switches", where="fault", remedy="Break cables, trays or cubes"
        )


def any_packet_switch(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Some packet switch."""
    if not pod.packet_switches:
        need_switches(pod)
        raise UnusableInput(
            "the pod has no packet switches", where="fault", remedy="Break a switch of a cluster"
        )
    return {"device": str(random.choice(sorted(pod.packet_switches)))}


def any_switch(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Some switch."""
    if pod.packet_switches:
        return any_packet_switch(pod, random)
    need_switches(pod)
    return {"device": pod.points.names.switches[int(random.integers(pod.points.switches))]}


def any_mirror(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Some port of some switch that a cable is plugged into."""
    need_switches(pod)
    device, port = pod.points.names.port(int(random.choice(pod.plant.b[pod.plant.b >= 0])))
    if pod.points.strands == 2:
        port += "AB"[int(random.integers(2))]
    return {"device": device, "port": port}


def any_cube_port(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Some port of a cube that is there."""
    device, port = pod.points.names.port(int(random.choice(pod.intended.a)))
    return {"device": device, "port": port}


def any_cable(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Some cable that is plugged in at both ends."""
    plant = pod.plant
    whole = np.flatnonzero((plant.a >= 0) & (plant.b >= 0) & ~plant.broken)
    if not whole.size:
        raise NotPossible("no cable is plugged in at both ends", remedy="Plug one in")
    return {"cable": plant.names[int(random.choice(whole))]}
