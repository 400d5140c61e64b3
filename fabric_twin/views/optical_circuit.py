"""Pages of circuits."""

from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.models import OpticalCircuit
from fabric_twin.panels import LEFT, RIGHT
from fabric_twin.panels.clusters.cluster import is_of_light
from fabric_twin.panels.clusters.fields import KindFieldsPanel
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.light import draw_light_of_circuit
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class OpticalCircuitUIViewSet(PageMixin, SeenFiltersMixin, NautobotUIViewSet):
    """A circuit, and the light that goes through it."""

    queryset = OpticalCircuit.objects.select_related("switch__pod", "switch__device", "slice")
    table_class = tables.OpticalCircuitTable
    filterset_class = filters.OpticalCircuitFilterSet
    filterset_form_class = forms.OpticalCircuitFilterForm
    form_class = forms.OpticalCircuitForm
    bulk_update_form_class = forms.OpticalCircuitBulkEditForm
    breadcrumbs = breadcrumbs("switch", "pod")
    object_detail_content = ObjectDetailContent(
        panels=[
            KindFieldsPanel(
                weight=100,
                section=LEFT,
                in_cluster="Flow entry",
                fields=["switch", "a", "b", "slice", "wanted", "seen"],
                called_in_cluster={"a": "In at port", "b": "Out at port", "slice": "Job"},
            ),
            DrawingPanel(
                weight=200,
                label="Light path",
                section=RIGHT,
                draw=draw_light_of_circuit,
                fits=is_of_light,
            ),
        ]
    )
