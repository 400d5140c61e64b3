"""The job that makes a work order."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware, make_aware
from nautobot.apps.jobs import (
    ChoiceVar,
    DryRunVar,
    IntegerVar,
    MultiObjectVar,
    ObjectVar,
    StringVar,
)

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.order import MOST_CREWS, Kind
from fabric_twin.core.slots import parse_slots
from fabric_twin.models import Finding, Pod
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"
#: Moves name cables and ports one by one: they come from a file or over REST.
_KINDS = (Kind.INSTALL, Kind.REPAIR, Kind.DECOMMISSION)


class MakeOrder(RefusingJob):
    """Write manual work as steps, rack by rack, and hold the ports and cubes meanwhile."""

    pod = ObjectVar(
        model=Pod, query_params={"is_network": "false"}, description="Where the work is"
    )
    kind = ChoiceVar(choices=tuple((str(kind), str(kind).capitalize()) for kind in _KINDS))
    slots = StringVar(
        default="", required=False, description="Cubes to install or take away, such as 1-4,7"
    )
    findings = MultiObjectVar(
        model=Finding,
        required=False,
        query_params={"pod": "$pod"},
        description="Findings to repair; left empty: all of the pod that nobody is working on",
    )
    crews = IntegerVar(
        default=1,
        required=False,
        description=f"Crews that work at the same time: 1 to {MOST_CREWS}; left empty: 1",
    )
    due = StringVar(
        default="",
        required=False,
        description="Missing cables are not reported before this time, such as 2026-11-30 18:00",
    )
    title = StringVar(default="", required=False, description="Chosen by default")
    dryrun = DryRunVar(description="Say what it would take, and change nothing")

    class Meta:
        name = "Make work order"
        description = "Write manual work as steps, rack by rack."
        has_sensitive_variables = False
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT

    def do(
        self,
        *,
        pod: Pod,
        kind: str,
        slots: str = "",
        findings: Iterable[Finding] = (),
        crews: int | None = 1,
        due: str = "",
        title: str = "",
        dryrun: bool = True,
    ) -> str:
        """Make the order, or say what it would take."""
        there = self.visible(pod)
        wish = OrderWish(
            kind=Kind(kind),
            slots=parse_slots(slots, there.to_core().slots) if slots else (),
            findings=tuple(self.visible(finding) for finding in findings or ()),
            crews=1 if crews is None else crews,
            due=_moment(due),
            title=title,
        )
        made = make_order(there, wish, self.user, keep=not dryrun)
        left_out = made.facts["deferred"]
        keys = [left["finding"] for left in left_out]
        codes = dict(Finding.objects.filter(pod=there, key__in=keys).values_list("key", "code"))
        for left in left_out:
            called = f"{codes.get(left['finding'], 'finding')} {left['finding']}"
            self.logger.warning("Left out: %s: %s", called, left["why"])
        said = f"{'Would make' if dryrun else 'Made'} {made.name}: {made.title}. {_words(made)}"
        self.logger.success(said, extra={"object": there if dryrun else made})
        return said


def _moment(text: str) -> datetime | None:
    """A moment as people write it, where this Nautobot is."""
    if not text:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise UnusableInput(
            f"{text[:40]!r} is not a date and time",
            where="due",
            remedy="Write it like 2026-11-30 18:00",
        )
    return found if is_aware(found) else make_aware(found)


def _words(order: Any) -> str:
    takes = order.measure["takes"]
    said = f"{takes['hands_on_steps']:,} hands-on steps, {takes['rack_visits']:,} visits"
    if alone := order.measure.get("one_by_one"):
        said += f" (one by one: {alone['rack_visits']:,})"
    return f"{said}, {takes['metres']:,.0f} m"
