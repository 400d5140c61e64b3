"""Fields of the form that filters Nautobot's cables."""

from django import forms

from fabric_twin.forms import choosers
from fabric_twin.forms.zoned_picker import ZonedPicker


def light_fields() -> dict[str, forms.Field]:
    """By the names of their filters."""
    return {
        "fabric_twin_light_not_agreed_since": forms.DateTimeField(
            required=False,
            label="Light has not agreed since",
            widget=ZonedPicker(),
            help_text="Also cables that it never agreed with",
        ),
        "fabric_twin_light_agreed_before": forms.DateTimeField(
            required=False, label="Light last agreed before", widget=ZonedPicker()
        ),
        "fabric_twin_light_never_agreed": choosers.yes_or_no(),
    }
