"""Forms of records; Nautobot looks for them here by name."""

from fabric_twin.forms.cube import CubeBulkEditForm, CubeFilterForm, CubeForm
from fabric_twin.forms.optical_circuit import (
    OpticalCircuitBulkEditForm,
    OpticalCircuitFilterForm,
    OpticalCircuitForm,
)
from fabric_twin.forms.pod import PodBulkEditForm, PodFilterForm, PodForm
from fabric_twin.forms.port import PortFilterForm
from fabric_twin.forms.slice import (
    MakeSliceForm,
    SliceBulkDeleteForm,
    SliceBulkEditForm,
    SliceFilterForm,
    SliceForm,
)
from fabric_twin.forms.switch import SwitchBulkEditForm, SwitchFilterForm, SwitchForm

__all__ = [
    "CubeBulkEditForm",
    "CubeFilterForm",
    "CubeForm",
    "MakeSliceForm",
    "OpticalCircuitBulkEditForm",
    "OpticalCircuitFilterForm",
    "OpticalCircuitForm",
    "PodBulkEditForm",
    "PodFilterForm",
    "PodForm",
    "PortFilterForm",
    "SliceBulkDeleteForm",
    "SliceBulkEditForm",
    "SliceFilterForm",
    "SliceForm",
    "SwitchBulkEditForm",
    "SwitchFilterForm",
    "SwitchForm",
]
