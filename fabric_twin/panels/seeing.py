"""One reading of a pod for a page: its panels share what was read for the user who looks."""

from nautobot.users.models import User

from fabric_twin.models import Pod
from fabric_twin.panels.once import once
from fabric_twin.presenters.slots import Slots
from fabric_twin.presenters.visible_pod import Sight


def sight_of(pod: Pod, user: User) -> Sight:
    """The pod in the eyes of the user."""
    return once(Sight, pod, user)


def slots_of(pod: Pod, user: User) -> Slots:
    """How its slots are used."""
    return once(_slots, pod, user)


def _slots(pod: Pod, user: User) -> Slots:
    return Slots(sight_of(pod, user))
