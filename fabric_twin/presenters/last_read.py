"""When a device, or all of a pod, was last read: what pages show is as old as that."""

from collections import Counter
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.moments import age
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.presenters.moments import local_moment


def told_last(at: datetime | None) -> str:
    """A moment and how long ago it was."""
    return f"{local_moment(at)}, {age(at, timezone.now())}" if at else "Never"


def last_read_of(pod: Pod, user: User) -> str:
    """When the devices of a pod answered, as far as the user may see them: the oldest answer."""
    counted, oldest = Counter[str](), []
    for model in (Switch, Block if pod.is_network else Cube):
        rows = model.objects.restrict(user, "view").filter(pod=pod).exclude(address="")
        told = rows.aggregate(
            answered=Count("reading__answered"),
            never=Count("pk", filter=Q(reading__answered=None)),
            silent=Count("reading", filter=~Q(reading__silence="")),
            oldest=Min("reading__answered"),
        )
        oldest += [at] if (at := told.pop("oldest")) else []
        counted += Counter(told)
    said = [told_last(min(oldest, default=None))]
    if counted["answered"] > 1:
        said[0] += f": the oldest answer of {counted['answered']:,} devices"
    if oldest and counted["never"]:
        said.append(f"{counted['never']:,} never answered")
    if counted["silent"]:
        said.append(f"{counted['silent']:,} did not answer the last time")
    return "; ".join(said)
