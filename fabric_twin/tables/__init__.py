"""Lists of records as tables; Nautobot looks for them here by name."""

from fabric_twin.tables.cube import CubeTable
from fabric_twin.tables.optical_circuit import OpticalCircuitTable
from fabric_twin.tables.pod import PodTable
from fabric_twin.tables.port import PortTable
from fabric_twin.tables.slice import SlicePartTable, SliceTable
from fabric_twin.tables.switch import SwitchTable

__all__ = [
    "CubeTable",
    "OpticalCircuitTable",
    "PodTable",
    "PortTable",
    "SlicePartTable",
    "SliceTable",
    "SwitchTable",
]
