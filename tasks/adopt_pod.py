"""Bind racks, devices and ports that are there to a pod."""

from typing import Any

from nautobot.apps.jobs import ChoiceVar, DryRunVar, FileVar, JSONVar, ObjectVar, StringVar
from nautobot.dcim.models import Location

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.patterns import LONGEST
from fabric_twin.models import Pod
from fabric_twin.operations.pods.adopt import adopt_pod
from fabric_twin.operations.pods.bind_ports import HEADER, Binding
from fabric_twin.tasks.load_pod import CUBE_STATUSES, design_choices
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


def _are_filters(filters: Any) -> bool:
    """Whether they have the form in which a form or an address would give them."""
    return isinstance(filters, dict) and all(
        isinstance(value, (list, str, bool)) for value in filters.values()
    )


class AdoptPod(RefusingJob):
    """Nothing is renamed or moved: the pod's records point at what the operator has."""

    pod = StringVar(label="Pod", description="Its name: 1 to 32 of a-z, 0-9 and -", max_length=32)
    design = ChoiceVar(choices=design_choices)
    location = ObjectVar(model=Location, description="Where its racks and devices are")
    binding = FileVar(
        required=False,
        description=f"CSV with {','.join(HEADER)}: what a port is called, and what it is",
    )
    cube_ports = StringVar(
        required=False,
        max_length=LONGEST,
        description="Pattern of rack/device/port, such as "
        "row{any}-cube{slot}/host{any}/{chip}-{face}, or {any}/group-{row}-{column}/"
        "{chip}-{edge}{lane} of a cluster",
    )
    switch_ports = StringVar(
        required=False,
        max_length=LONGEST,
        description="Pattern of rack/device/port, such as {any}/ocs-{axis}-{index}/{port}, "
        "or {any}/{switch}/{port} of a cluster",
    )
    filters = JSONVar(
        required=False,
        description='Filters of interfaces, to look at fewer: {"role": ["Optical port"]}',
    )
    dryrun = DryRunVar(default=True, description="Say what would be bound, and write nothing")

    class Meta:
        name = "Adopt pod"
        description = "Bind racks, trays, switches and ports that are there; nothing is renamed."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(
        self,
        *,
        pod: str,
        design: str,
        location: Location,
        binding: Any = None,
        cube_ports: str = "",
        switch_ports: str = "",
        filters: Any = None,
        dryrun: bool = True,
    ) -> str:
        """Bind it; all or nothing."""
        if bool(binding) == bool(cube_ports or switch_ports):
            raise UnusableInput(
                "give either a file or patterns",
                where="binding",
                remedy="A file names every port; patterns read the names",
            )
        if filters and not _are_filters(filters):
            raise UnusableInput(
                "the filters are not an object of lists of values",
                where="filters",
                remedy='Write {"role": ["Optical port"]}',
            )
        rows = binding.read() if binding else None
        is_new = not Pod.objects.filter(name=pod).exists()
        adopted = adopt_pod(
            pod,
            design,
            self.visible(location),
            Binding(rows, cube_ports, switch_ports, filters or None),
            cube_status=CUBE_STATUSES[0],
            user=self.user,
            dry_run=dryrun,
            progress=self.say_rows,
        )
        return self.tell_loaded(adopted, location, is_new=is_new)
