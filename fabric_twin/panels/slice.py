"""What the page of a slice shows."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse

from fabric_twin.documents.owners import owners
from fabric_twin.documents.torus_map import torus_map
from fabric_twin.models import Slice
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of


def tell_size(made: Slice, user: Any) -> Mapping[str, Any]:
    """How large the slice is, and whether its circuits are there."""
    sight = sight_of(made.pod, user)
    count = sight.circuits.filter(slice=made).aggregate(
        all=Count("pk"),
        answered=Count("pk", filter=Q(seen=True)),
        on=Count("switch", distinct=True),
    )
    rows = reverse("plugins:fabric_twin:opticalcircuit_list")
    core = made.to_core()
    where = f"{len(core.chips)} chips of one cube" if core.chips else f"{len(core.slots):,}"
    circuits = f"{count['all']:,} on {count['on']:,} switch{'es' * (count['on'] != 1)}"
    return {
        "Chips": f"{core.shape.chips:,}",
        "Cubes": where,
        "Circuits wanted": link(f"{rows}?slice={made.pk}", circuits) if count["all"] else "none",
        "Circuits seen": f"{count['answered']:,}" if count["all"] else "none",
    }


def draw_torus(made: Slice, user: Any) -> Drawn | None:
    """Where the cubes of the slice stand in its torus."""
    sight, core = sight_of(made.pod, user), made.to_core()
    if not core.slots:
        return None
    owner = owners(sight.slices.values())[made.name]
    document = torus_map(made.pod.name, core, made.pod.to_core().cube, owner)
    return Drawn(document, made.pod.name, sight.links)
