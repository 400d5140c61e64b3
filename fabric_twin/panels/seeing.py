"""One reading of a pod for a page: its panels share what was read for the user who looks."""

from typing import Any

from fabric_twin.models import Pod
from fabric_twin.repositories.sight import Sight


def sight_of(pod: Pod, user: Any) -> Sight:
    """The pod in the eyes of the user; the record keeps it for as long as the page is made."""
    kept = pod.__dict__.setdefault("_fabric_twin_sight", {})
    if user.pk not in kept:
        kept[user.pk] = Sight(pod, user)
    return kept[user.pk]
