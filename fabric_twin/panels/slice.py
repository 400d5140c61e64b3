"""What the page of a slice shows."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.slices.torus_map import torus_map
from fabric_twin.models import Slice
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of, slots_of
from fabric_twin.presenters.visible_pod import Sight, page


def tell_size(made: Slice, user: User) -> Mapping[str, Any]:
    """How large the slice is, and whether its circuits are there."""
    sight = sight_of(made.pod, user)
    count = sight.circuits.filter(slice=made).aggregate(
        all=Count("pk"),
        answered=Count("pk", filter=Q(seen=True)),
        on=Count("switch", distinct=True),
    )
    rows = reverse("plugins:fabric_twin:opticalcircuit_list")
    core = made.to_core()
    circuits = f"{count['all']:,} on {count['on']:,} switch{'es' * (count['on'] != 1)}"
    return {
        "Chips": f"{core.shape.chips:,}",
        **_tell_cubes(made, sight),
        "Circuits wanted": link(f"{rows}?slice={made.pk}", circuits) if count["all"] else "none",
        "Circuits seen": f"{count['answered']:,}" if count["all"] else "none",
    }


def _tell_cubes(made: Slice, sight: Sight) -> Mapping[str, Any]:
    """Which cube its chips are of, or how many cubes it has."""
    core = made.to_core()
    if core.chips:
        slot = core.slots[0]
        url = page("cube", sight.cubes[slot][0]) if slot in sight.cubes else ""
        chips = f"{len(core.chips)} chip{'s' * (len(core.chips) != 1)}"
        return {"Cube": link(url, f"{chips} of cube {slot}")}
    rows = reverse("plugins:fabric_twin:cube_list")
    return {"Cubes": link(f"{rows}?slice={made.pk}", f"{len(core.slots):,}")}


def draw_torus(made: Slice, user: User) -> Drawn | None:
    """Where the cubes of the slice stand in its torus."""
    sight, core = sight_of(made.pod, user), made.to_core()
    if not core.slots:
        return None
    owner = owners([made.name], {made.name: made.letter})[made.name]
    slots, cube = slots_of(made.pod, user), made.pod.to_core().cube
    document = torus_map(made.pod.name, core, cube, owner, slots.told, slots.gaps)
    return Drawn(document, made.pod.name, sight.links)
