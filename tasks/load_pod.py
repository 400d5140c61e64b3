"""Load a pod from its design or from a cut sheet."""

from typing import Any

from nautobot.apps.jobs import ChoiceVar, DryRunVar, FileVar, ObjectVar, StringVar
from nautobot.dcim.models import Location

from fabric_twin.core.designs import find_design
from fabric_twin.core.slots import parse_slots
from fabric_twin.forms.pod import designs
from fabric_twin.inventory.sheet_mistakes import MistakesInSheet, with_remarks
from fabric_twin.models import Pod
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"

CUBE_STATUSES = ("Active", "Installing", "Planned")


def design_choices() -> list[tuple[str, str]]:
    """Every design that a pod can be recorded by."""
    return designs()


class LoadPod(RefusingJob):
    """Make racks, trays, switches, transceivers, ports and cables of a pod, or what it lacks."""

    pod = StringVar(label="Pod", description="Its name: 1 to 32 of a-z, 0-9 and -", max_length=32)
    design = ChoiceVar(choices=design_choices)
    location = ObjectVar(model=Location, description="Where racks and devices go")
    slots = StringVar(
        required=False,
        description="Slots that hold cubes, such as 1-4,7; empty: all of the design's, or "
        "those of the cut sheet. Run again with more when cubes are added",
    )
    cube_status = ChoiceVar(
        label="Status of new cubes",
        choices=[(name, name) for name in CUBE_STATUSES],
        default=CUBE_STATUSES[0],
        required=False,
    )
    cut_sheet = FileVar(
        required=False, description="CSV, a row a cable; without it cables follow the wiring rule"
    )
    address = StringVar(
        required=False,
        max_length=255,
        description="HOST:PORT where all new switches and cubes answer gNMI, each by its own name",
    )
    dryrun = DryRunVar(description="Say what would be loaded, and write nothing")

    class Meta:
        name = "Load pod"
        description = "Load a pod from its design or a cut sheet; what is there stays as it is."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False
        field_order = (
            "pod",
            "design",
            "location",
            "slots",
            "cube_status",
            "cut_sheet",
            "address",
            "dryrun",
        )

    def do(
        self,
        *,
        pod: str,
        design: str,
        location: Location,
        slots: str = "",
        cube_status: str = "",
        cut_sheet: Any = None,
        address: str = "",
        dryrun: bool = False,
    ) -> str:
        """Load it; all rows or none."""
        kind = find_design(design)
        is_new = not Pod.objects.filter(name=pod).exists()
        sheet = cut_sheet.read() if cut_sheet else None
        try:
            loaded = load_pod(
                pod,
                design,
                self.visible(location),
                slots=parse_slots(slots, kind.slots) if slots else None,
                cut_sheet=sheet,
                cube_status=cube_status or CUBE_STATUSES[0],
                address=address,
                user=self.user,
                dry_run=dryrun,
                progress=self.say_rows,
            )
        except MistakesInSheet as refusal:
            self.create_file(f"{pod}-remarks.csv", with_remarks(sheet or b"", refusal.mistakes))
            raise
        return self.tell_loaded(loaded, location, is_new=is_new)
