"""The job that corrects records that are wrong where the plant is not."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.reports.correct_records import correct_records, wrong_records
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class CorrectRecords(RefusingJob):
    """Look by light again; where the record is still wrong, write what is there."""

    to_fabric = True

    order = ObjectVar(model=WorkOrder, description="The order that says which records are wrong")
    dryrun = DryRunVar(description="Say which findings are about records, and write nothing")

    class Meta:
        name = "Correct records"
        description = (
            "Write what light shows into the inventory, where an order says a record is wrong."
        )
        dryrun_default = True
        has_sensitive_variables = False
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT

    def do(self, *, order: WorkOrder, dryrun: bool = False) -> str:
        """Look, write, and say what was written."""
        there = self.visible(order)
        if dryrun:
            return f"Would look at {', '.join(wrong_records(there, self.user))}"
        written = correct_records(there, self.user)
        for line in written:
            self.logger.success(line, extra={"object": there})
        return "\n".join(written) or "The light test finds nothing wrong: nothing was written."
