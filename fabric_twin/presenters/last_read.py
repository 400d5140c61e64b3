"""When a device, or all of a pod, was last read: what pages show is as old as that."""

from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.moments import age
from fabric_twin.models import Cube, Pod, Reading, Switch
from fabric_twin.presenters.moments import local_moment


def told_last(at: datetime | None) -> str:
    """A moment and how long ago it was."""
    return f"{local_moment(at)}, {age(at, timezone.now())}" if at else "Never"


def last_read_of(pod: Pod, user: User) -> str:
    """When the devices of a pod answered, as far as the user may see them: the oldest answer."""
    switches, cubes = (
        model.objects.restrict(user, "view").filter(pod=pod) for model in (Switch, Cube)
    )
    rows = Reading.objects.filter(Q(switch__in=switches) | Q(cube__in=cubes), pod=pod)
    told = rows.aggregate(
        many=Count("pk"), oldest=Min("answered"), silent=Count("pk", filter=~Q(silence=""))
    )
    said = told_last(told["oldest"])
    if told["oldest"] and told["many"] > 1:
        said += f": the oldest answer of {told['many']:,} devices"
    return f"{said}; {told['silent']:,} did not answer the last time" if told["silent"] else said
