"""Conflicts that prevent a finished ticket from being undone.

    slices     another one has the name, the cube or the chips of one that comes back, or the cube
               is out of service; one of the ticket has got circuits since, or does not stand where
               its circuits come back
    status     what it took out of service, another ticket took out again since
    circuits   another one that is wanted is on a port of the ticket
    links      in a network: where they come back, a switch, a port or a block is out by now

Asked before anything is taken for the way back, so that the user hears of it at once.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import UUID

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Key
from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.proposal import TOPOLOGY
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import Slice as CoreSlice
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, SlicePart, Ticket
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.operations.slices.occupancy import intended_by_records, standing_slices
from fabric_twin.operations.tickets.changes.effects import KEEP_RINGS, Effects
from fabric_twin.operations.tickets.changes.to_core import Changes
from fabric_twin.operations.tickets.changes.undo_rings import entries_since
from fabric_twin.repositories.pod_record import (
    DOWN,
    IN_SERVICE,
    OUT_OF_SERVICE,
    TO_COME,
    USABLE,
    PodRecord,
    names_of,
)
from fabric_twin.repositories.ports_out import MAINTAINED

#: Chips of a cube; none are all of them.
Chips = frozenset[tuple[int, ...]]


def refuse_taken(ticket: Ticket, changes: Changes) -> None:
    """Refuse to undo a ticket whose old places are somebody else's now, by the first of these."""
    what = (
        next(_taken(ticket.pod, changes.effects), "")
        or next(_out_again(ticket, changes.effects), "")
        or changes.circuits.in_the_way(changes.effects.accepted.keys)
        or next(_rings_or_circuits(ticket.pod, changes), "")
        or (next(_of_network(ticket, changes), "") if changes.drains_links else "")
    )
    if what:
        raise NotPossible(
            f"it cannot be undone any more: {what}",
            where=f"ticket {ticket.name}",
            remedy="Make room there first, or make a new ticket",
        )


def _taken(pod: Pod, effects: Effects) -> Iterator[str]:
    own = set(effects.of_slices)
    slice_, cube = _nouns(pod)
    back: dict[int, dict[str, Chips]] = {}
    others = Slice.objects.filter(pod=pod).exclude(pk__in=own)
    for one in effects.all:
        facts = one.get("from") if one["do"] == "move-slice" else one.get("slice")
        if one["do"] not in {"release-slice", "move-slice"} or not isinstance(facts, Mapping):
            continue
        name = facts["name"]
        if one["do"] == "release-slice" and others.filter(name=name).exists():
            yield f"another {slice_} is called {name}"
        for place in facts["cubes"]:
            back.setdefault(place["slot"], {})[name] = _chips(facts)
    there = dict(Cube.objects.filter(pod=pod, slot__in=back).values_list("slot", "status__name"))
    mine = {one.get("slot") for one in effects.statuses}
    for slot in sorted(back.keys() - there.keys()):
        yield f"there is no {cube} in slot {slot}"
    usable = USABLE if pod.is_cluster else IN_SERVICE
    for slot in sorted(there.keys() - mine):
        if there[slot] not in usable:
            yield f"the {cube} in slot {slot} is {there[slot].lower()}"
    yield from _standing(pod, own, back)


def _out_again(ticket: Ticket, effects: Effects) -> Iterator[str]:
    """What it took out of service, and a later ticket took out again: that one says when it is
    back."""
    if not (effects.statuses and ticket.ended):
        return
    later = Ticket.objects.filter(pod=ticket.pod, state=State.DONE, ended__gt=ticket.ended)
    since = [
        (one.name, Effects(ticket.pod, one.plan.get("effects", ())).statuses)
        for one in later.select_related("pod").order_by("-ended")
    ]
    for mine in effects.statuses:
        touched = ((name, [o for o in others if _of_the_same(mine, o)]) for name, others in since)
        name, others = next(((name, others) for name, others in touched if others), ("", []))
        if any(other["to"] == mine["to"] for other in others):
            what = f"slot {mine['slot']}" if "slot" in mine else mine["switch"]
            what = f"port {mine['ports'][0]} of {what}" if mine.get("ports") else what
            yield f"ticket {name} made {what} {mine['to'].lower()} since"


def _of_the_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    ports = set(one.get("ports", ())), set(other.get("ports", ()))
    what = ("do", "slot", "switch")
    alike = all(one.get(name) == other.get(name) for name in what)
    return alike and (ports == (set(), set()) or not ports[0].isdisjoint(ports[1]))


def _rings_or_circuits(pod: Pod, changes: Changes) -> Iterator[str]:
    if not pod.is_cluster:
        return _circuits(pod, changes)
    return chain(entries_since(pod, changes), _switches_out(PodRecord(pod), changes))


def _circuits(pod: Pod, changes: Changes) -> Iterator[str]:
    """Slices whose circuits are no more what they were when the ticket was done."""
    intended = intended_by_records(PodRecord(pod))
    moved = {one["id"]: one for one in changes.effects.all if one["do"] == "move-slice"}
    made = {one["id"]: one for one in changes.effects.all if one["do"] == "make-slice"}
    names, mine = intended.names.switches, changes.circuits.keys
    rows = OpticalCircuit.objects.filter(slice__in=[*moved, *made], wanted=True)
    columns = "slice_id", "slice__name", "switch__number", "a", "b"
    tori = {key: _torus(intended, one["from"]) for key, one in moved.items()}
    rows = rows.order_by("slice__name", "switch", "a")
    for key, name, switch, a, b in rows.values_list(*columns):
        circuit = names[switch], f"{a}A", f"{b}B"
        if circuit not in mine and circuit not in tori.get(str(key), ()):
            yield f"slice {name} has got {a}A to {b}B on {names[switch]} since"
    if any(one["do"] == "substitute" for one in changes.effects.all):
        return  # its circuits come back to ports that spares stand in for until then
    now = changes.circuits.wanted_at_last()
    before = changes.circuits.wanted(0).items()
    back = {key: name for key, name in before if name and key not in now}
    own = set(changes.effects.of_slices.values())
    standing = {one.name: one for one in standing_slices(pod, intended)} if back else {}
    for name in sorted(set(back.values()) - own):
        if name not in standing:
            yield f"slice {name} is gone"
        elif not {key for key in back if back[key] == name} <= _torus_of(intended, standing[name]):
            yield f"slice {name} stands on other cubes"


def _of_network(ticket: Ticket, changes: Changes) -> Iterator[str]:
    """Topologies that decided anew since; switches, ports and blocks that others took out of
    service since, and where circuits come back."""
    later = Ticket.objects.filter(pod=ticket.pod, kind=TOPOLOGY, state=State.DONE)
    of_rings = any(one["do"] == KEEP_RINGS for one in changes.effects.all)
    decides = ticket.kind != TOPOLOGY or of_rings
    if decides and (one := later.filter(ended__gt=ticket.ended).first()):
        yield f"ticket {one.name} made another topology since"
    yield from _rings(ticket.pod, changes)
    record = PodRecord(ticket.pod)
    yield from _switches_out(record, changes)
    yield from _ports_out(record, changes)
    names = names_of(record)
    ends = {
        n
        for switch, *ports in _back(changes)
        for port in ports
        for n in numbers_of(names, (switch, port))
    }
    yield from _blocks_gone(record, ends, changes.present.get("blocks", {}))


def _back(changes: Changes) -> set[Key]:
    """The circuits that would come back."""
    return changes.circuits.wanted(0).keys() - changes.circuits.wanted_at_last().keys()


def _switches_out(record: PodRecord, changes: Changes) -> Iterator[str]:
    """Switches that others took out of service, where circuits would come back."""
    own = {one.get("switch") for one in changes.effects.statuses if "ports" not in one}
    status_of = {device: status for _, device, status in record.switches.values()}
    for switch in sorted({switch for switch, _, _ in _back(changes)} - own):
        if status_of.get(switch) in DOWN:
            yield f"{switch} is out of service"


def _ports_out(record: PodRecord, changes: Changes) -> Iterator[str]:
    """Ports of switches that others took out of service, where circuits would come back."""
    names = names_of(record)
    own = {(one["switch"], p) for one in changes.effects.statuses for p in one.get("ports", ())}
    for switch, *ports in sorted(_back(changes)):
        for port in ports:
            numbers = numbers_of(names, (switch, port))
            status = {record.ports[number][2] for number in numbers if number in record.ports}
            if MAINTAINED in status and (switch, port) not in own:
                yield f"port {port} of {switch} is in maintenance"


def _blocks_gone(
    record: PodRecord, ends: Collection[int], before: Mapping[str, str]
) -> Iterator[str]:
    """Blocks at some ports of switches that have no links to come back to, and had some before."""
    there = {
        place: (block.name, block.status.name)
        for block in record.pod.blocks.select_related("status")
        for place in block.places
    }
    places = NetworkRecord(record).places_at(ends)
    for place in sorted(places - there.keys()):
        yield f"the block at port {place} of every switch is gone"
    for name, status in sorted({there[place] for place in places & there.keys()}):
        if name not in before:
            yield f"block {name} came since"
        elif status in {*TO_COME, *OUT_OF_SERVICE} and status != before[name]:
            yield f"block {name} is {status}"


def _rings(pod: Pod, changes: Changes) -> Iterator[str]:
    """Rings of jobs that would lose links; those that it made itself go with it."""
    # Its solver is slow to load, and most processes never plan a topology.
    from fabric_twin.core.proposals.ring_links import ring_links_lost
    from fabric_twin.operations.networks.topology import read_network

    now, course = read_network(pod), changes.course
    made = {one["name"] for one in changes.effects.all if one["do"] == KEEP_RINGS and one["keeps"]}
    others = [circuit for circuit in now.circuits if circuit.key not in course.own]
    before = replace(now, circuits=(*others, *course.states[0].values()))
    for lost in ring_links_lost(now, before.links):
        if lost.job not in made:
            yield f"rings need its links: {lost.one} and {lost.other} would keep {lost.after:,}"


def _torus(intended: Intended, facts: Mapping[str, Any]) -> set[Key]:
    """The circuits of a slice where it was."""
    shape = parse_shape(facts["shape"], intended.design, twisted=facts["twisted"])
    slots = tuple(cube["slot"] for cube in facts["cubes"])
    chips = tuple(tuple(chip[1:]) for chip in facts.get("chips", ()))
    return _torus_of(intended, CoreSlice(facts["name"], shape, slots, chips))


def _torus_of(intended: Intended, made: CoreSlice) -> set[Key]:
    whole = replace(made, without=())
    return set(slice_circuits(intended.design, whole, intended.mate).named(intended.names))


def _standing(pod: Pod, own: set[UUID], back: Mapping[int, Mapping[str, Chips]]) -> Iterator[str]:
    """Slices of others that stand where some have to come back to."""
    slice_, cube = _nouns(pod)
    parts = SlicePart.objects.filter(cube__pod=pod, cube__slot__in=back).exclude(slice__in=own)
    rows = parts.order_by("cube__slot", "slice__name")
    for slot, other, chips in rows.values_list("cube__slot", "slice__name", "chips"):
        theirs = frozenset(tuple(chip) for chip in chips or ())
        for name, mine in back[slot].items():
            if not (mine and theirs) or mine & theirs:
                yield f"{slice_} {other} stands on the {cube} in slot {slot}, where {name} was"


def _nouns(pod: Pod) -> tuple[str, str]:
    """What a slice and a cube are called there."""
    return ("job", "group") if pod.is_cluster else ("slice", "cube")


def _chips(facts: Mapping[str, Any]) -> Chips:
    return frozenset(tuple(chip[1:]) for chip in facts.get("chips", ()))
