"""The job that looks by light whether a bundle is as it should be."""

from nautobot.apps.jobs import DryRunVar, ObjectVar, StringVar

from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.bundles import ready
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.to_core import progress_of
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class CheckBundle(RefusingJob):
    """Look by light at bundles that hands are done with; what is wrong is to be done again."""

    order = ObjectVar(model=WorkOrder, description="Whose bundles are looked at")
    bundle = StringVar(
        default="", required=False, description="All that hands are done with by default"
    )
    dryrun = DryRunVar(description="Say which bundles hands are done with, and look at none")

    class Meta:
        name = "Check bundle"
        description = "Look by light at bundles that hands are done with."
        has_sensitive_variables = False
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT

    def do(self, *, order: WorkOrder, bundle: str = "", dryrun: bool = False) -> str:
        """Look, and say what light says."""
        there = self.visible(order, "do")
        if dryrun:
            due = [name for name in ready(progress_of(there)) if bundle in ("", name)]
            return f"Would look at {', '.join(due)}" if due else "Nothing is ready to be looked at."
        said = []
        for one in check_bundles(there, self.user, [bundle] if bundle else ()):
            words = "light agrees" if one.agrees else one.why or "light refuses"
            bad = ", ".join((*one.wrong, *one.weak))
            said.append(f"{one.bundle}: {words}{f' ({bad})' if bad else ''}")
            log = self.logger.success if one.agrees else self.logger.warning
            log(said[-1], extra={"object": there})
        return "\n".join(said) or "Nothing is ready to be looked at."
