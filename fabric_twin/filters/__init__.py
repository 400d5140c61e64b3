"""Filters of lists, the same for pages, REST and GraphQL; Nautobot looks for them here by name."""

from fabric_twin.filters.agreed_cable import AgreedCableFilterSet
from fabric_twin.filters.audit_run import AuditRunFilterSet
from fabric_twin.filters.block import BlockFilterSet
from fabric_twin.filters.cube import CubeFilterSet
from fabric_twin.filters.demand import DemandFilterSet
from fabric_twin.filters.finding import FindingFilterSet, FindingPlaceFilterSet
from fabric_twin.filters.multislice import MultisliceFilterSet, MultislicePartFilterSet
from fabric_twin.filters.optical_circuit import OpticalCircuitFilterSet
from fabric_twin.filters.pod import PodFilterSet
from fabric_twin.filters.port import PortFilterSet
from fabric_twin.filters.silence import SilenceFilterSet
from fabric_twin.filters.slice import SliceFilterSet, SlicePartFilterSet
from fabric_twin.filters.substitution import SubstitutionFilterSet
from fabric_twin.filters.switch import SwitchFilterSet
from fabric_twin.filters.ticket import (
    ReservationFilterSet,
    TicketEventFilterSet,
    TicketFilterSet,
    TicketStageFilterSet,
)
from fabric_twin.filters.work_order import (
    OrderEventFilterSet,
    OrderStepFilterSet,
    StepReportFilterSet,
    StockFilterSet,
    WorkOrderFilterSet,
)
from fabric_twin.filters.written_end import WrittenEndFilterSet

__all__ = [
    "AgreedCableFilterSet",
    "AuditRunFilterSet",
    "BlockFilterSet",
    "CubeFilterSet",
    "DemandFilterSet",
    "FindingFilterSet",
    "FindingPlaceFilterSet",
    "MultisliceFilterSet",
    "MultislicePartFilterSet",
    "OpticalCircuitFilterSet",
    "OrderEventFilterSet",
    "OrderStepFilterSet",
    "PodFilterSet",
    "PortFilterSet",
    "ReservationFilterSet",
    "SilenceFilterSet",
    "SliceFilterSet",
    "SlicePartFilterSet",
    "StepReportFilterSet",
    "StockFilterSet",
    "SubstitutionFilterSet",
    "SwitchFilterSet",
    "TicketEventFilterSet",
    "TicketFilterSet",
    "TicketStageFilterSet",
    "WorkOrderFilterSet",
    "WrittenEndFilterSet",
]
