"""States and changes of rings for programs; a state is read back by `inventory/groups/state.py`."""

from collections.abc import Iterable
from typing import Any

from fabric_twin.core.rings.change import Change
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.ring import Entry, Ring
from fabric_twin.core.rings.state import State


def state_json(state: State) -> dict[str, Any]:
    """All of a state; groups and switches have their names within the cluster."""
    groups = state.wiring.cluster.groups
    return {
        "version": 1,
        "cluster": state.names.pod,
        "design": state.wiring.design.name,
        "kept_back": state.kept_back,
        "lost": {
            "groups": [short(state, device) for device in sorted(state.lost) if device < groups],
            "switches": [short(state, device) for device in sorted(state.lost) if device >= groups],
        },
        "jobs": [job_json(state, job) for job in state.jobs],
    }


def job_json(state: State, job: Job) -> dict[str, Any]:
    """A job with its groups and rings."""
    facts: dict[str, Any] = {"name": job.name, "form": job.form.value}
    if job.processors:
        facts["processors"] = job.processors
    if job.form is Form.RECTANGLE:
        facts["columns"] = job.columns
    facts["groups"] = _groups(state, job.groups)
    if job.form is Form.SMALL:
        return facts
    return facts | {
        "axes": [{"name": of.name, "planes": [*map(str, of.planes)]} for of in job.axes],
        "both_ways": job.both_ways,
        "rings": [_ring(state, ring) for ring in job.rings],
    }


def _ring(state: State, ring: Ring) -> dict[str, Any]:
    return {
        "axis": ring.axis,
        "plane": str(ring.plane),
        "way": ring.way.value,
        "groups": _groups(state, ring.groups),
        "entries": [f"{short(state, at)} {into}->{out}" for at, into, out in ring.entries],
    }


def _groups(state: State, groups: Iterable[int]) -> list[str]:
    return [state.names.short(group + 1) for group in groups]


def short(state: State, device: int) -> str:
    """A group or a switch, as it is called within its cluster."""
    return state.names.device(device).removeprefix(f"{state.names.pod}-")


def change_json(change: Change) -> dict[str, Any]:
    """What to remove and to add, by the full names of switches."""
    state = change.after
    return {
        "version": 1,
        "cluster": state.names.pod,
        "design": state.wiring.design.name,
        "told": list(change.told),
        "interrupted": list(change.interrupted),
        "changes": change.changes,
        "lower_bound": change.lower_bound,
        "remove": entries_json(state, change.remove),
        "gone": entries_json(state, change.gone),
        "add": entries_json(state, change.add),
    }


def entries_json(state: State, entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Entries as a switch is told them."""
    return [
        {"switch": state.names.device(switch), "in": into, "out": out}
        for switch, into, out in entries
    ]
