"""OpenConfig's tree of one cube or block, as text: telemetry is read every night, and in one go.

Text is made port by port from a few patterns, because values change and names do not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from math import isnan
from typing import Any

import numpy as np

from fabric_twin.core.fabric.columns import Column
from fabric_twin.dialects import openconfig as oc
from fabric_twin.simulator.gnmi.openconfig_tree import OpenConfigTree, interface
from fabric_twin.simulator.optics import DARKNESS, Light
from fabric_twin.simulator.parts import LANES
from fabric_twin.simulator.pod import SimulatedPod

_SPEEDS = ',"' + oc.ETHERNET + '":{"state":{"port-speed":"%s","negotiated-port-speed":"%s"}}'
_HEARD = '{"id":"%d","state":{"id":"%d","system-name":"%s","port-id":"%s","port-description":"%s"}}'
_CHANNEL = (
    '{"index":%d,"state":{"index":%d,"output-power":{"instant":"%%.2f"},'
    '"input-power":{"instant":"%%.2f"}}}'
)
_CHANNELS = ",".join(_CHANNEL % (lane, lane) for lane in range(LANES))
_MODULE = (
    '{"name":"%s","' + oc.TRANSCEIVER + '":{"state":{"present":"PRESENT","serial-no":"%s",'
    '"vendor-part":"%s","temperature":{"instant":"%.1f"},"pre-fec-ber":{"instant":"%.3e"},"'
    + oc.REFLECTION
    + '":{"instant":"%.1f"}},"physical-channels":{"channel":['
    + _CHANNELS
    + "]}}}"
)
_SILENT = '{"name":"%s","' + oc.TRANSCEIVER + '":{"state":{}}}'
_TRAY = '{"name":"%s","state":{"name":"%s","oper-status":"%s"}}'


class CubeTree(OpenConfigTree):
    """What one cube or block says of itself."""

    def __init__(self, pod: SimulatedPod, name: str) -> None:
        super().__init__(pod, name)
        self._slots = pod.cubes[name]

    @cached_property
    def _ports(self) -> slice:
        each = self._pod.design.layout.ports_per_cube
        return slice((self._slots.start - 1) * each, (self._slots.stop - 1) * each)

    def _sections(self) -> Mapping[str, Callable[[], str]]:
        return {
            oc.INTERFACES: self._interfaces,
            oc.LLDP: self._lldp,
            oc.COMPONENTS: self._components,
            **super()._sections(),
        }

    @cached_property
    def _port_names(self) -> Sequence[str]:
        return self._pod.points.names.told_ports[: self._ports.stop - self._ports.start]

    def _interfaces(self) -> str:
        pod, cube = self._pod, self._slots.start - 1
        up = pod.light().up[self._ports].tolist()
        ports = zip(self._port_names, up, self._speeds(), strict=True)
        inside = pod.design.layout.cube.copper_links
        copper = zip(inside, pod.parts.copper[cube].tolist(), repeat(""), strict=False)
        rows = [
            interface(name, speeds, is_up=up)
            for links in (ports, copper)
            for name, up, speeds in links
        ]
        return '{"interface":[' + ",".join(rows) + "]}"

    def _speeds(self) -> list[str]:
        """What each port can do, and what its link does; a cube does not say."""
        able = self._pod.rates[self._ports].tolist()
        if all(map(isnan, able)):
            return [""] * len(able)
        runs = self._pod.runs_at()[self._ports].tolist()
        return [_SPEEDS % tuple(map(_speed, pair)) for pair in zip(able, runs, strict=True)]

    def _lldp(self) -> str:
        points, light = self._pod.points, self._pod.light()
        first, each = self._ports.start * points.strands, points.strands
        mine = slice(first, self._ports.stop * each)
        heard: dict[int, list[str]] = {}
        local = np.flatnonzero(light.heard[mine])
        neighbours = self._neighbours(light.far[mine][local])
        for strand, neighbour in zip(local.tolist(), neighbours, strict=True):
            number = strand % each + 1
            heard.setdefault(strand // each, []).append(_HEARD % (number, number, *neighbour))
        rows = [
            f'{{"name":"{self._port_names[port]}","neighbors":{{"neighbor":[{",".join(found)}]}}}}'
            for port, found in heard.items()
        ]
        return '{"interfaces":{"interface":[' + ",".join(rows) + "]}}"

    def _neighbours(self, far: Column) -> Iterator[tuple[str, str, str]]:
        """Tray or block, port and transceiver of strands far away."""
        each, serials = self._pod.points.strands, self._pod.parts.serials
        ports = far // each
        rows = zip(far.tolist(), *self._pod.points.names.ends(ports), strict=True)
        for strand, device, port in rows:
            called = port if each == 1 else f"{port}:{strand % each + 1}"
            yield device, called, serials[strand // each]

    def _components(self) -> str:
        pod, mine = self._pod, self._ports
        light, parts, trays = pod.light(), pod.parts, pod.design.layout.cube.trays
        cube = self._slots.start - 1
        first = cube * trays
        rows = [
            _TRAY % (name, name, oc.ACTIVE if runs else oc.DISABLED)
            for name, runs in zip(
                pod.points.names.devices[first : first + trays],
                (parts.trays[first : first + trays] & parts.cubes[cube]).tolist(),
                strict=True,
            )
            if name != self._name  # a block is one device, without trays
        ]
        if pod.manner(self._name).absent:
            return '{"component":[' + ",".join(rows) + "]}"
        columns = zip(
            self._port_names,
            parts.serials[mine],
            parts.parts[mine],
            _levels(light, mine).tolist(),
            parts.running[mine].tolist(),
            strict=True,
        )
        rows += [
            _MODULE % (name, serial, part, *levels) if runs else _SILENT % name
            for name, serial, part, levels, runs in columns
        ]
        return '{"component":[' + ",".join(rows) + "]}"


def _speed(gbps: float) -> str:
    return oc.SPEEDS.get(gbps, oc.SPEED_UNKNOWN)


def _levels(light: Light, mine: slice) -> Any:
    """Temperature, errors, reflection, and both powers of each lane, a row a port."""
    powers = np.stack([light.transmitted[mine], light.received[mine]], axis=2)
    single = np.column_stack([light.temperature[mine], light.ber[mine], light.reflection[mine]])
    rows = np.concatenate([single, powers.reshape(len(single), -1)], axis=1)
    return np.nan_to_num(rows, nan=DARKNESS)
