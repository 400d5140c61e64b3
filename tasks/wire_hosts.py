"""Give the hosts of a pod their ports into a network."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.models import Pod
from fabric_twin.operations.networks.host_ports import write_host_ports
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class WireHosts(RefusingJob):
    """An interface for each tray of a pod, with a cable to a block that serves the pod."""

    pod = ObjectVar(model=Pod, query_params={"is_network": "false"}, description="A pod of cubes")
    dryrun = DryRunVar(description="Say what would be written, and write nothing")

    class Meta:
        name = "Wire hosts"
        description = "Record the ports of hosts, with cables to the blocks that serve their pod."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False
        field_order = ("pod", "dryrun")

    def do(self, *, pod: Pod, dryrun: bool = False) -> str:
        """Write what is not there, or refuse it whole."""
        there = self.visible(pod)
        written = write_host_ports(there, user=self.user, dry_run=dryrun)
        self.logger.info("%s", written, extra={"object": there})
        return str(written)
