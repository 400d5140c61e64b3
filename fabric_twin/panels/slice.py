"""What the page of a slice shows."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.boxes import shape_in_words, wraps_of
from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.sheet import Table
from fabric_twin.documents.slices.detour_map import detour_map, detours_alike, missing_circuits
from fabric_twin.documents.slices.torus_map import torus_map
from fabric_twin.models import Slice, Switch
from fabric_twin.operations.slices.bearing import bearing_of, shown_bearing
from fabric_twin.panels.drawing import DrawingPanel, Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.once import once
from fabric_twin.panels.seeing import sight_of, slots_of, tell_circuits
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.visible_pod import Sight, page


def tell_size(made: Slice, user: User) -> Mapping[str, Any]:
    """How large the slice is, and whether its circuits are there."""
    if made.pod.is_cluster:
        return {}
    sight = sight_of(made.pod, user)
    count = sight.circuits.filter(slice=made).aggregate(
        all=Count("pk"),
        answered=Count("pk", filter=Q(seen=True)),
        on=Count("switch", distinct=True),
    )
    core = made.to_core()
    bearing = once(bearing_of, made)
    circuits = f"{count['all']:,} on {counted(count['on'], 'switch')}"
    wanted = tell_circuits(made, sight, "Circuits", count["all"], circuits, count["answered"])
    return {
        "Chips": f"{core.shape.chips:,}",
        **_tell_cubes(made, sight),
        **(wanted if made.pod.has_circuits else _tell_box(made)),
        **(_tell_capacity(bearing) if bearing else {}),
    }


def _tell_box(made: Slice) -> Mapping[str, Any]:
    """What its cables make of a slice of a static pod."""
    core, design = made.to_core(), made.pod.to_core()
    return {} if core.chips else {"Cables": shape_in_words(design, core.shape.sides)}


def _tell_capacity(bearing: Bearing) -> Mapping[str, Any]:
    """What is left of each axis, and how slow its slowest link is."""
    left = ", ".join(f"{axis.upper()} {share:.4g}" for axis, share in bearing.by_axis.items())
    most = bearing.most_on_a_circuit
    said = f"1/{most + 1}: a circuit carries {counted(most, 'detour')} besides"
    slowest = "a join has no circuit left" if 0 in bearing.capacity else said
    lost = {"Not made": counted(len(bearing.made.without), "circuit"), "Slowest link": slowest}
    return {"Capacity": left, **(lost if bearing.made.without else {})}


def _tell_cubes(made: Slice, sight: Sight) -> Mapping[str, Any]:
    """Which cube its chips are of, or how many cubes it has."""
    core = made.to_core()
    if core.chips:
        slot = core.slots[0]
        url = page("cube", sight.cubes[slot][0]) if slot in sight.cubes else ""
        return {"Cube": link(url, f"{counted(len(core.chips), 'chip')} of cube {slot}")}
    rows = reverse("plugins:fabric_twin:cube_list")
    return {"Cubes": link(f"{rows}?slice={made.pk}", f"{len(core.slots):,}")}


def draw_detours(made: Slice, user: User) -> Drawn | None:
    """What the slice does without, and how that traffic goes."""
    bearing = once(shown_bearing, made, user)
    if bearing is None or not bearing.made.without:
        return None
    owner = owners([made.name], {made.name: made.letter})[made.name]
    switches = sight_of(made.pod, user).of(Switch).filter(pod=made.pod)
    links = {
        f"switch {name}": page("switch", pk)
        for name, pk in switches.values_list("device__name", "pk")
    }
    return Drawn(detour_map(made.pod.name, bearing, owner), made.pod.name, links)


class DetoursPanel(DrawingPanel):
    """Only on the page of a slice that does without something."""

    def should_render(self, context: Any) -> bool:
        """Where something is lost."""
        try:
            bearing = once(bearing_of, get_obj_from_context(context))
        except FabricTwinError:  # the pod's design is gone, as other panels say
            return False
        return super().should_render(context) and bool(bearing and bearing.made.without)


class LostPanel(SheetPanel):
    """A table of what the slice does without."""

    lost: Callable[[Bearing], Table] | None = None

    def table(self, context: Any) -> Table:
        """The rows, for who may see the switches that it names."""
        made, user = get_obj_from_context(context), context["request"].user
        bearing = once(shown_bearing, made, user)
        return self.lost(bearing) if self.lost and bearing else Table("", (), ())

    def should_render(self, context: Any) -> bool:
        """Where something is lost."""
        try:
            return super().should_render(context)
        except FabricTwinError:  # the drawing says why
            return False


def links_of_lost(made: Slice, user: User) -> NameLinks:
    """The pages of the switches that these tables name."""
    bearing = once(shown_bearing, made, user)
    tables = (missing_circuits(bearing), detours_alike(bearing)) if bearing else ()
    return NameLinks(user, made.pod, (cell for one in tables for row in one.rows for cell in row))


def draw_torus(made: Slice, user: User) -> Drawn | None:
    """Where the cubes of the slice stand in its torus."""
    sight, core = sight_of(made.pod, user), made.to_core()
    if not core.slots:
        return None
    owner = owners([made.name], {made.name: made.letter})[made.name]
    slots, design = slots_of(made.pod, user), made.pod.to_core()
    is_box = not (core.chips or design.medium.is_switched)
    wraps = wraps_of(design, core.shape.sides) if is_box else ()
    document = torus_map(
        made.pod.name, core, design.cube, owner, slots.told, slots.gaps, wraps=wraps
    )
    return Drawn(document, made.pod.name, sight.links)
