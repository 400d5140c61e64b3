"""Discover by light or by neighbours which cable is in which port of a pod."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.core.counted import counted
from fabric_twin.models import Pod
from fabric_twin.operations.discovery.ask import check_discoverable
from fabric_twin.operations.discovery.discover import discover_cables
from fabric_twin.operations.discovery.free_ports import count_free
from fabric_twin.operations.discovery.kept import sentence
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class DiscoverCables(RefusingJob):
    """Learn from what devices hear where each cable is; in pods free ports are joined for that."""

    to_fabric = True

    pod = ObjectVar(model=Pod, query_params={"is_network": "false"})
    dryrun = DryRunVar(description="Say how many ports are free to look at, and make no circuit")

    class Meta:
        name = "Discover cables"
        description = (
            "Learn by light, or in a cluster by neighbours, which cable is in which port; ports in "
            "use are left alone, and records stay until somebody accepts what it shows."
        )
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, pod: Pod, dryrun: bool = False) -> str:
        """Discover, and say what light shows."""
        pod = self.visible(pod)
        if dryrun:
            check_discoverable(pod, self.user)
            if pod.is_cluster:
                many = sum(rows.exclude(address="").count() for rows in (pod.switches, pod.cubes))
                return f"{pod.name}: would ask {counted(many, 'device')} whom its ports hear"
            return f"{pod.name}: would look at {count_free(PodRecord(pod)):,} ports of switches"

        def tell(found: int, wanted: int, in_round: str) -> None:
            self.logger.info("%s: %s of %s ports found", in_round, f"{found:,}", f"{wanted:,}")

        run = discover_cables(pod, self.user, self.job_result, tell)
        for device, why in sorted(run.not_reached.items()):
            self.logger.warning("%s did not answer: %s", device, why, extra={"object": pod})
        self.logger.success(sentence(run), extra={"object": run})
        return sentence(run)
