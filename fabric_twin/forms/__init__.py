"""Forms of records; Nautobot looks for them here by name."""

from fabric_twin.forms.audit_run import AuditRunFilterForm
from fabric_twin.forms.block import BlockBulkEditForm, BlockFilterForm, BlockForm
from fabric_twin.forms.clusters.wishes import OF_CLUSTERS
from fabric_twin.forms.cube import CubeBulkEditForm, CubeFilterForm, CubeForm
from fabric_twin.forms.demand import DemandFilterForm, DemandForm
from fabric_twin.forms.finding import (
    AcknowledgeForm,
    AssignForm,
    BulkAssignForm,
    FindingFilterForm,
    ReopenForm,
)
from fabric_twin.forms.hand_over import HandOverForm
from fabric_twin.forms.multislice import MakeMultisliceForm, MultisliceFilterForm, MultisliceForm
from fabric_twin.forms.optical_circuit import (
    OpticalCircuitBulkEditForm,
    OpticalCircuitFilterForm,
    OpticalCircuitForm,
)
from fabric_twin.forms.pod import PodBulkEditForm, PodFilterForm, PodForm
from fabric_twin.forms.port import PortFilterForm
from fabric_twin.forms.silence import (
    SilenceBulkEditForm,
    SilenceFilterForm,
    SilenceFindingsForm,
    SilenceForm,
)
from fabric_twin.forms.slice import (
    MakeSliceForm,
    SliceBulkDeleteForm,
    SliceBulkEditForm,
    SliceFilterForm,
    SliceForm,
)
from fabric_twin.forms.substitution import (
    SubstitutionBulkEditForm,
    SubstitutionFilterForm,
    SubstitutionForm,
)
from fabric_twin.forms.switch import SwitchBulkEditForm, SwitchFilterForm, SwitchForm
from fabric_twin.forms.terms import TermsForm
from fabric_twin.forms.ticket import WISHES, TicketFilterForm
from fabric_twin.forms.ticket_act import DeedForm
from fabric_twin.forms.work_order import (
    BlockOrderForm,
    OrderDeedForm,
    OrderWishForm,
    StockBulkEditForm,
    StockFilterForm,
    StockForm,
    WorkOrderFilterForm,
)

__all__ = [
    "OF_CLUSTERS",
    "WISHES",
    "AcknowledgeForm",
    "AssignForm",
    "AuditRunFilterForm",
    "BlockBulkEditForm",
    "BlockFilterForm",
    "BlockForm",
    "BlockOrderForm",
    "BulkAssignForm",
    "CubeBulkEditForm",
    "CubeFilterForm",
    "CubeForm",
    "DeedForm",
    "DemandFilterForm",
    "DemandForm",
    "FindingFilterForm",
    "HandOverForm",
    "MakeMultisliceForm",
    "MakeSliceForm",
    "MultisliceFilterForm",
    "MultisliceForm",
    "OpticalCircuitBulkEditForm",
    "OpticalCircuitFilterForm",
    "OpticalCircuitForm",
    "OrderDeedForm",
    "OrderWishForm",
    "PodBulkEditForm",
    "PodFilterForm",
    "PodForm",
    "PortFilterForm",
    "ReopenForm",
    "SilenceBulkEditForm",
    "SilenceFilterForm",
    "SilenceFindingsForm",
    "SilenceForm",
    "SliceBulkDeleteForm",
    "SliceBulkEditForm",
    "SliceFilterForm",
    "SliceForm",
    "StockBulkEditForm",
    "StockFilterForm",
    "StockForm",
    "SubstitutionBulkEditForm",
    "SubstitutionFilterForm",
    "SubstitutionForm",
    "SwitchBulkEditForm",
    "SwitchFilterForm",
    "SwitchForm",
    "TermsForm",
    "TicketFilterForm",
    "WorkOrderFilterForm",
]
