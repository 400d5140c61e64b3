"""A slice and its circuits in the form of the contract, as they are recorded."""

from typing import Any

from nautobot.users.models import User

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rings.written import job_json
from fabric_twin.models import OpticalCircuit, Slice, Ticket
from fabric_twin.models.slice import PLANNED
from fabric_twin.operations.slices.bearing import shown_bearing
from fabric_twin.operations.slices.rings import read_rings


def slice_json(made: Slice, user: User) -> dict[str, Any]:
    """What `fabric-twin slice --json` would say of it, switches by the names they have here.

    What a dead switch took is among what it does without, and so not among its circuits.

    Half of a slice's circuits are no slice's: who may not see them all sees none.
    """
    if made.is_job:
        return _job_json(made, user)
    core = made.to_core()
    facts = core.as_json(Names(made.pod.to_core().layout, made.pod.name), Circuits.none())
    if core.chips:
        return facts
    rows = _circuits(made, user)
    bearing = shown_bearing(made, user)
    lost = set(bearing.made.without) if bearing else ()
    facts["circuits"] = [
        {"switch": name, "a": f"{a}A", "b": f"{b}B"}
        for switch, a, b, name in rows
        if (switch, a, b) not in lost
    ]
    return facts | (bearing.as_json() if bearing and bearing.made.without else {})


def _job_json(made: Slice, user: User) -> dict[str, Any]:
    """A job of a cluster: its groups as cubes, and its rings with their entries in order."""
    if not may_see_entries(made, user):
        raise _hidden(made)
    now = read_rings(made.pod).now
    state, job = now.state, now.state.job(made.name)
    facts = now.slice_of(job).as_json(state.names, Circuits.none())
    facts["rings"] |= {
        "laid": job_json(state, job).get("rings", []),
        "missing": [
            {"axis": ring.axis, "plane": str(ring.plane), "way": ring.way.value}
            for _, ring in job.missing
        ],
    }
    return facts


def _circuits(made: Slice, user: User) -> list[tuple[int, int, int, str]]:
    """The circuits of a slice, for who may see all of them."""
    circuits = OpticalCircuit.objects.filter(slice=made)
    seen = circuits.restrict(user, "view").order_by("switch__number", "a", "b")
    rows = list(seen.values_list("switch__number", "a", "b", "switch__device__name"))
    if len(rows) != circuits.count():
        raise _hidden(made)
    return rows


def may_see_entries(job: Slice, user: User) -> bool:
    """Whether a user may see all flow entries of a job: a few would look like an open ring.

    Those of a job that is planned are no records yet: they are in the ticket that makes it.
    """
    if job.status.name == PLANNED:
        tickets = Ticket.objects.restrict(user, "view").filter(pod=job.pod, slice=job)
        if not tickets.exists():
            return False
    entries = OpticalCircuit.objects.filter(slice=job)
    sees_all = entries.restrict(user, "view").count() == entries.count()
    return bool(sees_all and user.has_perm("fabric_twin.view_opticalcircuit"))


def _hidden(made: Slice) -> NotPermitted:
    called = ("flow entries", "job") if made.is_job else ("circuits", "slice")
    return NotPermitted(
        f"you may not see all {called[0]} of the {called[1]}",
        where=f"{called[1]} {made.name}",
        remedy="Ask for the permission to view optical circuits",
    )
