"""The job that discovers the cables of a pod, asked for from its page or over REST."""

from nautobot.extras.models import JobResult
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.dispatch import require_job, run_job, waiting_job
from fabric_twin.operations.pods.ask_sync import has_address
from fabric_twin.operations.pods.audit_schedule import check_light_test
from fabric_twin.repositories.permissions import require_of

JOB = "fabric_twin.tasks.discover_cables.DiscoverCables"


def ask_for_discovery(pod: Pod, user: User) -> JobResult:
    """Let a worker discover the cables of a pod by light."""
    require_job(JOB, user, f"pod {pod}")
    check_discoverable(pod, user)
    wish = {"pod": pod}
    return waiting_job(JOB, user, wish) or run_job(JOB, user, f"pod {pod}", **wish)


def check_discoverable(pod: Pod, user: User | None) -> None:
    """Refuse who may not change all switches of the pod, and a pod that nobody can look at.

    In a cluster nothing is switched: who sees all of its devices may have them asked.
    """
    if pod.is_cluster:
        require_of(user, "view", [pod.switches.all(), pod.cubes.all()])
    else:
        check_light_test(pod, user)
    pod.to_core().check_can(Verb.DISCOVER_BY_JOB)
    if not has_address(pod):
        raise NotPossible(
            "no device of it has an address",
            where=f"{pod.kind.noun} {pod}",
            remedy="Give it the one where it answers gNMI",
        )


def can_be_discovered(pod: Pod) -> bool:
    """Whether there is something to look at, and somebody who could answer."""
    try:
        return why_not(pod.to_core().kind, Verb.DISCOVER_BY_JOB) is None and has_address(pod)
    except FabricTwinError:  # its design is not installed here
        return False


def last_discovery(pod: Pod, user: User) -> AuditRun | None:
    """The last one of a pod that ended well, as far as the user may see it."""
    done = AuditRun.objects.restrict(user, "view").filter(
        pod=pod, scope=ScopeChoices.CABLES, state=RunStateChoices.DONE
    )
    found: AuditRun | None = done.order_by("-number").select_related("pod").first()
    return found
