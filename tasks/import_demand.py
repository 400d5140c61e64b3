"""Import what the blocks of a network ask of each other."""

from datetime import date
from typing import Any

from nautobot.apps.jobs import DryRunVar, FileVar, ObjectVar, StringVar

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Pod
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class ImportDemand(RefusingJob):
    """Keep a day's demand of a network; that of the same day again takes its place."""

    network = ObjectVar(
        model=Pod, query_params={"is_network": "true"}, description="A network of blocks"
    )
    demand = FileVar(description="CSV: from,to,gbps, a row for each pair of blocks that asks")
    day = StringVar(required=False, description="Such as 2026-11-24; empty: today", max_length=10)
    source = StringVar(
        required=False, description="Where it comes from, such as a forecast", max_length=255
    )
    dryrun = DryRunVar(description="Say what would be kept, and write nothing")

    class Meta:
        name = "Import demand"
        description = "Keep what the blocks of a network ask of each other on a day."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False
        field_order = ("network", "demand", "day", "source", "dryrun")

    def do(
        self, *, network: Pod, demand: Any, day: str = "", source: str = "", dryrun: bool = False
    ) -> str:
        """Keep it, or refuse it whole."""
        pod = self.visible(network)
        kept = keep_demand(
            pod,
            demand.read(),
            day=_day(day),
            description=source,
            user=self.user,
            dry_run=dryrun,
        )
        self.logger.info("%s", kept, extra={"object": pod if dryrun else kept.demand})
        return str(kept)


def _day(text: str) -> date | None:
    """A day as it is written; None where none is."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UnusableInput(
            f"{text!r} is no day", where="day", remedy="Write it as 2026-11-24"
        ) from None
