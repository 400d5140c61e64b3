"""Give the devices of a pod their addresses."""

from typing import Any

from nautobot.apps.jobs import DryRunVar, FileVar, ObjectVar

from fabric_twin.models import Pod
from fabric_twin.operations.pods.set_addresses import set_addresses
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class SetAddresses(RefusingJob):
    """Write where switches, cubes, groups and blocks answer, from a file: all of it, or nothing."""

    pod = ObjectVar(model=Pod, description="A pod, a cluster or a network")
    addresses = FileVar(
        description="CSV: device,address,target - or device,address,datapath for packet switches; "
        "a device that it does not name stays as it is"
    )
    dryrun = DryRunVar(description="Say which addresses would be written, and write nothing")

    class Meta:
        name = "Set addresses"
        description = "Write the addresses of many devices of a pod at once, from a file."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False
        field_order = ("pod", "addresses", "dryrun")

    def do(self, *, pod: Pod, addresses: Any, dryrun: bool = False) -> str:
        """Write them, or refuse the file whole."""
        pod = self.visible(pod)
        done = set_addresses(pod, addresses.read(), user=self.user, dry_run=dryrun)
        for line in done.lines():
            self.logger.info("%s", line)
        self.logger.info("%s", done, extra={"object": pod})
        return str(done)
