"""Pages of silences."""

from typing import Any

from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.models import Silence
from fabric_twin.panels import LEFT, RIGHT
from fabric_twin.panels.facts import FieldsPanel
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class SilenceUIViewSet(PageMixin, SeenFiltersMixin, NautobotUIViewSet):
    """A rule that keeps findings quiet."""

    queryset = Silence.objects.select_related("pod", "finding", "device", "cable", "tag", "user")
    table_class = tables.SilenceTable
    filterset_class = filters.SilenceFilterSet
    filterset_form_class = forms.SilenceFilterForm
    form_class = forms.SilenceForm
    bulk_update_form_class = forms.SilenceBulkEditForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        panels=[
            FieldsPanel(
                weight=100,
                section=LEFT,
                fields=["pod", "finding", "code", "device", "cable", "tag"],
            ),
            FieldsPanel(
                weight=100, section=RIGHT, label="Until when", fields=["until", "reason", "user"]
            ),
        ]
    )

    def form_save(self, form: Any, **kwargs: Any) -> Any:
        """Write down who said so."""
        if not form.instance.present_in_database:
            form.instance.user = self.request.user
        return super().form_save(form, **kwargs)
