"""The form of a hand-over."""

from django import forms
from nautobot.apps.forms import BootstrapMixin

from fabric_twin.operations.shifts.hand_over import LONGEST_NOTE


class HandOverForm(BootstrapMixin, forms.Form):
    """What the next shift is told."""

    note = forms.CharField(
        required=False,
        max_length=LONGEST_NOTE,
        label="Note to the next shift",
        widget=forms.Textarea(attrs={"rows": 4}),
    )
