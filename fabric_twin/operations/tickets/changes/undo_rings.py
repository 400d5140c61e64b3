"""Jobs of a cluster whose entries would make no rings any more, were a ticket of it undone."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from fabric_twin.core.circuits.plans import Key
from fabric_twin.core.rings.follow import with_rings_of
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.wiring import Exit
from fabric_twin.models import OpticalCircuit, Pod
from fabric_twin.operations.slices.rings import RingsRecord, read_rings
from fabric_twin.operations.tickets.changes.effects import slice_of
from fabric_twin.operations.tickets.changes.to_core import Changes


def entries_since(pod: Pod, changes: Changes) -> Iterator[str]:
    """What other entries jobs of the ticket have got since, job by job.

    What a job has is what the ticket left it and what it did not touch. Undone, all of that has to
    be rings through the groups that the job had: an entry that is in none came later.
    """
    rings, wanted = read_rings(pod), _wanted(pod)
    state = rings.state
    jobs = _by_their_names_then(pod, changes, state.jobs)
    first = state.wiring.cluster.groups
    switches = {name: first + n for n, name in enumerate(state.names.switches)}
    circuits = changes.circuits
    before, now = (
        _by_job(found, switches) for found in (circuits.wanted(0), circuits.wanted_at_last())
    )
    back = {entry for of in before.values() for entry in of}
    back -= {entry for of in now.values() for entry in of}
    yield from _no_room(rings, back, changes)
    made, released = _names(changes, "make-slice"), _names(changes, "release-slice")
    moved = {one["from"]["name"]: one["to"] for one in changes.effects.moves}
    for name in sorted({*before, *now, *moved} - released):
        called = jobs[name].name if name in jobs else name
        has = {Entry(first + number, a, b) for number, a, b in wanted[called]}
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
        was = _as_it_was(name, jobs[name], changes)
        had = (has - now[name]) | before[name]
        whole = with_rings_of(state.wiring, was, had).rings
        if more := had - {entry for ring in whole for entry in ring.entries}:
            yield f"job {name} has other entries since: {_told(state.names.device, more)}"


def _by_their_names_then(pod: Pod, changes: Changes, jobs: Iterable[Job]) -> dict[str, Job]:
    """The jobs of a ticket by the names that they had: who was renamed since is the same."""
    keys = {name: key for key, name in changes.effects.of_slices.items()} | dict(
        changes.circuits.owners
    )
    called = dict(pod.slices.values_list("pk", "name"))
    now = {job.name: job for job in jobs}
    found = {name: now.get(called.get(key, "")) for name, key in keys.items()}
    return {name: job for name, job in found.items() if job}


def _no_room(rings: RingsRecord, back: set[Entry], changes: Changes) -> Iterator[str]:
    """Ports that are out of service, or that entries of nobody have, where others come back."""
    state, wiring = rings.state, rings.state.wiring
    switches = {name: wiring.cluster.groups + n for n, name in enumerate(state.names.switches)}
    own = {
        Exit(switches[one["switch"]], int(port.rstrip("AB")))
        for one in changes.effects.statuses
        for port in one.get("ports", ())
        if one["switch"] in switches
    }
    bad = wiring.exits_at(rings.record.bad_ports) - own
    bad |= {far for exit_ in bad if (far := wiring.far(exit_))}
    for entry in sorted(back):
        for port in (entry.into, entry.out):
            if Exit(entry.switch, port) in bad:
                name = state.names.device(entry.switch)
                yield f"port {port} of {name}, or the other end of its cable, is out of service"
    for entry in sorted(rings.now.left_over - back):
        same = [other for other in back if other.switch == entry.switch]
        if any(entry.into == other.into or entry.out == other.out for other in same):
            yield f"an entry of nobody is there: {_told(state.names.device, {entry})}"


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


def _as_it_was(name: str, job: Job, changes: Changes) -> Job:
    """The job on the groups that it had before the ticket."""
    for one in changes.effects.moves:
        if one["from"]["name"] == name:
            return job.on(_groups(one["from"]))
    return job


def _groups(facts: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(cube["slot"] - 1 for cube in facts["cubes"])


def _told(device: Callable[[int], str], entries: set[Entry]) -> str:
    switch, into, out = min(entries)
    more = f" and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    return f"{into} -> {out} on {device(switch)}{more}"
