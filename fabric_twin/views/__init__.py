"""Pages of records; Nautobot looks for them here by name."""

from fabric_twin.views.cube import CubeUIViewSet
from fabric_twin.views.light_path import CableLightPathView, InterfaceLightPathView
from fabric_twin.views.optical_circuit import OpticalCircuitUIViewSet
from fabric_twin.views.pod import PodUIViewSet
from fabric_twin.views.port import PortUIViewSet
from fabric_twin.views.slice import SliceUIViewSet
from fabric_twin.views.switch import SwitchUIViewSet

__all__ = [
    "CableLightPathView",
    "CubeUIViewSet",
    "InterfaceLightPathView",
    "OpticalCircuitUIViewSet",
    "PodUIViewSet",
    "PortUIViewSet",
    "SliceUIViewSet",
    "SwitchUIViewSet",
]
