"""Pages of records; Nautobot looks for them here by name."""

from fabric_twin.views.audit_run import AuditRunUIViewSet
from fabric_twin.views.cube import CubeUIViewSet
from fabric_twin.views.finding import FindingUIViewSet
from fabric_twin.views.networks.block import BlockUIViewSet
from fabric_twin.views.networks.demand import DemandUIViewSet
from fabric_twin.views.networks.multislice import MultisliceUIViewSet
from fabric_twin.views.optical_circuit import OpticalCircuitUIViewSet
from fabric_twin.views.pod import PodUIViewSet
from fabric_twin.views.port import PortUIViewSet
from fabric_twin.views.silence import SilenceUIViewSet
from fabric_twin.views.slice import SliceUIViewSet
from fabric_twin.views.substitution import SubstitutionUIViewSet
from fabric_twin.views.switch import SwitchUIViewSet
from fabric_twin.views.ticket import TicketUIViewSet
from fabric_twin.views.work_order import StockUIViewSet, WorkOrderUIViewSet

__all__ = [
    "AuditRunUIViewSet",
    "BlockUIViewSet",
    "CubeUIViewSet",
    "DemandUIViewSet",
    "FindingUIViewSet",
    "MultisliceUIViewSet",
    "OpticalCircuitUIViewSet",
    "PodUIViewSet",
    "PortUIViewSet",
    "SilenceUIViewSet",
    "SliceUIViewSet",
    "StockUIViewSet",
    "SubstitutionUIViewSet",
    "SwitchUIViewSet",
    "TicketUIViewSet",
    "WorkOrderUIViewSet",
]
