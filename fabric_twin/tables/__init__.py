"""Lists of records as tables; Nautobot looks for them here by name."""

from fabric_twin.tables.audit_run import AuditRunTable
from fabric_twin.tables.block import BlockTable
from fabric_twin.tables.cube import CubeTable
from fabric_twin.tables.demand import DemandTable
from fabric_twin.tables.finding import FindingPlaceTable, FindingTable
from fabric_twin.tables.multislice import MultisliceTable
from fabric_twin.tables.optical_circuit import OpticalCircuitTable
from fabric_twin.tables.pod import PodTable
from fabric_twin.tables.port import PortTable
from fabric_twin.tables.silence import SilenceTable
from fabric_twin.tables.slice import SlicePartTable, SliceTable
from fabric_twin.tables.substitution import SubstitutionTable
from fabric_twin.tables.switch import SwitchTable
from fabric_twin.tables.ticket import TicketTable
from fabric_twin.tables.work_order import StockTable, WorkOrderTable

__all__ = [
    "AuditRunTable",
    "BlockTable",
    "CubeTable",
    "DemandTable",
    "FindingPlaceTable",
    "FindingTable",
    "MultisliceTable",
    "OpticalCircuitTable",
    "PodTable",
    "PortTable",
    "SilenceTable",
    "SlicePartTable",
    "SliceTable",
    "StockTable",
    "SubstitutionTable",
    "SwitchTable",
    "TicketTable",
    "WorkOrderTable",
]
