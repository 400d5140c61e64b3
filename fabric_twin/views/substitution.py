"""Pages of substitutions."""

from nautobot.apps.ui import ObjectDetailContent, ObjectFieldsPanel
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.models import Substitution
from fabric_twin.panels import LEFT
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class SubstitutionUIViewSet(PageMixin, SeenFiltersMixin, NautobotUIViewSet):
    """A spare in place of a port."""

    queryset = Substitution.objects.select_related(
        "port__pod", "port__switch__device", "port__interface__device", "spare__interface__device"
    )
    table_class = tables.SubstitutionTable
    filterset_class = filters.SubstitutionFilterSet
    filterset_form_class = forms.SubstitutionFilterForm
    form_class = forms.SubstitutionForm
    bulk_update_form_class = forms.SubstitutionBulkEditForm
    breadcrumbs = breadcrumbs("port", "pod")
    object_detail_content = ObjectDetailContent(
        panels=[ObjectFieldsPanel(weight=100, section=LEFT, fields=["port", "spare", "reason"])]
    )
