"""Faults of modules, trays, cubes and the copper inside them."""

from typing import Any

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
from fabric_twin.simulator.parts import FOREIGN, OWN, copper_links
from fabric_twin.simulator.pod import SimulatedPod

WRONG_PART = "OSFP 4x 20 nm"


def _module(pod: SimulatedPod, wish: Wish) -> int:
    port = pod.points.find_port(text_of(wish, "device"), text_of(wish, "port"))
    if port >= pod.design.layout.cube_ports:
        raise UnusableInput("only cubes have modules", where="port", remedy="Name a cube's port")
    return port


def _wrong_part(pod: SimulatedPod, wish: Wish) -> Memo:
    port = _module(pod, wish)
    memo = {"part": pod.parts.parts[port], "serial": pod.parts.serials[port]}
    pod.parts.parts[port], pod.parts.grid[port] = WRONG_PART, FOREIGN
    pod.parts.serials[port] = f"X{memo['serial']}"
    pod.parts.changed()
    return memo


def _right_part(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    port = _module(pod, wish)
    pod.parts.parts[port], pod.parts.serials[port] = memo["part"], memo["serial"]
    pod.parts.grid[port] = OWN
    pod.parts.changed()


def _wrong_serial(pod: SimulatedPod, wish: Wish) -> Memo:
    port = _module(pod, wish)
    memo = {"serial": pod.parts.serials[port]}
    pod.parts.serials[port] = f"R{memo['serial']}"
    pod.parts.changed()
    return memo


def _right_serial(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    pod.parts.serials[_module(pod, wish)] = memo["serial"]
    pod.parts.changed()


def _fade(pod: SimulatedPod, wish: Wish) -> None:
    port = _module(pod, wish)
    loss, degrees = number_of(wish, "loss_db", 5.0, 0, MOST_LOSS), number_of(wish, "degrees", 14.0)
    pod.parts.faded[port], pod.parts.warm[port] = loss, degrees
    pod.parts.changed()


def _revive(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    port = _module(pod, wish)
    pod.parts.faded[port] = pod.parts.warm[port] = 0.0
    pod.parts.changed()


def _any_fading(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {**any_cube_port(pod, random), "loss_db": round(float(random.uniform(2, 8)), 2)}


def _tray(pod: SimulatedPod, wish: Wish) -> int:
    name, layout = text_of(wish, "device"), pod.design.layout
    trays = layout.slots * layout.cube.trays
    try:
        return pod.points.names.devices.index(name, 0, trays)
    except ValueError:
        raise UnusableInput(
            f"the pod has no tray {name[:60]!r}", where="device", remedy="Name a tray"
        ) from None


def _set_tray(pod: SimulatedPod, wish: Wish, runs: bool) -> None:
    pod.parts.trays[_tray(pod, wish)] = runs
    pod.parts.changed()


def _any_tray(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    slot, trays = int(random.choice(pod.intended.slots)), pod.design.layout.cube.trays
    number = (slot - 1) * trays + int(random.integers(trays))
    return {"device": pod.points.names.device(number)}


def _cube(pod: SimulatedPod, wish: Wish) -> int:
    name = text_of(wish, "device")
    if name not in pod.cubes:
        raise UnusableInput(
            f"the pod has no cube {name[:60]!r}", where="device", remedy="Name a cube"
        )
    return pod.cubes[name] - 1


def _set_cube(pod: SimulatedPod, wish: Wish, runs: bool) -> None:
    pod.parts.cubes[_cube(pod, wish)] = runs
    pod.parts.changed()


def _any_cube(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {"device": str(random.choice(sorted(pod.cubes)))}


def _set_copper(pod: SimulatedPod, wish: Wish, up: bool) -> None:
    links, link = copper_links(pod.design.layout), text_of(wish, "link")
    if link not in links:
        raise UnusableInput(
            f"a cube has no copper link {link[:40]!r}",
            where="link",
            remedy=f"Name one like {links[0]}",
        )
    pod.parts.copper[_cube(pod, wish), links.index(link)] = up
    pod.parts.changed()


def _any_copper(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {**_any_cube(pod, random), "link": str(random.choice(copper_links(pod.design.layout)))}


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
    state("tray-down", "a tray does not run", ("device",), _set_tray, _any_tray),
    state("cube-down", "a cube has no power", ("device",), _set_cube, _any_cube),
    state(
        "copper-down",
        "a copper link inside a cube is down",
        ("device", "link"),
        _set_copper,
        _any_copper,
    ),
)
