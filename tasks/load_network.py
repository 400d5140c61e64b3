"""Load a network of blocks from a block file."""

from typing import Any

from nautobot.apps.jobs import ChoiceVar, DryRunVar, FileVar, ObjectVar, StringVar
from nautobot.dcim.models import Location

from fabric_twin.models import Pod
from fabric_twin.operations.audits.touches import touch
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.pods.audit_schedule import schedule_audits
from fabric_twin.tasks.load_pod import CUBE_STATUSES
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class LoadNetwork(RefusingJob):
    """Make racks, blocks, switches, ports and cables of a network, or what it lacks."""

    network = StringVar(description="Its name: 1 to 32 of a-z, 0-9 and -", max_length=32)
    blocks = FileVar(description="Its blocks and switches, as JSON. Run again with more blocks")
    location = ObjectVar(model=Location, description="Where racks and devices go")
    block_status = ChoiceVar(
        label="Status of new blocks",
        choices=[(name, name) for name in CUBE_STATUSES],
        default=CUBE_STATUSES[0],
        required=False,
    )
    circuits = FileVar(
        required=False, description="Circuits that its switches have, as JSON; once, when it is new"
    )
    address = StringVar(
        required=False,
        max_length=255,
        description="HOST:PORT where new switches and blocks answer gNMI, each by its own name",
    )
    dryrun = DryRunVar(description="Say what would be loaded, and write nothing")

    class Meta:
        name = "Load network"
        description = "Load a network of blocks from a block file; what is there stays as it is."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False
        field_order = (
            "network",
            "blocks",
            "location",
            "block_status",
            "circuits",
            "address",
            "dryrun",
        )

    def do(
        self,
        *,
        network: str,
        blocks: Any,
        location: Location,
        block_status: str = "",
        circuits: Any = None,
        address: str = "",
        dryrun: bool = False,
    ) -> str:
        """Load it; all rows or none."""
        is_new = not Pod.objects.filter(name=network).exists()
        loaded = load_network(
            network,
            blocks.read(),
            self.visible(location),
            circuits=circuits.read() if circuits else None,
            block_status=block_status or CUBE_STATUSES[0],
            address=address,
            user=self.user,
            dry_run=dryrun,
            progress=self.say_rows,
        )
        pod = Pod.objects.filter(name=network).first()
        if pod and not dryrun:
            touch([pod.pk])
        for schedule in schedule_audits(pod, self.user) if pod and is_new else ():
            self.logger.info("Scheduled: %s", schedule.name, extra={"object": schedule})
        self.logger.info("%s", loaded, extra={"object": pod or location})
        return str(loaded)
