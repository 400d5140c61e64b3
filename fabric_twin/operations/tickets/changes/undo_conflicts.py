"""Conflicts that prevent a finished ticket from being undone.

    slices     another one has the name, the cube or the chips of one that comes back
    circuits   another one that is wanted is on a port of the ticket

Asked before anything is taken for the way back, so that the user hears of it at once.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Cube, Pod, Slice, SlicePart, Ticket
from fabric_twin.operations.tickets.changes.effects import Effects
from fabric_twin.operations.tickets.changes.to_core import Changes

#: Chips of a cube; none are all of them.
Chips = frozenset[tuple[int, ...]]


def refuse_taken(ticket: Ticket, changes: Changes) -> None:
    """Refuse to undo a ticket whose old places are somebody else's now, by the first of these."""
    what = next(_taken(ticket.pod, changes.effects), "") or changes.circuits.in_the_way()
    if what:
        raise NotPossible(
            f"it cannot be undone any more: {what}",
            where=f"ticket {ticket.name}",
            remedy="Make room there first, or make a new ticket",
        )


def _taken(pod: Pod, effects: Effects) -> Iterator[str]:
    own = set(effects.of_slices)
    back: dict[int, dict[str, Chips]] = {}
    others = Slice.objects.filter(pod=pod).exclude(pk__in=own)
    for one in effects.all:
        facts = one.get("from") if one["do"] == "move-slice" else one.get("slice")
        if one["do"] not in {"release-slice", "move-slice"} or not isinstance(facts, Mapping):
            continue
        name = facts["name"]
        if one["do"] == "release-slice" and others.filter(name=name).exists():
            yield f"another slice is called {name}"
        for cube in facts["cubes"]:
            back.setdefault(cube["slot"], {})[name] = _chips(facts)
    there = set(Cube.objects.filter(pod=pod, slot__in=back).values_list("slot", flat=True))
    for slot in sorted(back.keys() - there):
        yield f"there is no cube in slot {slot}"
    yield from _standing(pod, own, back)


def _standing(pod: Pod, own: set[UUID], back: Mapping[int, Mapping[str, Chips]]) -> Iterator[str]:
    """Slices of others that stand where some have to come back to."""
    parts = SlicePart.objects.filter(cube__pod=pod, cube__slot__in=back).exclude(slice__in=own)
    rows = parts.order_by("cube__slot", "slice__name")
    for slot, other, chips in rows.values_list("cube__slot", "slice__name", "chips"):
        theirs = frozenset(tuple(chip) for chip in chips or ())
        for name, mine in back[slot].items():
            if not (mine and theirs) or mine & theirs:
                yield f"slice {other} stands on the cube in slot {slot}, where {name} was"


def _chips(facts: Mapping[str, Any]) -> Chips:
    return frozenset(tuple(chip[1:]) for chip in facts.get("chips", ()))
