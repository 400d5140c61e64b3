"""Confirm a switch that cannot tell who it is, by a test circuit."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.models import Switch
from fabric_twin.operations.audits.confirm_by_circuit import (
    check_confirmable,
    confirm_by_circuit,
)
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class ConfirmSwitch(RefusingJob):
    """Join two idle cubes over a switch for a moment: if they hear each other, it is it."""

    to_fabric = True

    switch = ObjectVar(model=Switch)
    dryrun = DryRunVar(description="Say whether it could be confirmed so, and make no circuit")

    class Meta:
        name = "Confirm switch by test circuit"
        description = (
            "For a switch that cannot identify itself: a short test circuit between two idle cubes."
        )
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, switch: Switch, dryrun: bool = False) -> str:
        """Make the circuit, look, and take it away."""
        switch = self.visible(switch)
        if dryrun:
            check_confirmable(switch, self.user)
            return f"{switch} would be confirmed by a test circuit between two idle cubes"
        said = confirm_by_circuit(switch, self.user)
        self.logger.info("%s: %s", switch, said, extra={"object": switch})
        return f"{switch} is confirmed: {said}"
