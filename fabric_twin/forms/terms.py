"""The form of what people decide about a ticket, beside what it changes."""

from django import forms
from nautobot.apps.forms import BootstrapMixin, StaticSelect2

from fabric_twin.forms.zoned_picker import ZonedPicker
from fabric_twin.models.ticket import OnFailureChoices
from fabric_twin.operations.tickets.drafts.terms import UNSAID, Terms


class TermsForm(BootstrapMixin, forms.Form):
    """What people decide about a ticket: all of it, as it is to be from now on."""

    title = forms.CharField(max_length=255)
    reason = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 3}), help_text="Why it is wanted"
    )
    window_start = forms.DateTimeField(
        required=False,
        label="Window begins",
        widget=ZonedPicker(),
        help_text="Not begun before this; it can be set later, when it is scheduled",
    )
    window_end = forms.DateTimeField(
        required=False,
        label="Window ends",
        widget=ZonedPicker(),
        help_text="No stage is begun after this",
    )
    on_failure = forms.ChoiceField(
        choices=OnFailureChoices, label="If it goes wrong", widget=StaticSelect2
    )
    most_bad = forms.IntegerField(
        required=False,
        min_value=0,
        label="Allowed failures",
        help_text="Default: 0",
    )

    def terms(self) -> Terms:
        """What was decided."""
        data = self.cleaned_data
        return Terms(
            title=data["title"] or UNSAID,
            reason=data["reason"],
            window_start=data["window_start"],
            window_end=data["window_end"],
            on_failure=data["on_failure"] or UNSAID,
            most_bad=data["most_bad"] or 0,
        )
