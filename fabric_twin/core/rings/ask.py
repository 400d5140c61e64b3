"""A job comes or goes: its groups are chosen, its links taken, and only then entries made."""

from collections.abc import Collection
from dataclasses import replace

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.rings.change import Change
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.laying import Laying
from fabric_twin.core.rings.place import SequencePlace, place_rectangle, place_small, words
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish, check_wish, groups_needed


def ask(state: State, wish: Wish) -> Change:
    """Give a job its groups and rings, all of them or none."""
    if any(job.name == wish.name for job in state.jobs):
        raise UnusableInput(
            f"there is a job {wish.name[:40]!r} already",
            where="rings",
            remedy="Choose another name, or release it first",
        )
    job = made(state, wish)
    after = state.with_job(job)
    added = sum(len(ring.entries) for ring in job.rings)
    return Change(state, after, added, (f"{job.name} is on {words(state, job.groups)}",))


def release(state: State, name: str) -> Change:
    """Take a job's rings away, and let its groups go."""
    job = state.job(name)
    removed = [entry for ring in job.rings for entry in ring.entries]
    there = sum(entry.switch not in state.lost for entry in removed)
    told = f"{job.name} lets {words(state, job.groups)} go"
    return Change(state, state.without(name), there, (told,))


def made(state: State, wish: Wish) -> Job:
    """The job of a wish, where it would stand in this state."""
    check_wish(state, wish)
    job = Job(
        wish.name,
        wish.form,
        wish.processors,
        wish.groups,
        wish.columns,
        wish.axes,
        wish.both_ways,
    )
    if wish.groups:
        return laid(state, job)
    if wish.form is Form.SMALL:
        return replace(job, groups=(place_small(state, wish.processors),))
    if wish.form is Form.RECTANGLE:
        shut = _shut(state, wish, 0), _shut(state, wish, 1)
        groups = place_rectangle(state, wish.rows, wish.columns, shut)
        return laid(state, replace(job, groups=groups))
    return _sequence(state, wish, job)


def _sequence(state: State, wish: Wish, job: Job) -> Job:
    """Rows whose links to others are used up are left out, one after the other."""
    axis = wish.axes[0].planes[0].axis
    place = SequencePlace(state, axis, groups_needed(state, wish))
    shut = _shut(state, wish, axis)
    first: NotPossible | None = None
    while True:
        try:
            groups = place.find(shut)
        except NotPossible as refusal:
            raise first or refusal from None
        try:
            return laid(state, replace(job, groups=groups))
        except NotPossible as refusal:
            first = first or refusal
            rows = {state.wiring.serves(group, axis) for group in groups}
            worst = min(rows, key=lambda row: (_links_left(state, wish, row), row))
            if worst in place.barred:
                raise first from None
            place = replace(place, barred=place.barred | {worst})


def _links_left(state: State, wish: Wish, row: int) -> int:
    """How many links to other switches are left where fewest are, of a row's switches."""
    used = {entry.exit for ring in state.rings for entry in ring.entries} | state.held_links
    wiring = state.wiring
    left = []
    for plane in (plane for axis in wish.axes for plane in axis.planes):
        exits = wiring.exits.get(wiring.tier_0(plane, row), ())
        left.append(sum(exit_ not in used for exit_ in exits))
        left.append(sum(wiring.far(exit_) not in used for exit_ in exits))
    return min(left)


def laid(state: State, job: Job) -> Job:
    """A job with all its rings, on the groups that it has."""
    laying = Laying(state, state.others(job.name))
    return replace(job, rings=tuple(laying.lay([(wanted, None) for wanted in job.wanted])))


def _shut(state: State, wish: Wish, axis: int) -> Collection[int]:
    """The rows (or columns) on a switch that is lost and that the rings of a wish need."""
    planes = [plane for of in wish.axes for plane in of.planes if plane.axis == axis]
    return {
        serves
        for serves in range(1, state.wiring.cluster.tier_0(axis) + 1)
        if any(state.wiring.tier_0(plane, serves) in state.lost for plane in planes)
    }
