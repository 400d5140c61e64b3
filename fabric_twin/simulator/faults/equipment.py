"""Faults of modules, trays, cubes and the copper inside them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from fabric_twin.core.errors import UnusableInput
from fabric_twin.simulator.faults.kinds import (
    MOST_LOSS,
    Kind,
    Memo,
    Random,
    Wish,
    any_cube_port,
    number_of,
    state,
    text_of,
)
from fabric_twin.simulator.parts import FOREIGN, OWN
from fabric_twin.simulator.pod import SimulatedPod

WRONG_PART = "OSFP 4x 20 nm"


def _module(pod: SimulatedPod, wish: Wish) -> list[int]:
    """The ports of a module."""
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    part = pod.points.names.part
    if port >= pod.design.layout.cube_ports:
        raise UnusableInput(
            f"only {part}s have modules", where="port", remedy=f"Name a {part}'s port"
        )
    return pod.parts.of_module(port)


def _wrong_part(pod: SimulatedPod, wish: Wish) -> Memo:
    memo = _serial(pod, wish) | {"part": pod.parts.parts[_module(pod, wish)[0]]}
    _put(pod, wish, f"X{memo['serial']}", WRONG_PART, FOREIGN)
    return memo


def _right_part(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    _put(pod, wish, memo["serial"], memo["part"], OWN)


def _put(pod: SimulatedPod, wish: Wish, serial: str, part: str, grid: int) -> None:
    """Have another module."""
    ports = _module(pod, wish)
    for port in ports:
        pod.parts.parts[port] = part
    pod.parts.grid[ports] = grid
    _mark(pod, wish, serial)


def _mark(pod: SimulatedPod, wish: Wish, serial: str) -> None:
    for port in _module(pod, wish):
        pod.parts.serials[port] = serial
    pod.parts.changed()


def _serial(pod: SimulatedPod, wish: Wish) -> Memo:
    return {"serial": pod.parts.serials[_module(pod, wish)[0]]}


def _wrong_serial(pod: SimulatedPod, wish: Wish) -> Memo:
    memo = _serial(pod, wish)
    _mark(pod, wish, f"R{memo['serial']}")
    return memo


def _right_serial(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    _mark(pod, wish, memo["serial"])


def _fade(pod: SimulatedPod, wish: Wish) -> None:
    ports = _module(pod, wish)
    loss, degrees = number_of(wish, "loss_db", 5.0, 0, MOST_LOSS), number_of(wish, "degrees", 14.0)
    pod.parts.faded[ports], pod.parts.warm[ports] = loss, degrees
    pod.parts.changed()


def _revive(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    ports = _module(pod, wish)
    pod.parts.faded[ports] = pod.parts.warm[ports] = 0.0
    pod.parts.changed()


def _any_fading(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {**any_cube_port(pod, random), "loss_db": round(float(random.uniform(2, 8)), 2)}


def _tray(pod: SimulatedPod, wish: Wish) -> int:
    name, layout = text_of(wish, "device"), pod.design.layout
    if pod.points.names.part != "cube":
        raise _none_inside(pod)
    trays = layout.slots * layout.cube.trays
    try:
        return pod.points.names.devices.index(name, 0, trays)
    except ValueError:
        raise UnusableInput(
            f"the pod has no tray {name[:60]!r}", where="device", remedy="Name a tray"
        ) from None


def _none_inside(pod: SimulatedPod) -> UnusableInput:
    """A refusal of what only cubes have."""
    part = pod.points.names.part
    return UnusableInput(
        f"a {part} has no trays and no copper links",
        where="fault",
        remedy=f"Break the {part} (cube-down), its modules or its cables",
    )


def _set_tray(pod: SimulatedPod, wish: Wish, runs: bool) -> None:
    pod.parts.trays[_tray(pod, wish)] = runs
    pod.parts.changed()


def _any_tray(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    if pod.points.names.part != "cube":
        raise _none_inside(pod)
    slot, trays = int(random.choice(pod.intended.slots)), pod.design.layout.cube.trays
    number = (slot - 1) * trays + int(random.integers(trays))
    return {"device": pod.points.names.device(number)}


def _cube(pod: SimulatedPod, wish: Wish) -> range:
    """The slots of a cube or a block, counted from 0."""
    name, names = text_of(wish, "device"), pod.points.names
    if name not in pod.cubes:
        raise UnusableInput(
            f"the {names.noun} has no {names.part} {name[:60]!r}",
            where="device",
            remedy=f"Name a {names.part}",
        )
    slots = pod.cubes[name]
    return range(slots.start - 1, slots.stop - 1)


def _set_cube(pod: SimulatedPod, wish: Wish, runs: bool) -> None:
    pod.parts.cubes[_cube(pod, wish)] = runs
    pod.parts.changed()
    if switch := pod.packet_switches.get(text_of(wish, "device")):
        switch.restart()


def _any_cube(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {"device": str(random.choice(sorted(pod.cubes)))}


def _set_copper(pod: SimulatedPod, wish: Wish, up: bool) -> None:
    links, link = _copper_links(pod), text_of(wish, "link")
    if link not in links:
        raise UnusableInput(
            f"a cube has no copper link {link[:40]!r}",
            where="link",
            remedy=f"Name one like {links[0]}",
        )
    pod.parts.copper[_cube(pod, wish), links.index(link)] = up
    pod.parts.changed()


def _copper_links(pod: SimulatedPod) -> Sequence[str]:
    links = pod.design.layout.cube.copper_links
    if not links:
        raise _none_inside(pod)
    return links


def _any_copper(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {**_any_cube(pod, random), "link": str(random.choice(_copper_links(pod)))}


def _slow(pod: SimulatedPod, wish: Wish) -> None:
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    if port >= len(pod.rates) or np.isnan(pod.rates[port]):
        raise _untold()
    pod.parts.slowed[port] = number_of(wish, "gbps", 100.0, 0, 1e6)
    pod.parts.changed()


def _untold() -> UnusableInput:
    return UnusableInput(
        "only strands of blocks tell their rate", where="fault", remedy="Slow a strand of a block"
    )


def _hurry(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    pod.parts.slowed[port] = np.inf
    pod.parts.changed()


def _any_told(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    if np.isnan(pod.rates).all():
        raise _untold()
    return any_cube_port(pod, random)


EQUIPMENT = (
    Kind(
        "wrong-transceiver",
        "a module of another grid",
        ("device", "port"),
        _wrong_part,
        _right_part,
        any_cube_port,
    ),
    Kind(
        "dying-transceiver",
        "a module that grows dim and warm",
        ("device", "port"),
        _fade,
        _revive,
        _any_fading,
        may=("loss_db", "degrees"),
    ),
    Kind(
        "wrong-serial",
        "a module that is not the recorded one",
        ("device", "port"),
        _wrong_serial,
        _right_serial,
        any_cube_port,
    ),
    Kind(
        "slow",
        "a strand of a block runs at a lower rate",
        ("device", "port"),
        _slow,
        _hurry,
        _any_told,
        may=("gbps",),
    ),
    state("tray-down", "a tray does not run", ("device",), _set_tray, _any_tray),
    state(
        "cube-down",
        "a cube, a block, a group or a packet switch has no power",
        ("device",),
        _set_cube,
        _any_cube,
    ),
    state(
        "copper-down",
        "a copper link inside a cube is down",
        ("device", "link"),
        _set_copper,
        _any_copper,
    ),
)
