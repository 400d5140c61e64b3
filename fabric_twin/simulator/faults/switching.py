"""Faults of switches: mirrors, boards, power, fans; and devices that lie, or say nothing."""

from dataclasses import replace
from typing import Any

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.simulator.faults.kinds import (
    MOST_LOSS,
    Kind,
    Memo,
    Random,
    Wish,
    any_mirror,
    any_switch,
    mirror_of,
    need_switches,
    number_of,
    state,
    switch_of,
    text_of,
)
from fabric_twin.simulator.mirrors import FANS, FEEDS, Mask
from fabric_twin.simulator.pod import Manners, SimulatedPod

#: Seconds that a switch takes to come back.
REBOOT = 90.0


def _stick(pod: SimulatedPod, wish: Wish) -> None:
    pod.mirrors.stuck[mirror_of(pod, wish)] = True
    pod.mirrors.changed()


def _loosen(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    at = switch, _ = mirror_of(pod, wish)
    pod.mirrors.stuck[at] = False
    # It was told where to look, and did not get there: it is told again.
    if pod.mirrors.stands[at] != pod.mirrors.steered[at]:
        pod.mirrors.steered[at] = pod.mirrors.stands[at]
    pod.steer(switch)


def _wear(pod: SimulatedPod, wish: Wish) -> None:
    pod.mirrors.worn[mirror_of(pod, wish)] = number_of(wish, "loss_db", 3.0, 0, MOST_LOSS)
    pod.mirrors.changed()


def _align(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    pod.mirrors.worn[mirror_of(pod, wish)] = 0.0
    pod.mirrors.changed()


def _any_wear(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {**any_mirror(pod, random), "loss_db": round(float(random.uniform(1, 7)), 2)}


def _unit(pod: SimulatedPod, wish: Wish, many: int) -> tuple[int, int]:
    number = wish.get("unit", 1)
    if type(number) is not int or not 1 <= number <= many:
        raise UnusableInput(
            f"it is {number!r:.20}", where="unit", remedy=f"Name one from 1 to {many}"
        )
    return switch_of(pod, wish), number - 1


def board_of(pod: SimulatedPod, wish: Wish) -> tuple[int, int]:
    """The switch and the driver board that a wish names."""
    return _unit(pod, wish, BOARDS)


def _set_board(pod: SimulatedPod, wish: Wish, well: bool) -> None:
    at = switch, board = board_of(pod, wish)
    if pod.mirrors.pulled[at]:
        raise NotPossible("that board is pulled", where="unit", remedy="Name another")
    pod.mirrors.boards[at] = well
    if well:
        pod.steer(switch)
    else:
        pod.unpower(switch, pod.mirrors.board_of == board)


def _set_unit(pod: SimulatedPod, wish: Wish, units: Mask, well: bool) -> None:
    at = switch, _ = _unit(pod, wish, units.shape[1])
    ran = pod.answering(switch)
    units[at] = well
    if ran and not pod.answering(switch):
        pod.unpower(switch, pod.mirrors.board_of >= 0)
    pod.mirrors.changed()
    if well and pod.answering(switch):
        pod.steer(switch)


def _any_unit(many: int) -> Any:
    def anywhere(pod: SimulatedPod, random: Random) -> dict[str, Any]:
        return {**any_switch(pod, random), "unit": int(random.integers(many)) + 1}

    return anywhere


any_board = _any_unit(BOARDS)


def _set_power(pod: SimulatedPod, wish: Wish, on: bool) -> None:
    pod.power(switch_of(pod, wish), on=on)


def _exchange(pod: SimulatedPod, wish: Wish, _well: bool) -> None:
    one, other = (switch_of(pod, {"device": text_of(wish, key)}) for key in ("device", "other"))
    if one == other:
        raise NotPossible("a switch is not exchanged with itself", remedy="Name two switches")
    if set(pod.answers[[one, other]].tolist()) != {one, other}:
        raise NotPossible("another one answers for one of them", remedy="Mend that fault first")
    pod.answers[[one, other]] = pod.answers[[other, one]]


def any_two_switches(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """Two switches of a pod."""
    need_switches(pod)
    one, other = random.choice(pod.points.switches, 2, replace=False).tolist()
    names = pod.points.names.switches
    return {"device": names[one], "other": names[other]}


def _behave(pod: SimulatedPod, wish: Wish, **manner: Any) -> None:
    device, names = text_of(wish, "device"), pod.points.names
    if device not in pod.devices:
        raise UnusableInput(
            f"the {names.noun} has no device {device[:60]!r}",
            where="device",
            remedy=f"Name a switch or {names.part}",
        )
    pod.manners[device] = replace(pod.manner(device), **manner)


def _again(pod: SimulatedPod, wish: Wish, **manner: Any) -> None:
    device = text_of(wish, "device")
    _behave(pod, wish, **manner)
    if pod.manner(device) == Manners():
        del pod.manners[device]
    for key in [key for key in pod.frozen if key[0] == device]:
        del pod.frozen[key]
    number = pod.points.switch_numbers.get(device)
    if "idle" in manner and number is not None:
        pod.steer(int(pod.answers[number]))


def _manner(name: str, words: str, flag: str, anywhere: Any = any_switch) -> Kind:
    def put(pod: SimulatedPod, wish: Wish, well: bool) -> None:
        (_again if well else _behave)(pod, wish, **{flag: not well})

    return state(name, words, ("device",), put, anywhere)


def _any_device(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {"device": str(random.choice(sorted(pod.devices)))}


def _cube(pod: SimulatedPod, wish: Wish) -> str:
    device = text_of(wish, "device")
    if device in pod.points.switch_numbers:
        raise UnusableInput(
            f"{device} is a switch, and has no modules",
            where="device",
            remedy=f"Name a {pod.points.names.part}",
        )
    return device


def _any_cube(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    return {"device": str(random.choice(sorted(pod.devices - pod.points.switch_numbers.keys())))}


SWITCHING = (
    Kind("stuck-mirror", "a mirror does not move", ("device", "port"), _stick, _loosen, any_mirror),
    Kind(
        "lossy-mirror",
        "a mirror loses light",
        ("device", "port"),
        _wear,
        _align,
        _any_wear,
        may=("loss_db",),
    ),
    state(
        "board-out",
        "a driver board is out: its mirrors lose their state",
        ("device", "unit"),
        _set_board,
        any_board,
    ),
    state(
        "feed-lost",
        "a power feed is lost",
        ("device", "unit"),
        lambda pod, wish, well: _set_unit(pod, wish, pod.mirrors.feeds, well),
        _any_unit(FEEDS),
    ),
    state(
        "fan-lost",
        "a fan is lost",
        ("device", "unit"),
        lambda pod, wish, well: _set_unit(pod, wish, pod.mirrors.fans, well),
        _any_unit(FANS),
    ),
    state("switch-down", "a switch has no power", ("device",), _set_power, any_switch),
    state(
        "switch-rebooting",
        "a switch restarts, and its configured circuits come back",
        ("device",),
        _set_power,
        any_switch,
    ),
    state(
        "addresses-exchanged",
        "two switches answer at each other's address",
        ("device", "other"),
        _exchange,
        any_two_switches,
    ),
    _manner("ignores-changes", "a switch acknowledges a change and leaves it", "ignores"),
    _manner("idle-mirrors", "a switch takes a change and moves no mirror", "idle"),
    _manner("halves-changes", "a switch makes every other circuit of a change", "halves"),
    _manner("loses-answers", "a switch makes a change, and its answer is lost", "loses"),
    _manner("silent", "a device does not answer", "silent", _any_device),
    _manner("stale", "a device sends data that is too old", "stale", _any_device),
    Kind(
        "absent",
        "a cube or a block reports no modules",
        ("device",),
        lambda pod, wish: _behave(pod, {"device": _cube(pod, wish)}, absent=True),
        lambda pod, wish, _: _again(pod, wish, absent=False),
        _any_cube,
    ),
    Kind(
        "answers-late",
        "a device answers late",
        ("device",),
        lambda pod, wish: _behave(pod, wish, late=number_of(wish, "seconds", 2.0, 0, 3600)),
        lambda pod, wish, _: _again(pod, wish, late=0.0),
        _any_device,
        may=("seconds",),
    ),
)
