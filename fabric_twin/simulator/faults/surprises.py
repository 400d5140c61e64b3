"""What real switches do though nobody expects it.

They come back from a cold boot with other circuits, keep one that is gone, have no row for a board
that is pulled, answer at an address of another one, and tell what was while they save.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.dialects import sonic
from fabric_twin.simulator.configuration import Table, with_circuits
from fabric_twin.simulator.faults.kinds import (
    Kind,
    Memo,
    Random,
    Wish,
    any_switch,
    mirror_of,
    need_switches,
    number_of,
    switch_of,
    text_of,
)
from fabric_twin.simulator.faults.switching import any_board, any_two_switches, board_of
from fabric_twin.simulator.mirrors import pairs_of
from fabric_twin.simulator.pod import Manners, SimulatedPod


def _circuits(pod: SimulatedPod, switch: int) -> Table:
    return pod.configs[switch].get(sonic.CROSS_CONNECT, {})


def _boot(pod: SimulatedPod, switch: int, circuits: Table) -> Memo:
    """Restart with these circuits; what it was configured with is remembered."""
    if not pod.answering(switch):
        raise NotPossible("it has no power", where="device", remedy="Mend that first")
    was = {key: dict(row) for key, row in _circuits(pod, switch).items()}
    if was == circuits:
        raise NotPossible(
            "it would come back as it is", where="device", remedy="Change its circuits first"
        )
    pod.power(switch, on=False)
    pod.take(switch, with_circuits(pod.configs[switch], circuits))
    pod.power(switch, on=True)
    return {"was": was, "came": {key: dict(row) for key, row in circuits.items()}}


def _boot_empty(pod: SimulatedPod, wish: Wish) -> Memo:
    return _boot(pod, switch_of(pod, wish), {})


def _boot_old(pod: SimulatedPod, wish: Wish) -> Memo:
    switch = switch_of(pod, wish)
    return _boot(pod, switch, pod.before[switch].get(sonic.CROSS_CONNECT, {}))


def _bring_back(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    """Make the circuits again that it had; where somebody changed it since, as ports are free."""
    switch, was = switch_of(pod, wish), memo["was"]
    there = dict(_circuits(pod, switch))
    if there != memo["came"]:
        taken = {port for row in there.values() for port in row.values()}
        free = {key: row for key, row in was.items() if taken.isdisjoint(row.values())}
        was = {**there, **free}
    pod.take(switch, with_circuits(pod.configs[switch], was))
    pod.steer(switch)


def _is_back(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:
    """Whether somebody has made every circuit again."""
    return bool(memo["was"].keys() <= _circuits(pod, switch_of(pod, wish)).keys())


def _pair(pod: SimulatedPod, wish: Wish) -> tuple[int, int, int]:
    switch, a = mirror_of(pod, wish)
    _, b = mirror_of(pod, {**wish, "port": text_of(wish, "to")})
    if not a < pod.mirrors.radix <= b:
        raise UnusableInput(
            "a circuit joins an A port and a B port", where="to", remedy="Name 1A, and to 41B"
        )
    return switch, a, b


def _keep_stale(pod: SimulatedPod, wish: Wish) -> None:
    switch, a, b = _pair(pod, wish)
    pod.mirrors.stale[switch] = pairs_of([*pod.mirrors.stale[switch].tolist(), (a, b)])
    pod.steer(switch)


def _let_go(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    switch, a, b = _pair(pod, wish)
    left = [pair for pair in pod.mirrors.stale[switch].tolist() if tuple(pair) != (a, b)]
    pod.mirrors.stale[switch] = pairs_of(left)
    pod.steer(switch)


def _is_let_go(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:  # noqa: ARG001
    """Whether somebody has added the circuit and deleted it: then it is really gone."""
    switch, a, b = _pair(pod, wish)
    return [a, b] not in pod.mirrors.stale[switch].tolist()


def _any_stale(pod: SimulatedPod, random: Random) -> dict[str, Any]:
    """A port in use and another B port, or any two ports of a switch without circuits."""
    need_switches(pod)
    names, radix = pod.points.simplex_names, pod.mirrors.radix
    switch = int(random.integers(pod.points.switches))
    used = pod.mirrors.circuits[switch]
    a = int(random.choice(used[:, 0])) if len(used) else int(random.integers(radix))
    free = np.setdiff1d(np.arange(radix, 2 * radix), used[:, 1])
    if not free.size:
        raise NotPossible("every port of that switch is used", remedy="Choose another switch")
    device = pod.points.names.switches[switch]
    return {"device": device, "port": names[a], "to": names[int(random.choice(free))]}


def _pull(pod: SimulatedPod, wish: Wish) -> None:
    switch, board = board_of(pod, wish)
    if not pod.mirrors.boards[switch, board]:
        raise NotPossible("that board is out already", where="unit", remedy="Name another")
    pod.mirrors.boards[switch, board], pod.mirrors.pulled[switch, board] = False, True
    pod.unpower(switch, pod.mirrors.board_of == board)


def _push_in(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    switch, board = board_of(pod, wish)
    pod.mirrors.boards[switch, board], pod.mirrors.pulled[switch, board] = True, False
    pod.steer(switch)
    pod.mirrors.changed()


def _misdirect(pod: SimulatedPod, wish: Wish) -> None:
    one, other = (switch_of(pod, {"device": text_of(wish, key)}) for key in ("device", "other"))
    if one == other:
        raise NotPossible("a switch answers for itself", remedy="Name two switches")
    if (pod.answers[[one, other]] != [one, other]).any():
        raise NotPossible(
            "one of them does not answer at its own address", remedy="Mend that fault first"
        )
    pod.answers[one] = other


def _direct(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    switch = switch_of(pod, wish)
    pod.answers[switch] = switch


def _save_slowly(pod: SimulatedPod, wish: Wish) -> None:
    device = pod.points.names.switches[switch_of(pod, wish)]
    seconds = number_of(wish, "seconds", 3.0, 0, 3600)
    pod.manners[device] = replace(pod.manner(device), saves=seconds)


def _save_at_once(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    device = text_of(wish, "device")
    pod.manners[device] = replace(pod.manner(device), saves=0.0)
    if pod.manner(device) == Manners():
        del pod.manners[device]


SURPRISES = (
    Kind(
        "boots-empty",
        "a switch restarts, and comes back without circuits",
        ("device",),
        _boot_empty,
        _bring_back,
        any_switch,
        is_gone=_is_back,
    ),
    Kind(
        "boots-old",
        "a switch restarts, and comes back with the circuits before its last change",
        ("device",),
        _boot_old,
        _bring_back,
        any_switch,
        is_gone=_is_back,
    ),
    Kind(
        "stale-circuit",
        "a switch carries a circuit that nobody wants, beside others of its ports",
        ("device", "port", "to"),
        _keep_stale,
        _let_go,
        _any_stale,
        is_gone=_is_let_go,
    ),
    Kind(
        "board-pulled",
        "a driver board is pulled: its ports and its own row vanish",
        ("device", "unit"),
        _pull,
        _push_in,
        any_board,
    ),
    Kind(
        "answers-for-another",
        "at the address of a switch another one answers",
        ("device", "other"),
        _misdirect,
        _direct,
        any_two_switches,
    ),
    Kind(
        "saves-slowly",
        "a switch takes seconds to save a change, and until then reports its old configuration",
        ("device",),
        _save_slowly,
        _save_at_once,
        any_switch,
        may=("seconds",),
    ),
)
