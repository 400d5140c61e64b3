"""Faults of cables and connectors."""

from typing import Any

import numpy as np

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.rule import Plant as Kind_of_plant
from fabric_twin.simulator.faults.kinds import (
    MOST_LOSS,
    Kind,
    Memo,
    Random,
    Wish,
    any_cable,
    any_cube_port,
    number_of,
    state,
    text_of,
)
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.points import NOWHERE


def _swap(pod: SimulatedPod, wish: Wish) -> Memo:
    one, other = (pod.plant.find(text_of(wish, key)) for key in ("cable", "other"))
    if one == other:
        raise NotPossible("a cable is not exchanged with itself", remedy="Name two cables")
    memo = {"ports": [int(pod.plant.b[one]), int(pod.plant.b[other])]}
    pod.plant.swap(one, other)
    return memo


def _unswap(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    """Put both back, if they still stand where they were put."""
    one, other = (pod.plant.find(text_of(wish, key)) for key in ("cable", "other"))
    if [int(pod.plant.b[other]), int(pod.plant.b[one])] == memo["ports"]:
        pod.plant.swap(one, other)


def _are_parted(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:
    """Whether both cables are plugged in, and neither where the other was."""
    one, other = (pod.plant.find(text_of(wish, key)) for key in ("cable", "other"))
    stand = zip((one, other), reversed(memo["ports"]), strict=True)
    return all(int(pod.plant.b[cable]) not in (port, NOWHERE) for cable, port in stand)


def _two_cables(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Two cables of one switch that stand side by side."""
    first = any_cable(pod, random)
    number = pod.plant.find(first["cable"])
    port = int(pod.plant.b[number])
    near = np.argsort(np.abs(pod.plant.b - port), kind="stable")
    other = next(int(n) for n in near.tolist() if n != number and pod.plant.b[n] != NOWHERE)
    return {**first, "other": pod.plant.names[other]}


def _misplug(pod: SimulatedPod, wish: Wish) -> Memo:
    cable = pod.plant.find(text_of(wish, "cable"))
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    before = int(pod.plant.b[cable])
    pod.plant.plug(cable, "b", port)
    return {"before": before, "after": port}


def _replug(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    cable = pod.plant.find(text_of(wish, "cable"))
    if int(pod.plant.b[cable]) == memo["after"]:
        pod.plant.plug(cable, "b", memo["before"])


def _is_elsewhere(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:
    """Whether a cable was plugged in somewhere else since; if wrongly, that is another fault."""
    stands = int(pod.plant.b[pod.plant.find(text_of(wish, "cable"))])
    return stands not in (memo["after"], NOWHERE)


def _cable_and_free_port(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """A cable and a free port of its switch, or of any; of a cube where there are no switches."""
    first = any_cable(pod, random)
    port = int(pod.plant.b[pod.plant.find(first["cable"])])
    layout = pod.design.layout
    ports = np.arange(layout.cube_ports, len(layout.mate))
    if pod.points.is_packet:
        ports = np.arange(len(layout.mate))
    elif not pod.points.switches:
        ports = np.flatnonzero(np.isin(layout.slot, pod.intended.slots))
    free = np.setdiff1d(ports, [pod.plant.a, pod.plant.b])
    if not free.size:
        raise NotPossible("every port is taken", remedy="Leave a slot empty")
    near = free[layout.device[free] == layout.device[port]]
    device, name = pod.points.names.port(int(random.choice(near if near.size else free)))
    return {**first, "device": device, "port": name}


def _unplug(pod: SimulatedPod, wish: Wish) -> Memo:
    cable = pod.plant.find(text_of(wish, "cable"))
    before = int(pod.plant.b[cable])
    pod.plant.plug(cable, "b", NOWHERE)
    return {"before": before, "after": NOWHERE}


def _cross(pod: SimulatedPod, wish: Wish) -> None:
    if pod.design.plant is not Kind_of_plant.PAIRED:
        raise NotPossible("a cable of this design has one strand", remedy="Choose a paired design")
    cable = pod.plant.find(text_of(wish, "cable"))
    pod.plant.crossed[cable] ^= True
    pod.plant.changed()


def _is_straight(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:  # noqa: ARG001
    return not bool(pod.plant.crossed[pod.plant.find(text_of(wish, "cable"))])


def _set_whole(pod: SimulatedPod, wish: Wish, well: bool) -> None:
    pod.plant.broken[pod.plant.find(text_of(wish, "cable"))] = not well
    pod.plant.changed()


def _soil(pod: SimulatedPod, wish: Wish) -> Memo:
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    memo = {"glare": float(pod.plant.glare[port])}
    loss = number_of(wish, "loss_db", 2.5, 0, MOST_LOSS)
    thrown_back = number_of(wish, "reflection_db", -30.0, -MOST_LOSS, 0)
    pod.plant.dirt[port], pod.plant.glare[port] = loss, thrown_back
    pod.plant.changed()
    return memo


def _clean(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    pod.plant.dirt[port], pod.plant.glare[port] = 0.0, memo["glare"]
    pod.plant.changed()


def _any_dirt(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    where = any_cube_port(pod, random)
    loss, thrown = random.gamma(4.0, 0.6), random.normal(-30.0, 3.0)
    return {**where, "loss_db": round(float(loss), 2), "reflection_db": round(float(thrown), 1)}


CABLING = (
    Kind(
        "swapped",
        "two cables are exchanged",
        ("cable", "other"),
        _swap,
        _unswap,
        _two_cables,
        is_gone=_are_parted,
    ),
    Kind(
        "misplugged",
        "a cable is in another port",
        ("cable", "device", "port"),
        _misplug,
        _replug,
        _cable_and_free_port,
        is_gone=_is_elsewhere,
    ),
    Kind(
        "missing",
        "a cable hangs loose",
        ("cable",),
        _unplug,
        _replug,
        any_cable,
        is_gone=_is_elsewhere,
    ),
    Kind(
        "crossed",
        "a cable's strands are exchanged",
        ("cable",),
        _cross,
        lambda pod, wish, _: _cross(pod, wish),
        any_cable,
        is_gone=_is_straight,
    ),
    state("broken", "a cable is broken", ("cable",), _set_whole, any_cable),
    Kind(
        "dirty",
        "a connector is dirty",
        ("device", "port"),
        _soil,
        _clean,
        _any_dirt,
        may=("loss_db", "reflection_db"),
    ),
)
