"""Forms of demand."""

from django import forms
from nautobot.apps.forms import DatePicker, NautobotModelForm, TagFilterField

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Demand


class DemandForm(NautobotModelForm):
    """What may be said of a demand; an import wrote what it is."""

    class Meta:
        model = Demand
        fields = ("description", "tags")


class DemandFilterForm(SeenFilterForm):
    """Which demand to list."""

    model = Demand
    field_order = ("q", "pod", "day__gte", "day__lte")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    day__gte = forms.DateField(required=False, label="From this day", widget=DatePicker())
    day__lte = forms.DateField(required=False, label="Up to this day", widget=DatePicker())
    tags = TagFilterField(Demand)
