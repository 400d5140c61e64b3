"""One reading of a pod for a page: its panels share what was read for the user who looks.

And what the pages of cubes and switches tell of it alike, in pods and in clusters.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.models import OpticalCircuit, Pod, Port, Slice, Switch
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


def figure(sight: Sight, there: Any, many: int, text: str, url: str = "") -> str:
    """A figure about some rows with their list, as far as the user may know it."""
    told = sight.told(there, many, text)
    return link("" if told == HIDDEN else url, told)


def list_of(model: str, pod: Pod, more: str = "") -> str:
    """Where the list of a model is, for one pod."""
    return f"{reverse(f'plugins:fabric_twin:{model}_list')}?pod={pod.name}{more}"


def tell_cabled(sight: Sight, ports: int, **of: Any) -> str:
    """How many of the ports of a cube or a switch have a cable."""
    there = Port.objects.filter(interface__cable_termination__isnull=False, **of)
    cabled = there.restrict(sight.user, "view").count()
    return sight.told(there, cabled, f"{cabled:,} of {ports:,}")


def tell_circuits(
    made: Slice, sight: Sight, called: str, many: int, wanted: str, seen: int
) -> Mapping[str, Any]:
    """How many circuits, or flow entries, a slice has, and how many of them switches show."""
    there = OpticalCircuit.objects.filter(slice=made)
    listed = f"{reverse('plugins:fabric_twin:opticalcircuit_list')}?slice={made.pk}"
    return {
        f"{called} wanted": figure(
            sight, there, many, wanted if many else "none", listed if many else ""
        ),
        f"{called} seen": sight.told(there, many, f"{seen:,}" if many else "none"),
    }


def tell_on_switch(switch: Switch, sight: Sight, called: str) -> Mapping[str, Any]:
    """What is wanted of a switch, and what it said."""
    there = OpticalCircuit.objects.filter(switch=switch)
    count = sight.circuits.filter(switch=switch).aggregate(
        all=Count("pk"),
        of_inventory=Count("pk", filter=Q(wanted=True)),
        of_switch=Count("pk", filter=Q(seen=True)),
        apart=Count("pk", filter=Q(wanted=True, seen=False) | Q(wanted=False, seen=True)),
    )
    rows = f"{reverse('plugins:fabric_twin:opticalcircuit_list')}?switch={switch.pk}"
    told = (
        (f"{called} wanted", "wanted", count["of_inventory"]),
        (f"{called} seen", "seen", count["of_switch"]),
        ("Wanted and seen differ", "drift", count["apart"]),
    )
    return {
        name: figure(sight, there, count["all"], many, f"{rows}&{asked}=True")
        for name, asked, many in told
    }
