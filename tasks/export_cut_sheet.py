"""Write what is recorded of a pod's cables as a cut sheet."""

import io

from nautobot.apps.jobs import ObjectVar

from fabric_twin.models import Pod
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class ExportCutSheet(RefusingJob):
    """A row a cable, end to end, as `fabric-twin audit` and Load pod read it."""

    pod = ObjectVar(model=Pod)

    class Meta:
        name = "Export cut sheet"
        description = "Write a pod's cables as CSV, a row a cable; attached to the result."
        read_only = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, pod: Pod) -> str:
        """Write it, and attach it."""
        pod = self.visible(pod)
        out = io.StringIO()
        rows = export_cut_sheet(PodRecord(pod), out, self.user)
        self.create_file(f"{pod.name}-cables.csv", out.getvalue())
        done = f"Pod {pod.name}: {rows:,} rows"
        self.logger.info("%s", done, extra={"object": pod})
        return done
