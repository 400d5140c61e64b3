"""Confirm a switch that cannot tell who it is, by a test circuit."""

from nautobot.apps.jobs import ObjectVar

from fabric_twin.models import Switch
from fabric_twin.operations.audits.confirm_by_circuit import confirm_by_circuit
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class ConfirmSwitch(RefusingJob):
    """Join two idle cubes over a switch for a moment: if they hear each other, it is it."""

    switch = ObjectVar(model=Switch)

    class Meta:
        name = "Confirm switch by test circuit"
        description = (
            "For a switch that cannot tell who it is: a circuit between two idle cubes, and gone."
        )
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, switch: Switch) -> str:
        """Make the circuit, look, and take it away."""
        switch = self.visible(switch)
        said = confirm_by_circuit(switch, self.user)
        self.logger.info("%s: %s", switch, said, extra={"object": switch})
        return f"{switch} is confirmed: {said}"
