"""The form of an act on a ticket: what is said and given with it."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    BootstrapMixin,
)

from fabric_twin.core.tickets.called import OF_CLUSTERS, OF_PODS, Called
from fabric_twin.core.tickets.course import Direction, Position
from fabric_twin.forms.zoned_picker import ZonedPicker
from fabric_twin.operations.tickets.approval import LONGEST_ANSWER
from fabric_twin.operations.tickets.drafts.terms import Terms


class Boxes(forms.CheckboxSelectMultiple):
    """Boxes to tick, one under the other."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Each box looks as Bootstrap has it; the list of them is a list, and no box."""
        option: dict[str, Any] = super().create_option(*args, **kwargs)
        option["attrs"]["class"] = "form-check-input me-8 mb-8"
        return option


class DeedForm(BootstrapMixin, forms.Form):
    """The comment on an action; some ask for more."""

    said = forms.CharField(
        required=False, label="Comment", widget=forms.Textarea(attrs={"rows": 3})
    )
    start = forms.DateTimeField(
        required=False,
        label="Window begins",
        widget=ZonedPicker(),
        help_text="Default: as soon as possible",
    )
    end = forms.DateTimeField(
        required=False,
        label="Window ends",
        widget=ZonedPicker(),
        help_text="No stage is begun after this",
    )
    slices = forms.MultipleChoiceField(
        label="Slices that run nothing",
        widget=Boxes,
        required=False,
        help_text="Tick the slices of which you know it; somebody else can confirm the others",
    )

    #: Of which step links are drained, as the page showed it.
    stage = forms.IntegerField(widget=forms.HiddenInput)
    back = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        *args: Any,
        deed: str,
        needs_reason: bool,
        slices: dict[str, str],
        words: Called = OF_PODS,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        said, drained = self.fields["said"], self.fields["slices"]
        assert isinstance(said, forms.CharField)  # noqa: S101 - declared above, as the other is
        assert isinstance(drained, forms.MultipleChoiceField)  # noqa: S101
        # A browser asks for what is missing; who sends it all the same is refused by the operation.
        said.widget.attrs |= {"required": True} if needs_reason else {}
        if deed in ("approve", "deny"):
            said.widget.attrs["maxlength"] = LONGEST_ANSWER
        drained.choices = list(slices.items())
        if words is OF_CLUSTERS:
            drained.label = "Jobs that run nothing"
            drained.help_text = str(drained.help_text).replace("slices", "jobs")
        if any(label != name for name, label in slices.items()):
            drained.label = "Slices that run nothing, or can go on with fewer circuits"
        drained.widget.attrs = {}  # Nautobot's mixin made one box of the whole list
        kept = {"schedule": ("start", "end"), "start": (), "confirm-drained": ("slices", "said")}
        kept["confirm-links-drained"] = ("stage", "back", "said")
        for name in set(self.fields) - set(kept.get(deed, ("said",))):
            del self.fields[name]

    def facts(self) -> dict[str, Any]:
        """What was said and given, by name."""
        data = self.cleaned_data
        facts: dict[str, Any] = {n: data[n] for n in ("said", "slices") if n in data}
        if "slices" in facts:
            facts["slices"] = tuple(facts["slices"])
        if "stage" in data:
            direction = Direction.BACK if data["back"] else Direction.FORWARD
            facts["step"] = Position(data["stage"], direction)
        if "start" in data:
            facts["window"] = Terms(window_start=data["start"], window_end=data["end"])
        return facts
