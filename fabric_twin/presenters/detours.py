"""Where traffic goes whose circuit a slice does without, as a user may see it."""

from nautobot.users.models import User

from fabric_twin.documents.pods.detours import PortDetour, detours_by_port
from fabric_twin.models import Pod
from fabric_twin.operations.slices.bearing import bearings_in, may_see_switches


def detours_of(pod: Pod, user: User) -> dict[int, PortDetour]:
    """By cube port; none for who may not see the switches that they name."""
    bearings = bearings_in(pod, user)
    if not bearings or not may_see_switches(pod, user):
        return {}
    return {
        port: detour
        for bearing in bearings
        for port, detour in detours_by_port(bearing, dict(bearing.reasons())).items()
    }
