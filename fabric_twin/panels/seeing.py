"""One reading of a pod for a page: its panels share what was read for the user who looks.

And what the pages of cubes and switches tell of it alike, in pods and in clusters.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.models import Pod, Switch
from fabric_twin.panels.facts import link, links
from fabric_twin.panels.once import once
from fabric_twin.presenters.slots import Slots
from fabric_twin.presenters.visible_pod import HIDDEN, Sight, page


def sight_of(pod: Pod, user: User) -> Sight:
    """The pod in the eyes of the user."""
    return once(Sight, pod, user)


def slots_of(pod: Pod, user: User) -> Slots:
    """How its slots are used."""
    return once(_slots, pod, user)


def _slots(pod: Pod, user: User) -> Slots:
    return Slots(sight_of(pod, user))


def links_of_slices(sight: Sight, slot: int) -> str:
    """The slices, or jobs, that have the cube of a slot or parts of it."""
    names = sight.taken.get(slot, ())
    pages = {name: page("slice", pk) for pk, name in sight.slices.items()}
    shown = links((pages[name], name) for name in names if name != HIDDEN)
    return shown or (HIDDEN if names else "none")


def tell_on_switch(switch: Switch, sight: Sight, called: str) -> Mapping[str, Any]:
    """What is wanted of a switch, and what it said."""
    count = sight.circuits.filter(switch=switch).aggregate(
        of_inventory=Count("pk", filter=Q(wanted=True)),
        of_switch=Count("pk", filter=Q(seen=True)),
        apart=Count("pk", filter=Q(wanted=True, seen=False) | Q(wanted=False, seen=True)),
    )
    rows = f"{reverse('plugins:fabric_twin:opticalcircuit_list')}?switch={switch.pk}"
    return {
        f"{called} wanted": link(f"{rows}&wanted=True", count["of_inventory"]),
        f"{called} seen": link(f"{rows}&seen=True", count["of_switch"]),
        "Wanted and seen differ": link(f"{rows}&drift=True", count["apart"]),
    }
