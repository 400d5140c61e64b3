"""The job that makes a slice."""

import json

from nautobot.apps.jobs import BooleanVar, DryRunVar, IntegerVar, ObjectVar, StringVar

from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.core.slots import parse_slots
from fabric_twin.documents.slices.bearing_report import capacity_left
from fabric_twin.models import Cube, Pod, Slice
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.services.slices.allocate import Allocation
from fabric_twin.tasks.refusing import RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class MakeSlice(RefusingJob):
    """Find cubes for a slice, and record the circuits that join them."""

    pod = ObjectVar(
        model=Pod,
        query_params={"is_network": "false"},
        description="The pod that the slice is made in",
    )
    shape = StringVar(description="Chips along each axis, such as 8x8x16")
    twisted = BooleanVar(
        default=False, required=False, description="A twisted torus: n x n x 2n or n x 2n x 2n"
    )
    slice_name = StringVar(
        label="Name", default="", required=False, description="Made from the shape by default"
    )
    slots = StringVar(
        default="",
        required=False,
        description="The slots whose cubes may be used, such as 1-4,7: all by default",
    )
    bear = IntegerVar(
        default=0,
        required=False,
        min_value=0,
        max_value=MOST_BORNE,
        label="Bear",
        description="How many switches a join of two cubes may lack",
    )
    anywhere = BooleanVar(
        default=False,
        required=False,
        label="Begin anywhere",
        description="In a static pod: at any cube, not only at multiples of the slice's sides",
    )
    dryrun = DryRunVar(description="Say which cubes and circuits it would be, and change nothing")

    class Meta:
        name = "Make slice"
        description = "Find cubes for a slice, and record the circuits that join them."
        has_sensitive_variables = False
        dryrun_default = True
        soft_time_limit = 60
        time_limit = 120

    def do(
        self,
        *,
        pod: Pod,
        shape: str,
        twisted: bool = False,
        slice_name: str = "",
        slots: str = "",
        bear: int | None = 0,
        anywhere: bool = False,
        dryrun: bool = True,
    ) -> str:
        """Make the slice, or say why it cannot be."""
        there = self.visible(pod)
        wish = Wish(
            shape=shape,
            twisted=twisted,
            name=slice_name or None,
            slots=parse_slots(slots, there.to_core().slots) if slots else None,
            bear=bear or 0,
            anywhere=anywhere,
        )
        made, found = make_slice(there, wish, self.user, keep=not dryrun)
        return self._report(made, found, dryrun=dryrun)

    def _report(self, made: Slice, found: Allocation, *, dryrun: bool) -> str:
        """Log what was made, with links, and attach the slice as the command line writes it."""
        for warning in found.warnings:
            self.logger.warning("%s.", warning, extra={"object": made.pod})
        rows = Cube.objects.filter(pod=made.pod).select_related("pod")
        cube_in = {cube.slot: cube for cube in rows}
        for at, slot in found.made.places(found.design.cube):
            place = ",".join(map(str, at))
            self.logger.info("Place %s: slot %d", place, slot, extra={"object": cube_in[slot]})
        cubes, switches = len(found.made.slots), len(set(found.circuits.switch.tolist()))
        said = (
            f"{'Would make' if dryrun else 'Made'} {found.made.name}: {found.made.shape} on "
            f"{cubes} cube{'s' * (cubes != 1)}, {len(found.circuits):,} circuits on "
            f"{switches} switch{'es' * (switches != 1)}"
        )
        if found.bearing and found.made.without:
            said += f". {capacity_left(found.bearing)}"
        self.logger.success(said, extra={"object": made.pod if dryrun else made})
        facts = found.as_json()
        self.create_file(f"{made.pod.name}-slice.json", json.dumps(facts, indent=2) + "\n")
        return said
