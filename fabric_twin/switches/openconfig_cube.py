"""Cubes and blocks by OpenConfig over gNMI: links, neighbours, modules and light."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np

from fabric_twin.core.identity import Told
from fabric_twin.dialects import openconfig as oc
from fabric_twin.switches.conversation import Conversation, Refused, in_words
from fabric_twin.switches.cube_answer import (
    CubeAnswer,
    Instant,
    Lane,
    Listening,
    Module,
    Speed,
    cube_answer,
)
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.states import CubeState, Levels, Light, Neighbour, Rate, Transceiver
from fabric_twin.switches.whom import check_device, plain_text

ORIGIN = "openconfig"
_NAN = float("nan")
_NO_MODULE = Module()
_UNTOLD = Speed()
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
            answer = cube_answer(told)
            if answer.is_nothing:
                raise ValueError("it tells nothing")
            check_device(self.target, Told(plain_text(answer.hostname)))
            return cube_state(self.target.name, answer, told_at)

    def neighbours(self) -> CubeState:
        """Read only whom its ports hear."""
        with in_words(self._talk):
            answer, told_at = self._told_by_lldp()
            check_device(self.target, Told(plain_text(answer.hostname)))
            heard = _neighbours(answer.listening)
            none = np.zeros((0, 0))
            dark = Light(none[:, 0:0].reshape(0), none, none, none.reshape(0), none.reshape(0))
            up = np.zeros(0, dtype=np.bool_)
            return CubeState(self.target.name, (), up, heard, {}, dark, told_at=told_at)

    def _told_by_lldp(self) -> tuple[CubeAnswer, float]:
        """Whom its ports hear, and who it is, of one moment; some do not tell who they are."""
        if self.target.known:
            with suppress(Refused):
                told, told_at = self._talk.get(ORIGIN, [("lldp",), ("system",)])
                return cube_answer(told), told_at
        told, told_at = self._talk.get(ORIGIN, [("lldp",)])
        return cube_answer(told), told_at

    def close(self) -> None:
        """Hang up."""
        self._talk.close()


def cube_state(name: str, answer: CubeAnswer, told_at: float) -> CubeState:
    """What an answer says."""
    links = {
        link.name: link.state.oper == oc.UP
        for link in answer.interfaces
        if link.state.oper is not None
    }
    rates = {
        link.name: _rate(speed, is_up=links.get(link.name, False))
        for link in answer.interfaces
        if (speed := link.speed) != _UNTOLD
    }
    modules: dict[str, Module] = {}
    trays: dict[str, bool] = {}
    for part in answer.components:
        if module := part.module:
            modules[part.name] = module
        else:
            trays[part.name] = part.state.oper == oc.ACTIVE
    # Without components, optical ports are those that are no copper: a cube lists them first.
    ports = list(modules) or _optical(links)
    plugged = [modules.get(port, _NO_MODULE) for port in ports]
    return CubeState(
        name,
        ports,
        np.array([links.get(port, False) for port in ports], dtype=np.bool_),
        _neighbours(answer.listening),
        {
            port: Transceiver(plain_text(module.state.serial), plain_text(module.state.part))
            for port, module in zip(ports, plugged, strict=True)
            if module.state.serial is not None
        },
        _light(plugged),
        trays,
        frozenset(link for link in links.keys() - set(ports) if not links[link]),
        told_at,
        rates,
    )


def _rate(speed: Speed, *, is_up: bool) -> Rate:
    """What a port runs at, and what it could: without negotiation it runs at what it is set to."""
    runs, able = _gbps(speed.negotiated), _gbps(speed.port)
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


def _neighbours(listening: Iterable[Listening]) -> dict[str, Neighbour]:
    """Whom ports hear; where a port has strands, by strand."""
    heard: dict[str, Neighbour] = {}
    for local in listening:
        for one in local.neighbors.neighbor:
            state = one.state
            if state.system is None or state.port is None:
                continue
            port = plain_text(state.port)
            # The far port says whether cables here have strands of their own.
            at = f"{local.name}:{one.id}" if ":" in port and one.id is not None else local.name
            heard[at] = Neighbour(plain_text(state.system), port, plain_text(state.description))
    return heard


def _light(modules: Sequence[Module]) -> Light:
    lanes = [sorted(module.lanes.channel, key=_index) for module in modules]
    states = [module.state for module in modules]
    return Light(
        _levels(state.temperature for state in states),
        _even([[lane.state.output.instant for lane in row] for row in lanes]),
        _even([[lane.state.input.instant for lane in row] for row in lanes]),
        _levels(state.errors for state in states),
        _levels(state.reflection for state in states),
    )


def _index(lane: Lane) -> int:
    return lane.index


def _levels(told: Iterable[Instant]) -> Levels:
    return np.array([one.instant for one in told])


def _even(rows: Sequence[Sequence[float]]) -> Levels:
    """Rows of levels, dark where one has fewer lanes than others."""
    width = max(map(len, rows), default=0)
    dark = [_NAN] * width
    return np.array([[*row, *dark[len(row) :]] for row in rows]).reshape(len(rows), width)
