"""Faults of packet switches that take flow entries."""

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.simulator.faults.kinds import (
    Kind,
    Memo,
    Wish,
    any_packet_switch,
    state,
    text_of,
)
from fabric_twin.simulator.openflow.packet_switch import PacketSwitch
from fabric_twin.simulator.pod import SimulatedPod

#: How far the datapath id of a switch is from that of the one it replaces.
_ANOTHER = 1 << 40


def packet_switch_of(pod: SimulatedPod, wish: Wish) -> PacketSwitch:
    """The packet switch that a wish names as its device."""
    name = text_of(wish, "device")
    if name not in pod.packet_switches:
        raise UnusableInput(
            f"the {pod.points.names.noun} has no packet switch {name[:60]!r}",
            where="device",
            remedy="Name a packet switch of a cluster",
        )
    return pod.packet_switches[name]


def _restart(pod: SimulatedPod, wish: Wish) -> Memo:
    switch = packet_switch_of(pod, wish)
    if not switch.table.rows():
        raise NotPossible(
            "it has no flow entries to lose", where="device", remedy="Send it some first"
        )
    was = {"rows": switch.rows_as_json()}
    switch.restart()
    return was


def _bring_back(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:
    """Have the entries again that it had, unless somebody has sent it others."""
    switch = packet_switch_of(pod, wish)
    if switch.aside is not None:
        switch.aside = switch.aside or memo["rows"]
    elif not switch.table.rows():
        switch.put(memo["rows"])


def _has_some(pod: SimulatedPod, wish: Wish, memo: Memo) -> bool:  # noqa: ARG001
    """Whether somebody has sent it entries again."""
    return bool(packet_switch_of(pod, wish).table.rows())


def _fill(pod: SimulatedPod, wish: Wish, has_room: bool) -> None:
    packet_switch_of(pod, wish).table.is_full = not has_room


def _replace(pod: SimulatedPod, wish: Wish) -> None:
    switch = packet_switch_of(pod, wish)
    switch.aside = switch.rows_as_json()
    switch.restart()
    switch.datapath += _ANOTHER


def _put_back(pod: SimulatedPod, wish: Wish, memo: Memo) -> None:  # noqa: ARG001
    switch = packet_switch_of(pod, wish)
    switch.restart()
    switch.datapath -= _ANOTHER
    switch.put(switch.aside or ())
    switch.aside = None


FORWARDING = (
    Kind(
        "flows-lost",
        "a packet switch restarts, and comes back without flow entries",
        ("device",),
        _restart,
        _bring_back,
        any_packet_switch,
        is_gone=_has_some,
    ),
    state(
        "table-full",
        "a packet switch has no room for more flow entries",
        ("device",),
        _fill,
        any_packet_switch,
    ),
    Kind(
        "switch-replaced",
        "in the place of a packet switch stands another one, without flow entries",
        ("device",),
        _replace,
        _put_back,
        any_packet_switch,
    ),
)
