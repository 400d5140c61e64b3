"""Bring what is known of a pod's fabric up to date."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.operations.dispatch import run_job
from fabric_twin.operations.pods.ask_sync import can_be_read
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.operations.pods.thin_light import thin_light
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class SyncPod(RefusingJob):
    """Ask switches, cubes and blocks how they are, and keep what they say."""

    to_fabric = True

    pod = ObjectVar(model=Pod, required=False, description="Left empty: every pod that you may see")
    switch = ObjectVar(
        model=Switch, required=False, query_params={"pod": "$pod"}, description="Only this switch"
    )
    cube = ObjectVar(
        model=Cube, required=False, query_params={"pod": "$pod"}, description="Only this cube"
    )
    block = ObjectVar(
        model=Block, required=False, query_params={"pod": "$pod"}, description="Only this block"
    )
    dryrun = DryRunVar(description="Look, say what would change, and write nothing")

    class Meta:
        name = "Sync pod"
        description = "Read serials, port states, circuits and light; keep them with their age."
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(
        self,
        *,
        pod: Pod | None = None,
        switch: Switch | None = None,
        cube: Cube | None = None,
        block: Block | None = None,
        dryrun: bool = False,
    ) -> str:
        """Sync one pod or all; one that refuses does not stop the others."""
        named = [one for one in (switch, cube, block) if one]
        if len(named) > 1:
            raise UnusableInput(
                "several devices are named",
                where="scope",
                remedy="Name one switch, cube or block, or none for the whole pod",
            )
        place = named[0] if named else None
        devices = {_name_of(place)} if place else None
        of = self.visible(place).pod if place else pod

        def sync(one: Pod) -> tuple[str, bool]:
            if not of and (queue := self.elsewhere(one)):
                run_job(str(self.class_path), self.user, f"pod {one}", pod=one, dryrun=dryrun)
                return f"{one}: a job of its own syncs it, on the queue {queue}", True
            synced = sync_pod(one, self.user, devices=devices, keep=not dryrun)
            if not dryrun:
                thin_light(one)
            for device, why in sorted(synced.silent.items()):
                self.logger.warning("%s did not answer: %s", device, why, extra={"object": one})
            self.logger.info("%s", synced, extra={"object": one})
            return f"{one.name}: {synced}", True

        # A network without addresses has nothing to read.
        every = () if of else self.every_pod()
        pods = [one for one in every if not one.is_network or can_be_read(one)]
        pods = [self.visible(of)] if of else pods
        return self.for_each(pods, sync, "%s were not synced")


def _name_of(record: Switch | Cube | Block) -> str:
    """What it is called in the fabric."""
    return str(record.rack if isinstance(record, Cube) else record.device)
