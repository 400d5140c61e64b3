"""What pages show of the jobs of a cluster: who has which group, and which entries make a ring."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.html import format_html
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.groups.labels import DIMENSIONS
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.place import words
from fabric_twin.core.rings.plane import parse_planes
from fabric_twin.documents.groups.jobs import axes_told, left_told, processors_of, rings_table
from fabric_twin.documents.groups.plane_map import plane_map
from fabric_twin.documents.groups.rings_report import what
from fabric_twin.documents.sheet import Table, table
from fabric_twin.models import OpticalCircuit, Pod, Slice, Switch
from fabric_twin.models.slice import PLANNED
from fabric_twin.operations.slices.as_json import may_see_entries
from fabric_twin.panels.clusters.cluster import layout_of
from fabric_twin.panels.drawing import Drawn, PanelOfSome
from fabric_twin.panels.facts import link
from fabric_twin.panels.once import once
from fabric_twin.panels.seeing import sight_of, tell_circuits
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.presenters.clusters.jobs import JobsSight
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.visible_pod import page

_JOBS = "job,status,on,processors,rings,rings left"
_ENTRIES = "in,out,job,wanted,seen"


class SeenTablePanel(PanelOfSome):
    """A table as the user may see it; its cells are links already."""

    read: Callable[[Any, User], Table] | None = None
    #: What is said where there is no row; without it, the panel is left out.
    nothing = ""
    body_content_template_path = "fabric_twin/panels/seen_table.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The rows, or why there are none."""
        record, user = get_obj_from_context(context), context["request"].user
        shown: dict[str, Any] = {"nothing": self.nothing}
        try:
            shown["table"] = self.read(record, user) if self.read else None
        except FabricTwinError as refusal:
            shown["refusal"] = str(refusal)
        return {**super().get_extra_context(context), **shown}


def jobs_of(pod: Pod, user: User) -> Table:
    """The jobs of a cluster, one a row."""
    seen = once(JobsSight, pod, user)
    state = seen.whole
    rows: list[tuple[str, ...]] = []
    for job in seen.jobs:
        made = seen.slices[job.name]
        rows.append(
            (
                format_html("{} {}", made.letter, link(page("slice", made.pk), job.name)),
                made.status.name,
                words(state, job.groups),
                f"{processors_of(state, job):,}",
                axes_told(state.wiring.cluster, job) or "none",
                _left(seen, job, made),
            )
        )
    if seen.hidden:
        rows.append((f"{counted(seen.hidden, 'job')} that you may not see", *[""] * 5))
    return table("Jobs", _JOBS, rows)


def tell_job(made: Slice, user: User) -> Mapping[str, Any]:
    """What a job is, where it is, and what it has of its rings."""
    if not made.pod.is_cluster:
        return {}
    seen = once(JobsSight, made.pod, user)
    state = seen.whole
    job = state.job(made.name)
    sight = sight_of(made.pod, user)
    count = sight.circuits.filter(slice=made).aggregate(
        all=Count("pk"),
        seen=Count("pk", filter=Q(seen=True)),
        on=Count("switch", distinct=True),
    )
    cubes = reverse("plugins:fabric_twin:cube_list")
    wanted = f"{count['all']:,} on {counted(count['on'], 'switch')}"
    told = {
        "What": what(state, job),
        "Groups": link(f"{cubes}?slice={made.pk}", words(state, job.groups)),
        "Processors": f"{processors_of(state, job):,}",
    }
    if not job.axes:
        return told
    return told | {
        "Rings": axes_told(state.wiring.cluster, job),
        "Rings left": _left(seen, job, made),
        "Rate of a ring": f"{1 - state.kept_back:.4g} of each of its links, one way",
        **tell_circuits(made, sight, "Flow entries", count["all"], wanted, count["seen"]),
    }


def _left(seen: JobsSight, job: Job, made: Slice) -> str:
    """What is left of what it asked for, and what of that switches do not show."""
    if made.status.name == PLANNED:
        return "to come"
    missing = {entry for ring in job.rings for entry in ring.entries} & seen.record.now.missing
    more = f"; switches lack {counted(len(missing), 'entry')}" if missing else ""
    return left_told(seen.whole, job) + more


class RingsPanel(SheetPanel):
    """The rings of a job, with their entries for who may see them all."""

    def table(self, context: Any) -> Table:
        """The rows."""
        return once(rings_of, get_obj_from_context(context), context["request"].user)

    def should_render(self, context: Any) -> bool:
        """Of a job that has rings."""
        try:
            return super().should_render(context)
        except FabricTwinError:  # the facts say why
            return False


def rings_of(made: Slice, user: User) -> Table:
    """The rings of a job."""
    if not made.is_job:
        return Table("", (), ())
    seen = once(JobsSight, made.pod, user)
    state = seen.whole
    return rings_table(state, state.job(made.name), shows_entries=may_see_entries(made, user))


def links_of_rings(made: Slice, user: User) -> NameLinks:
    """The pages of the switches that its rings pass."""
    rows = once(rings_of, made, user).rows
    return NameLinks(user, made.pod, (row[-1] for row in rows))


def has_rings_in(dimension: int) -> Callable[[Slice, User], bool]:
    """Whether a job has rings along rows, or along columns."""
    return lambda made, _user: bool(_first_plane(made, dimension))


def draw_plane(dimension: int) -> Callable[[Slice, User], Drawn | None]:
    """The first plane of rows, or of columns, that a job has rings in."""

    def draw(made: Slice, user: User) -> Drawn | None:
        seen, name = once(JobsSight, made.pod, user), _first_plane(made, dimension)
        if not name:
            return None
        [plane] = parse_planes(name, layout_of(made.pod).cluster, "")
        found = plane_map(seen.drawn, plane, seen.sight.letters, seen.record.absent)
        return Drawn(found, made.pod.name, {})

    return draw


def _first_plane(made: Slice, dimension: int) -> str:
    """By its name: the design may be gone."""
    names = (name for axis in made.rings.get("axes", ()) for name in axis["planes"])
    return next((name for name in names if name.startswith(DIMENSIONS[dimension])), "")


def entries_of(switch: Switch, user: User) -> Table:
    """The flow entries of a packet switch, wanted or seen."""
    sight = sight_of(switch.pod, user)
    rows = sight.circuits.filter(switch=switch).order_by("a", "b")
    cells: list[tuple[str, ...]] = []
    for pk, into, out, of, wanted, seen in rows.values_list(
        "pk", "a", "b", "slice", "wanted", "seen"
    ):
        url = page("slice", of) if of in sight.slices else ""
        cells.append(
            (
                link(page("opticalcircuit", pk), into),
                out,
                link(url, sight.slice_name(of)),
                "yes" if wanted else "no",
                "yes" if seen else "no",
            )
        )
    there = OpticalCircuit.objects.filter(switch=switch).count()
    if hidden := there - len(cells):
        told = f"{counted(hidden, 'entry')} that you may not see"
        cells.append((told, *[""] * _ENTRIES.count(",")))
    return table("Flow entries", _ENTRIES, cells)
