"""Which findings an order mends: those that are named, or all of a pod that nobody mends yet."""

from collections.abc import Collection, Sequence

from django.db.models import Q, TextField
from django.db.models.functions import Cast
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.planning.remedy_steps import is_manual
from fabric_twin.models import Finding, Pod
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.tickets.finding_holders import free_of, holders_of


def all_to_mend(pod: Pod, user: User) -> tuple[Finding, ...]:
    """All of a pod that the user may see, and that nobody mends."""
    return tuple(free_of(Finding.objects.restrict(user, "view").filter(pod=pod)))


def findings_named(pod: Pod, names: Collection[str], user: User) -> tuple[Finding, ...]:
    """Findings of a pod by ID or key, of those that the user may see."""
    rows = Finding.objects.restrict(user, "view").filter(pod=pod)
    rows = rows.annotate(written_id=Cast("pk", TextField()))
    found = list(rows.filter(Q(key__in=names) | Q(written_id__in=names))) if names else []
    known = {row.key for row in found} | {str(row.pk) for row in found}
    if unknown := [name for name in names if name not in known]:
        raise UnusableInput(
            f"the pod {pod.name} has no finding {unknown[0][:64]!r}, or you may not see it",
            where="findings",
            remedy="Name findings by their ID or key",
        )
    return tuple(found)


def require_seen(findings: Collection[Finding], user: User) -> None:
    """Refuse who may not see all of these."""
    keys = {finding.pk for finding in findings}
    if Finding.objects.restrict(user, "view").filter(pk__in=keys).count() < len(keys):
        raise NotPermitted(
            "there is no such finding, or you may not see it",
            where="findings",
            remedy="Ask for the permission fabric_twin.view_finding",
        )


def check_manual(findings: Sequence[Finding]) -> Pod:
    """The pod whose findings these are; all of one pod, and manual work, or a refusal."""
    if not findings:
        raise UnusableInput("there is none", where="findings", remedy="Choose some of the list")
    pods = sorted({finding.pod.name for finding in findings})
    if len(pods) > 1:
        raise UnusableInput(
            f"they are of the pods {', '.join(pods)}",
            where="findings",
            remedy="An order is of one pod: choose findings of one",
        )
    pod: Pod = findings[0].pod
    pod.to_core().check_can(Verb.REPAIR, NotPossible)
    held = holders_of(findings)
    others = {
        "mended already": [f for f in findings if f.state == FindingStateChoices.MENDED],
        "joined with another one": [f for f in findings if f.state == FindingStateChoices.JOINED],
        "a ticket or another work order mends it": [f for f in findings if f.pk in held],
        "no manual work": [f for f in findings if not is_manual(f.remedy)],
    }
    for why, left in others.items():
        if left:
            named = ", ".join(f"{one} ({held.get(one.pk, one.key)})" for one in left[:5])
            more = f" and {len(left) - 5} more" * (len(left) > 5)
            raise NotPossible(
                f"{why}: {named}{more}",
                where="findings",
                remedy="Leave them out; what a ticket or a record mends has its own button",
            )
    return pod
