"""Cubes and blocks by OpenConfig over gNMI: links, neighbours, modules and light."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from fabric_twin.core.identity import Told
from fabric_twin.dialects import openconfig as oc
from fabric_twin.switches.conversation import Conversation, Refused, in_words
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.openconfig_tree import tree_of
from fabric_twin.switches.states import CubeState, Levels, Light, Neighbour, Rate, Transceiver
from fabric_twin.switches.whom import check_device, plain_text

ORIGIN = "openconfig"
Node = Mapping[str, Any]
_NOTHING: Node = {}
_NAN = float("nan")
_SPEED = re.compile(r"(?:[a-z-]+:)?SPEED_(\d{1,6})([MG])B", re.ASCII)
_OF_CHIP = re.compile(r"\d+(\.\d+)*/[XYZ][+-](/\d+)?", re.ASCII)


class OpenConfigCube:
    """A conversation with one cube or block."""

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        self._talk = Conversation(target, access, patience)

    @property
    def target(self) -> Target:
        """Whom it speaks to."""
        return self._talk.target

    def capabilities(self) -> Capabilities:
        """What the cube can do."""
        with in_words(self._talk):
            return self._talk.capabilities()

    def read(self) -> CubeState:
        """Read everything: one subtree."""
        with in_words(self._talk):
            told, told_at = self._talk.get(ORIGIN, [()])
            tree = tree_of(told)
            if not tree:
                raise ValueError("it tells nothing")
            check_device(self.target, _told(_child(tree, oc.SYSTEM)))
            return cube_state(self.target.name, tree, told_at)

    def neighbours(self) -> CubeState:
        """Read only whom its ports hear."""
        with in_words(self._talk):
            tree, told_at = self._told_by_lldp()
            check_device(self.target, _told(_child(tree, oc.SYSTEM)))
            heard = _neighbours(_child(tree, oc.LLDP))
            none = np.zeros((0, 0))
            dark = Light(none[:, 0:0].reshape(0), none, none, none.reshape(0), none.reshape(0))
            up = np.zeros(0, dtype=np.bool_)
            return CubeState(self.target.name, (), up, heard, {}, dark, told_at=told_at)

    def _told_by_lldp(self) -> tuple[Node, float]:
        """Whom its ports hear, and who it is, of one moment; some do not tell who they are."""
        if self.target.known:
            with suppress(Refused):
                told, told_at = self._talk.get(ORIGIN, [("lldp",), ("system",)])
                return tree_of(told), told_at
        told, told_at = self._talk.get(ORIGIN, [("lldp",)])
        return tree_of(told), told_at

    def close(self) -> None:
        """Hang up."""
        self._talk.close()


def _child(node: Node, name: str) -> Any:
    """A node below, whether its name tells its module or not."""
    return node.get(name) or node.get(name.rpartition(":")[2]) or _NOTHING


def _told(system: Node) -> Told:
    """Who a cube says that it is."""
    return Told(plain_text(_child(system, "state").get("hostname")))


def cube_state(name: str, tree: Node, told_at: float) -> CubeState:
    components = _child(_child(tree, oc.COMPONENTS), "component") or ()
    links = {
        row["name"]: row["state"]["oper-status"] == oc.UP
        for row in _child(_child(tree, oc.INTERFACES), "interface") or ()
        if "oper-status" in _child(row, "state")
    }
    rates = {
        row["name"]: _rate(speed, is_up=links.get(row["name"], False))
        for row in _child(_child(tree, oc.INTERFACES), "interface") or ()
        if (speed := _child(_child(row, oc.ETHERNET), "state"))
    }
    modules: dict[str, Node] = {}
    trays: dict[str, bool] = {}
    for row in components:
        module = row.get(oc.TRANSCEIVER, row.get("transceiver"))
        if module is None:
            trays[row["name"]] = _child(row, "state").get("oper-status") == oc.ACTIVE
        else:
            modules[row["name"]] = module
    neighbours = _neighbours(_child(tree, oc.LLDP))
    # Without components, optical ports are those that are no copper: a cube lists them first.
    ports = list(modules) or _optical(links)
    states = [_child(modules.get(port, _NOTHING), "state") for port in ports]
    return CubeState(
        name,
        ports,
        np.array([links.get(port, False) for port in ports], dtype=np.bool_),
        neighbours,
        {
            port: Transceiver(plain_text(state["serial-no"]), plain_text(state.get("vendor-part")))
            for port, state in zip(ports, states, strict=True)
            if "serial-no" in state
        },
        _light([modules.get(port, _NOTHING) for port in ports], states),
        trays,
        frozenset(link for link in links.keys() - set(ports) if not links[link]),
        told_at,
        rates,
    )


def _rate(speed: Node, *, is_up: bool) -> Rate:
    """What a port runs at, and what it could: without negotiation it runs at what it is set to."""
    runs, able = (_gbps(speed.get(n)) for n in ("negotiated-port-speed", "port-speed"))
    return Rate(able if is_up and runs != runs else runs, able)  # noqa: PLR0124 - NaN


def _gbps(speed: object) -> float:
    """A speed by its name, `SPEED_400GB`, whether that tells its module or not."""
    named = _SPEED.fullmatch(str(speed))
    return int(named[1]) / (1000 if named[2] == "M" else 1) if named else _NAN


def _optical(links: Mapping[str, bool]) -> list[str]:
    """Links that leave the cube: those whose chip is the last one on their way.

    Where links are not named by chips, as those of a block, all do.
    """
    if not all(map(_OF_CHIP.fullmatch, links)):
        return list(links)
    sides = [max(int(at) for at in column) for column in zip(*map(_chip, links), strict=True)]

    def leaves(link: str) -> bool:
        axis = "XYZ".index(link.partition("/")[2][0])
        at, plus = int(_chip(link)[axis]), link.partition("/")[2][1] == "+"
        return at == (sides[axis] if plus else 1)

    return [link for link in links if leaves(link)]


def _chip(link: str) -> list[str]:
    return link.partition("/")[0].split(".")


def _neighbours(tree: Node) -> dict[str, Neighbour]:
    """Whom ports hear; where a port has strands, by strand."""
    heard: dict[str, Neighbour] = {}
    for row in _child(_child(tree, "interfaces"), "interface") or ():
        for entry in row.get("neighbors", _NOTHING).get("neighbor", ()):
            state = _child(entry, "state")
            if not ("system-name" in state and "port-id" in state):
                continue
            port = plain_text(state["port-id"])
            # The far port says whether cables here have strands of their own.
            local = f"{row['name']}:{entry['id']}" if ":" in port else row["name"]
            heard[local] = Neighbour(
                plain_text(state["system-name"]), port, plain_text(state.get("port-description"))
            )
    return heard


def _light(modules: Sequence[Node], states: Sequence[Node]) -> Light:
    lanes = [[_child(channel, "state") for channel in _channels(module)] for module in modules]
    return Light(
        _column(states, "temperature"),
        _rows(lanes, "output-power"),
        _rows(lanes, "input-power"),
        _column(states, "pre-fec-ber"),
        _column(states, oc.REFLECTION),
    )


def _channels(module: Node) -> Sequence[Node]:
    """The lanes of a module, in their own order: an answer's is the server's."""
    channels = module.get("physical-channels", _NOTHING).get("channel", ())
    return sorted(channels, key=lambda channel: int(channel["index"]))


def _column(states: Sequence[Node], name: str) -> Levels:
    return np.array([_instant(state, name) for state in states])


def _instant(state: Node, name: str) -> float:
    told = state.get(name)
    return float(told.get("instant", _NAN)) if told else _NAN


def _rows(lanes: Sequence[Sequence[Node]], name: str) -> Levels:
    width = max(map(len, lanes), default=0)
    dark = [_NAN] * width
    return np.array(
        [[_instant(lane, name) for lane in row] + dark[len(row) :] for row in lanes]
    ).reshape(len(lanes), width)
