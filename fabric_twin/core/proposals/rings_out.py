"""Rings without groups, switches or cables that go out of service, and with them again.

propose_out    jobs on them go elsewhere, or stand still
propose_back   rings that were missing come where they can
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.groups.labels import DIMENSIONS
from fabric_twin.core.proposals.effects import Effect, MoveSlice
from fabric_twin.core.proposals.proposal import MAINTENANCE, RETURN
from fabric_twin.core.proposals.rings import RingsInUse, RingsProposal, in_the_way, proposed
from fabric_twin.core.rings.as_slice import JobSlice, Seat, slice_of_job
from fabric_twin.core.rings.change import Change, entries
from fabric_twin.core.rings.failure import fail, repair, with_links, without_links
from fabric_twin.core.rings.job import Form
from fabric_twin.core.rings.plane import Way, parse_planes
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit


def propose_out(
    now: RingsInUse,
    devices: Collection[int],
    effects: Sequence[Effect],
    asked: Mapping[str, Any],
    *,
    ports: Collection[Exit] = (),
    interrupt: bool = False,
) -> RingsProposal:
    """Go on without groups, switches and cables at ports: each job on them goes elsewhere, if it
    can. A group of which all cables go is gone itself.
    """
    state = now.state
    named, devices = devices, {*devices, *_groups_without_cables(state, ports)}
    there = sorted(set(devices) - state.lost)
    groups = {device for device in there if device < state.wiring.cluster.groups}
    bounds, told = [0], list[str]()
    after = replace(state, held_groups=state.held_groups | groups)
    for device in there:
        bounds.append(fail(state, device).lower_bound)
        change = fail(after, device)
        after, told = change.after, [*told, *change.told]
    if ports:
        bounds.append(without_links(state, ports).lower_bound)
        change = without_links(after, ports)
        after, told = change.after, [*told, *change.told]
    after = replace(after, held_groups=state.held_groups)
    stand = [job.name for job in after.jobs if after.stands_still(job)]
    new = [name for name in stand if not state.stands_still(state.job(name))]
    if new and not interrupt:
        raise NotPossible(
            f"{new[0]}{f' and {len(new) - 1} more' if new[1:] else ''} would stand still: "
            f"{'they have' if new[1:] else 'it has'} nowhere to go",
            where=f"cluster {state.names.pod}",
            remedy="Release a job, or ask for it with interrupt if that is meant",
        )
    change = Change(state, after, max(bounds), tuple(told))
    # A group that goes with its cables is named by them.
    title = f"Take {_parts(state, named, ports)} out of service"
    effects = (*_moves(now, change), *effects)
    return proposed(MAINTENANCE, title, change, effects, asked, in_the_way(now, change))


def propose_back(
    now: RingsInUse,
    devices: Collection[int],
    effects: Sequence[Effect],
    asked: Mapping[str, Any],
    *,
    ports: Collection[Exit] = (),
) -> RingsProposal:
    """Groups, switches and ports are in service again: missing rings come where they can.

    What switches kept of entries while they were out goes, but for what jobs have there again.
    """
    state = now.state
    first = with_links(state, ports)
    after, told = first.after, [*first.told]
    for device in sorted(set(devices) & state.lost):
        change = repair(after, device)
        after, told = change.after, [*told, *change.told]
    added = len(entries(after) - entries(state))
    title = f"Return {_parts(state, devices, ports)} to service"
    change = Change(state, after, added, tuple(told))
    kept = {entry for entry in now.left_over if entry.switch in {*devices} & state.lost}
    kept.update(in_the_way(now, change))
    return proposed(RETURN, title, change, effects, asked, kept)


def _moves(now: RingsInUse, change: Change) -> list[MoveSlice]:
    """Jobs whose groups are others afterwards."""
    found: list[MoveSlice] = []
    for job in change.before.jobs:
        after = change.after.job(job.name)
        if after.groups != job.groups:
            taken: set[Seat] = set()
            if job.form is Form.SMALL:
                there = now.seats.get(after.groups[0], {})
                taken = {seat for name, of in there.items() if name != job.name for seat in of}
                taken.update(
                    seat
                    for one in found
                    if isinstance(one.after, JobSlice) and one.after.job.groups == after.groups
                    for seat in one.after.seats
                )
            cluster = change.before.wiring.cluster
            found.append(MoveSlice(now.slice_of(job), slice_of_job(cluster, after, taken)))
    return found


def _groups_without_cables(state: State, ports: Collection[Exit]) -> Iterator[int]:
    """Groups of which every port of a switch is among these."""
    wiring, at = state.wiring, {*ports}
    planes = [
        plane
        for axis in range(wiring.cluster.dimensions)
        for plane in parse_planes(DIMENSIONS[axis], wiring.cluster, "")
    ]
    on = {port.switch for port in at}
    for group in range(wiring.cluster.groups) if at else ():
        # Few ports are named, and most groups are on other switches.
        if wiring.switch_of(group, planes[0]) in on and all(
            Exit(wiring.switch_of(group, plane), port) in at
            for plane in planes
            for port in (
                wiring.leaves_at(group, plane, Way.FORWARD),
                wiring.enters_at(group, plane, Way.FORWARD),
            )
        ):
            yield group


def _parts(state: State, devices: Collection[int], ports: Collection[Exit]) -> str:
    names = [state.names.device(device) for device in sorted(devices)]
    names += [f"port {port} of {state.names.device(switch)}" for switch, port in sorted(ports)]
    more = f" and {len(names) - 3} more" if names[3:] else ""
    return f"{', '.join(names[:3])}{more}"
