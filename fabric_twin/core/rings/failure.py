"""A group or a switch is lost, or comes back: what of each job goes another way.

group, small jobs     each goes to another group
group, sequence       a free group of the same switch takes its place; else one over other switches
group, rectangle      its row or its column of the job gives way to a free one
switch of groups      the rings of one lane of one row of processors go; the other lanes remain
switch between those  its rings go another way, where links are left
cable                 the same
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.rings.ask import made
from fabric_twin.core.rings.bound import fewest_changes
from fabric_twin.core.rings.change import Change
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.laying import Laying
from fabric_twin.core.rings.place import WORDS, words
from fabric_twin.core.rings.ring import Ring
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit
from fabric_twin.core.rings.wish import Wish


def fail(state: State, device: int) -> Change:
    """Go on without a group or a switch: each job that it hits, in the order of their names."""
    if device in state.lost:
        raise UnusableInput(
            f"{state.names.device(device)} is lost already",
            where="rings",
            remedy="Name what is there",
        )
    after = replace(state, lost=state.lost | {device})
    is_group = device < state.wiring.cluster.groups
    told: list[str] = []
    hit: list[str] = []
    for job in sorted(state.jobs, key=lambda job: job.name):
        if is_group:
            found = _without_group(after, job, device)
        else:
            found = _rerouted(after, job, lambda ring: _passes(ring, device))
        if found is not job or device in job.groups:
            after = after.with_job(found)
            hit.append(job.name)
            told.append(_told(after, job, found))
    bound = fewest_changes(state, after, device)
    return Change(state, after, bound, tuple(told), tuple(hit))


def repair(state: State, device: int) -> Change:
    """A group or a switch is there again: rings that are missing are laid where they can be."""
    if device not in state.lost:
        raise UnusableInput(
            f"{state.names.device(device)} is not lost", where="rings", remedy="Name what is"
        )
    return _all_completed(state, replace(state, lost=state.lost - {device}))


def without_links(state: State, ports: Collection[Exit]) -> Change:
    """Go on without the cables at some ports of switches: rings go other ways, or go."""
    after = replace(state, held_links=state.held_links | _both_ways(state, ports))

    def at_ports(ring: Ring) -> int:
        ends = (((e.switch, e.into), (e.switch, e.out)) for e in ring.entries)
        return sum(any(end in ports for end in pair) for pair in ends)

    told, hit, bound = list[str](), list[str](), 0
    for job in sorted(state.jobs, key=lambda job: job.name):
        found = _rerouted(after, job, lambda ring: at_ports(ring) > 0)
        if found is job:
            continue
        after = after.with_job(found)
        hit.append(job.name)
        told.append(_told(after, job, found))
        goes_on = found.by_number
        for number, ring in job.by_number.items():
            bound += at_ports(ring) * (2 if number in goes_on else 1)
    return Change(state, after, bound, tuple(told), tuple(hit))


def with_links(state: State, ports: Collection[Exit]) -> Change:
    """The cables at some ports are there again: rings that are missing are laid where they can."""
    links = state.held_links - _both_ways(state, ports)
    return _all_completed(state, replace(state, held_links=links))


def _all_completed(state: State, after: State) -> Change:
    """Every job with the rings that it was missing, where they can be laid."""
    told = []
    for job in sorted(state.jobs, key=lambda job: job.name):
        found = _completed(after, job)
        if found is not job:
            after = after.with_job(found)
            told.append(_told(after, job, found))
        elif state.stands_still(job) and not after.stands_still(job):
            told.append(f"{job.name} goes on: all that it has is there again")
    added = sum(len(ring.entries) for ring in after.rings)
    return Change(state, after, added - sum(len(ring.entries) for ring in state.rings), tuple(told))


def _both_ways(state: State, ports: Collection[Exit]) -> set[Exit]:
    """Both directions of the links at some ports."""
    return {end for port in ports for end in (port, state.wiring.far(port)) if end}


def _completed(state: State, job: Job) -> Job:
    """The job with those of its missing rings that can be laid, one by one."""
    rings = dict(job.by_number)
    for number, wanted in job.missing:
        laying = Laying(state, [*state.others(job.name), *rings.values()])
        try:
            [rings[number]] = laying.lay([(wanted, None)])
        except NotPossible:
            continue
    return job.with_rings(rings) if len(rings) > len(job.rings) else job


def _without_group(state: State, job: Job, group: int) -> Job:
    """The job without a group that is lost; as it was where it has nowhere to go."""
    if group not in job.groups:
        return job
    if state.lost.intersection(job.groups) != {group}:
        return _elsewhere(state, job) or job  # it stood still before
    moved = (_moved_to(state, job, groups) for groups in _options(state, job, group))
    found = [again for again in moved if again]
    if found:
        # Where it goes, lanes may be there again that it had lost.
        return _completed(state, min(found, key=lambda again: _differs(job, again)))
    return _elsewhere(state, job) or job


def _options(state: State, job: Job, group: int) -> Iterator[tuple[int, ...]]:
    """The groups that it could have instead; of those that are alike, one."""
    if job.form is Form.SEQUENCE:
        yield from _in_sequence(state, job, group)
    elif job.form is Form.RECTANGLE:
        for axis in (0, 1):
            if instead := _line_instead(state, job, group, axis):
                yield instead


def _in_sequence(state: State, job: Job, group: int) -> Iterator[tuple[int, ...]]:
    """A free group in its place, or after the last of the job's own in another row.

    A row's free groups are alike: the first stands for all.
    """
    axis, serves = job.axes[0].planes[0].axis, state.wiring.serves
    at = job.groups.index(group)
    first: dict[int, int] = {}
    for free in state.free:
        first.setdefault(serves(free, axis), free)
    here = serves(group, axis)
    for row, free in sorted(first.items(), key=lambda item: (item[0] != here, item)):
        yield (*job.groups[:at], free, *job.groups[at + 1 :])
        if row == here:
            return
        rest = [*job.groups[:at], *job.groups[at + 1 :]]
        last = [number for number, other in enumerate(rest) if serves(other, axis) == row]
        if last:
            yield (*rest[: last[-1] + 1], free, *rest[last[-1] + 1 :])


def _line_instead(state: State, job: Job, group: int, axis: int) -> tuple[int, ...] | None:
    """A rectangle with a free row (or column) in place of the one of a lost group.

    Of several, the one with the fewest free groups beside those it takes.
    """
    wiring, columns = state.wiring, state.wiring.cluster.columns
    old = wiring.serves(group, axis)
    taken = {wiring.serves(other, axis) for other in job.groups}
    across = {wiring.serves(other, 1 - axis) for other in job.groups}
    needed = {plane for of in job.axes for plane in of.planes if plane.axis == axis}
    found = []
    for new in range(1, wiring.cluster.tier_0(axis) + 1):
        line = [_at(axis, new, other, columns) for other in across]
        is_there = not any(wiring.tier_0(plane, new) in state.lost for plane in needed)
        if new not in taken and is_there and all(map(state.is_free, line)):
            free = sum(wiring.serves(other, axis) == new for other in state.free)
            found.append((free, new))
    if not found:
        return None
    _, new = min(found)
    return tuple(
        _at(axis, new, wiring.serves(other, 1 - axis), columns)
        if wiring.serves(other, axis) == old
        else other
        for other in job.groups
    )


def _at(axis: int, serves: int, across: int, columns: int) -> int:
    row, column = (serves, across) if axis == 0 else (across, serves)
    return (row - 1) * columns + column - 1


def _moved_to(state: State, job: Job, groups: tuple[int, ...]) -> Job | None:
    """The job on other groups: rings that pass none of those that change stay as they are."""
    new, old = job.on(groups), job.by_number
    wanted = [pair for pair in enumerate(new.wanted) if pair[0] in old]
    laying = Laying(state, state.others(job.name))
    try:
        rings = laying.lay([(ring, old[number]) for number, ring in wanted])
    except NotPossible:
        return None
    return new.with_rings(dict(zip((number for number, _ in wanted), rings, strict=True)))


def _elsewhere(state: State, job: Job) -> Job | None:
    """The whole job on groups that are free once it is gone."""
    rows = len(job.groups) // job.columns if job.columns else 0
    wish = Wish(
        job.name,
        job.form,
        job.processors,
        rows,
        job.columns,
        job.axes,
        job.both_ways,
    )
    try:
        return made(state.without(job.name), wish)
    except NotPossible:
        return None


def _rerouted(state: State, job: Job, is_hit: Callable[[Ring], bool]) -> Job:
    """The job with its hit rings over other links where any are left, else without those rings."""
    rings = dict(job.by_number)
    hit = {number: ring for number, ring in rings.items() if is_hit(ring)}
    if not hit:
        return job
    for number, ring in hit.items():
        # What the others had is theirs until their turn comes.
        others = [other for place, other in rings.items() if place != number]
        laying = Laying(state, [*state.others(job.name), *others])
        try:
            [rings[number]] = laying.lay([(ring, ring)])
        except NotPossible:
            del rings[number]
    found = job.with_rings(rings)
    return found if found.share else _elsewhere(state, job) or found


def _passes(ring: Ring, switch: int) -> bool:
    return any(entry.switch == switch for entry in ring.entries)


def _differs(job: Job, other: Job) -> int:
    before = {entry for ring in job.rings for entry in ring.entries}
    return len(before.symmetric_difference(e for ring in other.rings for e in ring.entries))


def _told(state: State, before: Job, after: Job) -> str:
    """What became of a job."""
    name = after.name
    if state.stands_still(after):
        return f"{name} stands still: it has nowhere to go"
    said = []
    if new := {*after.groups} - {*before.groups}:
        old = {*before.groups} - {*after.groups}
        said.append(f"goes from {words(state, old)} to {words(state, new)}")
    if lanes := after.remains:
        weakest = min(lanes, key=lambda row: row.there / row.wanted)
        said.append(
            f"has {weakest.there} of {weakest.wanted} rings left of {weakest.axis} in "
            f"{WORDS[weakest.dimension]} {weakest.index} of processors, {after.share:.4g} of what "
            "it asked for"
        )
    elif len(after.rings) > len(before.rings):
        said.append("has all its rings again")
    changed = sum(ring not in before.rings for ring in after.rings)
    if not said:
        said.append(f"has {counted(changed, 'ring')} over other links")
    return f"{name} {', and '.join(said)}"
