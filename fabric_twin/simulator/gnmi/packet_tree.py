"""OpenConfig's tree of one group or packet switch: its ports, and whom each hears."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from fabric_twin.core.fabric.columns import Column
from fabric_twin.dialects import openconfig as oc
from fabric_twin.simulator.gnmi.openconfig_tree import OpenConfigTree, interface

_HEARD = (
    '{"name":"%s","neighbors":{"neighbor":[{"id":"1","state":{"id":"1","chassis-id":"%s",'
    '"chassis-id-type":"LOCAL","system-name":"%s","port-id":"%s","port-id-type":"INTERFACE_NAME"'
    "}}]}}"
)


class PacketTree(OpenConfigTree):
    """What one group or packet switch says of itself."""

    def _sections(self) -> Mapping[str, Callable[[], str]]:
        return {oc.INTERFACES: self._interfaces, oc.LLDP: self._lldp, **super()._sections()}

    @cached_property
    def _ports(self) -> Column:
        return self._pod.ports_of(self._name)

    @cached_property
    def _port_names(self) -> list[str]:
        return self._pod.points.names.ends(self._ports)[1]

    def _interfaces(self) -> str:
        up = self._pod.links()[0][self._ports].tolist()
        ports = zip(self._port_names, up, strict=True)
        return '{"interface":[' + ",".join(interface(name, is_up=up) for name, up in ports) + "]}"

    def _lldp(self) -> str:
        up, far = self._pod.links()
        local = np.flatnonzero(up[self._ports])
        ends = self._pod.points.names.ends(far[self._ports][local])
        rows = [
            _HEARD % (self._port_names[port], device, device, name)
            for port, device, name in zip(local.tolist(), *ends, strict=True)
        ]
        return '{"interfaces":{"interface":[' + ",".join(rows) + "]}}"
