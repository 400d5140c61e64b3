"""The acts that a user can do on a finding now: one list for pages, REST and bulk.

What is listed may still be refused when it is done: only then everything is looked at.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.findings.dead_switch import is_dead
from fabric_twin.core.findings.life import FREE
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.planning.remedy_steps import is_manual
from fabric_twin.models import Finding
from fabric_twin.operations.orders.finding_deeds import ADD_SILENCE, FINDING_DEEDS, SILENCE
from fabric_twin.operations.tickets.finding_holders import holders_of

REPAIR, TICKET = "repair", "ticket"


@dataclass(frozen=True)
class _Possible:
    """When something can be done with a finding, and the permission that it takes."""

    states: Collection[str]
    #: Asked of this finding where it is an action, and else of all records of a kind.
    action: str
    permission: str = ""
    #: Whether nobody else may mend the finding, and whether there is something for hands to do.
    if_free: bool = False
    if_manual: bool = False
    #: What the pod must be able to do.
    verb: Verb | None = None


_ACTS = {
    deed.name: _Possible(deed.states, deed.needs, ADD_SILENCE if deed.name == SILENCE else "")
    for deed in FINDING_DEEDS
} | {
    REPAIR: _Possible(
        FREE, "view", "fabric_twin.add_workorder", if_free=True, if_manual=True, verb=Verb.REPAIR
    ),
    TICKET: _Possible(FREE, "view", "fabric_twin.add_ticket", if_free=True, verb=Verb.TAKE_SWITCH),
}


def possible_acts(finding: Finding, user: User) -> frozenset[str]:
    """The names of what this user can do with a finding now."""
    here = {name: act for name, act in _ACTS.items() if finding.state in act.states}
    rows: dict[str, Any] = {
        action: Finding.objects.restrict(user, action).filter(pk=finding.pk)
        for action in {act.action for act in here.values()}
    }
    may = {action for action, mine in rows.items() if mine.exists()}
    allowed = {
        name: act
        for name, act in here.items()
        if act.action in may
        and (not act.permission or user.has_perm(act.permission))
        and (act.verb is None or finding.pod.can(act.verb))
    }
    if is_dead(finding.code, finding.evidence_now):
        allowed.pop(TICKET, None)  # its order mends it: nothing could be read back from it
    manual = is_manual(finding.remedy)
    free = not (any(act.if_free for act in allowed.values()) and holders_of([finding]))
    return frozenset(
        name
        for name, act in allowed.items()
        if (free or not act.if_free) and (manual or not act.if_manual)
    )
