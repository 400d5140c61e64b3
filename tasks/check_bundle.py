"""The job that looks by light whether a bundle is as it should be."""

from nautobot.apps.jobs import DryRunVar, ObjectVar, TextVar

from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles, due_bundles
from fabric_twin.operations.orders.history import AGREES, WRONG
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class CheckBundle(RefusingJob):
    """Test bundles by light whose manual steps are done; what is wrong is given again."""

    to_fabric = True

    order = ObjectVar(model=WorkOrder, description="The order whose bundles are tested")
    bundles = TextVar(
        default="",
        required=False,
        description="One a line; by default all whose manual steps are done",
    )
    dryrun = DryRunVar(description="Name the bundles that would be tested, and test none")

    class Meta:
        name = "Check bundle"
        description = "Run the light test of bundles whose manual steps are done."
        has_sensitive_variables = False
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT

    def do(self, *, order: WorkOrder, bundles: str = "", dryrun: bool = False) -> str:
        """Look, and say what light says."""
        there = self.visible(order)
        named = [name.strip() for name in bundles.splitlines() if name.strip()]
        if dryrun:
            due = due_bundles(there, self.user, named)
            return f"Would look at {', '.join(due)}" if due else "Nothing is ready to be looked at."
        said = []
        for one in check_bundles(there, self.user, named):
            words = AGREES if one.agrees else one.why or WRONG
            bad = ", ".join((*one.wrong, *one.weak))
            said.append(f"{one.bundle}: {words}{f' ({bad})' if bad else ''}")
            log = self.logger.success if one.agrees else self.logger.warning
            log(said[-1], extra={"object": there})
        return "\n".join(said) or "Nothing is ready to be looked at."
