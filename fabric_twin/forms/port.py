"""The form that filters ports; ports are loaded, so there is none to edit them."""

from django import forms
from nautobot.apps.forms import BootstrapMixin

from fabric_twin.core.cube import FACES
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenMixin
from fabric_twin.models import Port


class PortFilterForm(SeenMixin, BootstrapMixin, forms.Form):
    """Which ports to list."""

    model = Port
    field_order = ("q", "pod", "cube", "block", "switch", "slots", "face", "device", "is_connected")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    cube = choosers.cubes()
    block = choosers.blocks()
    switch = choosers.switches()
    slots = forms.CharField(required=False, label="Slots", help_text="Such as 1-4,7")
    face = choosers.some_of([(face, face) for face in FACES])
    device = choosers.devices()
    is_connected = choosers.yes_or_no()
