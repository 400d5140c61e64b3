"""Jobs of a cluster whose entries would make no rings any more, were a ticket of it undone."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabric_twin.core.circuits.plans import Key
from fabric_twin.core.rings.follow import with_rings_of
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.ring import Entry
from fabric_twin.models import OpticalCircuit, Pod
from fabric_twin.operations.slices.rings import read_rings
from fabric_twin.operations.tickets.changes.effects import slice_of
from fabric_twin.operations.tickets.changes.to_core import Changes


def entries_since(pod: Pod, changes: Changes) -> Iterator[str]:
    """What other entries jobs of the ticket have got since, job by job.

    What a job has is what the ticket left it and what it did not touch. Undone, all of that has to
    be rings through the groups that the job had: an entry that is in none came later.
    """
    state, wanted = read_rings(pod).state, _wanted(pod)
    jobs = {job.name: job for job in state.jobs}
    first = state.wiring.cluster.groups
    switches = {name: first + n for n, name in enumerate(state.names.switches)}
    last = len(changes.course.stages)
    before, now = (_by_job(changes.circuits.wanted(at), switches) for at in (0, last))
    made, released = _names(changes, "make-slice"), _names(changes, "release-slice")
    moved = {one["from"]["name"]: one["to"] for one in changes.effects.moves}
    for name in sorted({*before, *now, *moved} - released):
        has = {Entry(first + number, a, b) for number, a, b in wanted[name]}
        if name in made:
            if more := has - now[name]:
                yield f"job {name} has got {_told(state.names.device, more)} since"
            continue
        if name not in jobs:
            yield f"job {name} is gone"
            continue
        if name in moved and jobs[name].groups != _groups(moved[name]):
            yield f"job {name} stands on other groups since"
            continue
        was = _as_it_was(jobs[name], changes)
        back = (has - now[name]) | before[name]
        rings = with_rings_of(state.wiring, was, back).rings
        if more := back - {entry for ring in rings for entry in ring.entries}:
            yield f"job {name} has other entries since: {_told(state.names.device, more)}"


def _wanted(pod: Pod) -> Mapping[str, list[tuple[int, int, int]]]:
    rows = OpticalCircuit.objects.filter(switch__pod=pod, wanted=True, slice__isnull=False)
    found: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for name, *entry in rows.order_by().values_list("slice__name", "switch__number", "a", "b"):
        number, a, b = entry
        found[name].append((number, a, b))
    return found


def _by_job(wanted: Mapping[Key, str], switches: Mapping[str, int]) -> dict[str, set[Entry]]:
    found: dict[str, set[Entry]] = defaultdict(set)
    for (switch, a, b), name in wanted.items():
        if name:
            found[name].add(Entry(switches[switch], int(a[:-1]), int(b[:-1])))
    return found


def _names(changes: Changes, what: str) -> set[str]:
    return {slice_of(one)["name"] for one in changes.effects.all if one["do"] == what}


def _as_it_was(job: Job, changes: Changes) -> Job:
    """The job on the groups that it had before the ticket."""
    for one in changes.effects.moves:
        if one["from"]["name"] == job.name:
            return job.on(_groups(one["from"]))
    return job


def _groups(facts: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(cube["slot"] - 1 for cube in facts["cubes"])


def _told(device: Callable[[int], str], entries: set[Entry]) -> str:
    switch, into, out = min(entries)
    more = f" and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    return f"{into} -> {out} on {device(switch)}{more}"
